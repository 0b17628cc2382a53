# Two commands do everything:  make build  and  make test.  While you work, make quick  answers in about a minute.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
# Tests start hundreds of processes, each of which would compile what is not kept.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help build quick fast test lint unit wheel soak browser bench clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 17

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	@echo "installing Grimalkin and the tools of its developers into $(VENV); this takes a minute or two"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install -qq --editable . --group dev
	@touch $@

build: $(READY)  ## make every sheet, the rulebooks and the site into output/
	$(BIN)/grimalkin build

quick: $(READY)  ## the tests that take milliseconds, format and types, in about a minute
	@$(MAKE) --no-print-directory --jobs 2 fast lint

fast: $(READY)
	$(PYTEST) -q --no-header -m "not slow"

# The tests take all processors for minutes, and what takes one for seconds goes beside them.
test: $(READY) browser  ## everything CI checks
	@$(MAKE) --no-print-directory --jobs 3 lint wheel unit

lint: $(READY)  ## format, types, who may import what, and the English of everything people read
	$(BIN)/ruff check generator tests benchmarks hatch_build.py
	$(BIN)/ruff format --check generator tests benchmarks hatch_build.py
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell README.md CHANGELOG.md content generator templates site/docs
	$(BIN)/python tests/prose.py

unit: $(READY) browser  ## all tests
	$(PYTEST)

wheel: $(READY)  ## build the wheel and try it alone in a clean environment
	$(BIN)/python -m build --quiet --wheel --outdir dist
	$(PYTHON) tests/try_wheel.py dist

# A hundred times what every run tries, with other seeds every day. SOAK=1000 tries more, SEED=5 what another day did.
SOAK ?= 100
SEED ?= $(shell date +%Y%m%d)
soak: $(READY) browser  ## the long proofs: thousands of broken files, random games and killed builds; all pages in all widths
	@echo "seeds from $(SEED)"
	GRIMALKIN_SOAK=$(SOAK) GRIMALKIN_SEED=$(SEED) $(PYTEST) -q --no-header -m soak

# What judges the pages beside our own tests, from npm, in versions that were tried.
JUDGES := html-validate@10.17.0 lighthouse@12.8.2

# The browser tests use the system's Chromium. Without one, and without the right to install it, they are skipped and say so.
browser: $(READY)  ## install Chromium, and what judges pages, where it can be
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing Chromium for the browser tests"; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 \
	      || echo "Chromium could not be installed; the browser tests will be skipped"; \
	  else echo "no Chromium found; install it to run the browser tests"; fi; }
	@[ -x $(VENV)/node_modules/.bin/lighthouse ] || { \
	  if command -v npm >/dev/null; then \
	    echo "installing html-validate and Lighthouse for the tests of pages"; \
	    npm install --silent --no-audit --no-fund --no-package-lock --prefix $(VENV) $(JUDGES) >/dev/null 2>&1 \
	      || echo "npm could not install $(JUDGES); the tests that ask them will be skipped"; \
	  else echo "no Node with npm found; the tests that ask html-validate and Lighthouse will be skipped"; fi; }

bench: $(READY)  ## speed side by side with peers (several minutes)
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/pages.py

clean:  ## remove what make made; what it kept of yours stays in output/kept
	rm -rf $(VENV) dist build output/.grimalkin-new output/.grimalkin-old output/.grimalkin-state.json output/.made-by-grimalkin \
	  output/.swap.json output/sheets output/cards output/site output/guide output/print output/records output/rulebooks
	@if [ -d output/export ]; then \
	  find output/export -mindepth 2 -maxdepth 2 ! -name kept -exec rm -rf {} +; \
	  find output/export -maxdepth 1 -type d -empty -delete; \
	fi
