"""A made-up life of any length: facts with histories, the sessions they were said in, notes, and questions with labels.

Item `n` is the same whatever else is made: everything is thrown with dice of its own, from the seed and `n`.
"""
