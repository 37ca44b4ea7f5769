# Two commands do everything: `make demo` shows it, `make test` proves it.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test prove bench lint clean

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "rhizome needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) -V`. Try: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up $(VENV) (once, one to three minutes)..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(READY)
	@$(BIN)/python -m rhizome.demo

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n 2

prove: $(READY)
	RHIZOME_EXAMPLES=prove $(BIN)/python -m pytest -n 2

bench: $(READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist
