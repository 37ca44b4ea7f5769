"""Distillers that ask a model: what is asked, what counts as an answer, and who may be asked."""
