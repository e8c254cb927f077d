# Start with `make demo` and `make test`. Needs only make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python3.14; do \
	if $$each -c '$(RECENT)' >/dev/null 2>&1; then echo $$each; break; fi; done)

.DEFAULT_GOAL := help
# What the compiled library is built from.
KERNELS := hatch_build.py $(shell find src/wavefold/kernels -name "*.py")
LIBRARIES := src/wavefold/kernels/kernels-*

.PHONY: help demo studio bundles test test-slow test-lowest test-studio check-studio check bench docs gallery tour tilesets calibrate wheels clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/.installed ## Create a virtual environment, install, and draw a first map
	@$(BIN)/wavefold generate terrain --size 48x32 --seed 7 -o map.png
	@echo "The picture is $(CURDIR)/map.png"

studio: $(VENV)/.installed-studio ## Install the server, build browser bundles (with npm), open the studio (STUDIO_ARGS=--no-browser)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory bundles; \
	else echo "npm is not installed: the view Blocks shows layers instead of blocks in space"; fi
	@$(BIN)/wavefold studio $(STUDIO_ARGS)

bundles: tools/studio/node_modules ## Build the browser bundles: three.js for the view Blocks (needs npm)
	node tools/studio/build.js

# Tests start hundreds of processes: none compiles what another has compiled, whatever the shell says.
test test-slow test-lowest test-studio: export PYTHONDONTWRITEBYTECODE :=
test: check ## All fast tests: style, types, layers, the suite; what calls kernels also in plain Python and WebAssembly
	$(BIN)/python -m pytest -n 3 -m "not slow and not studio"
	WAVEFOLD_KERNELS=python $(BIN)/python -m pytest -n 2 -m "not slow" tests
	@if command -v node >/dev/null; then WAVEFOLD_TEST_KERNELS=wasm $(BIN)/python -m pytest -n 2 -m "not slow" tests; \
	else echo "SKIPPED: tests of kernels in WebAssembly, which need node"; fi

test-slow: $(VENV)/.installed-dev ## Proofs that take minutes (SEEDS=100: more maps of every tile set; EXAMPLES=1000: more of every law)
	$(if $(SEEDS),WAVEFOLD_TEST_SEEDS=$(SEEDS)) $(BIN)/python -m pytest -m slow -o faulthandler_timeout=7200
	WAVEFOLD_TEST_EXAMPLES=$(or $(EXAMPLES),200) $(BIN)/python -m pytest -m "hypothesis and not studio" -o faulthandler_timeout=7200

test-lowest: $(BIN)/python ## All fast tests with the lowest versions of dependencies that pyproject.toml allows
	$(BIN)/python tools/run_lowest.py -n 3

test-studio: $(VENV)/.installed-dev ## All tests of the studio in a real browser (needs chromium)
	$(BIN)/python -m pytest -rs server/tests/studio

check-studio: tools/studio/node_modules ## Types of the studio's scripts (needs npm)
	tools/studio/node_modules/.bin/tsc -p tools/studio/tsconfig.json

check: $(VENV)/.installed-dev ## Style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed ## Measure the solver on this machine (AGAINST=folder of reference kernels)
	$(BIN)/wavefold bench --json bench.json $(if $(AGAINST),--against $(AGAINST))

docs: $(VENV)/.installed-docs ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

gallery: $(VENV)/.installed ## Redraw the pictures of the gallery
	@$(BIN)/python docs/make_gallery.py

tour: $(VENV)/.installed-dev bundles ## Take the pictures of the studio, and its tour (needs chromium and npm)
	@$(BIN)/python docs/make_studio_pictures.py

tilesets: $(VENV)/.installed ## Redraw the bundled tile sets, and covers of those whose rules have changed
	@PYTHONPATH=tools $(BIN)/python -m draw_tilesets
	@PYTHONPATH=tools $(BIN)/python -m draw_tilesets.covers

calibrate: $(VENV)/.installed ## Find activities of bundled tile sets again: SETS="castle terrain"
	@PYTHONPATH=tools $(BIN)/python -m draw_tilesets.calibrate $(SETS)
	@$(MAKE) --no-print-directory tilesets

wheels: $(VENV)/.installed-dev bundles ## Build wheels for all platforms, the source distribution and wavefold.wasm into dist/ (needs npm)
	$(BIN)/python tools/build_wheels.py dist

clean: ## Remove everything that these commands create, except wavefold-data with your work in the studio
	rm -rf $(VENV) $(LIBRARIES) src/wavefold/kernels/.kernels.lock site build dist map.png bench.json tools/studio/node_modules server/src/wavefold_server/studio/pages/three.bundle.js
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	find src server tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

tools/studio/node_modules: tools/studio/package.json
	@command -v npm >/dev/null || { echo "this needs npm and node 20 or newer, which are not installed"; exit 1; }
	npm install --prefix tools/studio --ignore-scripts --no-package-lock --no-audit --no-fund
	@touch $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "wavefold needs Python 3.11 or newer; name one: make PYTHON=/path/to/python"; exit 1; }
	@echo "creating a virtual environment in $(VENV)…"
	@$(PYTHON) -m venv $(VENV)

# Stamps: what is installed is installed again only when pyproject.toml or kernels change.
$(VENV)/.installed: pyproject.toml $(KERNELS) | $(BIN)/python
	@echo "installing wavefold and compiling its kernels, once: about a minute…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-studio: pyproject.toml server/pyproject.toml $(KERNELS) | $(BIN)/python
	@echo "installing wavefold and its server, once: about a minute…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --editable "./server[studio]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: pyproject.toml server/pyproject.toml $(KERNELS) | $(BIN)/python
	@echo "installing wavefold, its server and the tools for tests, once: about a minute…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]" --editable "./server[studio]"
	@touch $@ $(VENV)/.installed $(VENV)/.installed-studio

$(VENV)/.installed-docs: pyproject.toml $(KERNELS) | $(BIN)/python
	@echo "installing the tools for the documentation, once…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	@touch $@ $(VENV)/.installed
