"""Every verb, defined once: one file for each subject, and `table.py` that holds them all."""
