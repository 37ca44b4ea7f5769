"""Answers with receipts from derived indexes, one folder per tier; nothing here holds a truth of its own."""
