"""Answers as a person reads them in a terminal: one file a subject; `answers.py` knows which verb is whose."""
