"""`python -m rhizome` is `rhizome`."""

from rhizome.cli import main

main()
