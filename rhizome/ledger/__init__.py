"""The ledger: typed statements with an address, folded from events. It knows only the nouns."""
