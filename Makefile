# `make demo` and `make test` are the two commands of the README; the others are pieces of them.
VENV ?= .venv
PYTHON ?= python3
CORES ?= 2
BIN := $(VENV)/bin

.PHONY: demo demo-diff test archive verify-archive test-mirror mirror-tools persons test-cluster cluster-tools test-faults ner record-demo record-annotations format lint envs docs docs-tables dag lock update bill clean

# Exact versions, each file with its hash: what is not in locks/ is not installed, so pip has nothing to choose.
PIP := $(BIN)/python -m pip --quiet install --disable-pip-version-check --no-deps
LOCKED := $(PIP) --require-hashes --requirement

# The core alone: what an audit needs. The project is built by the setuptools of the lock.
$(VENV)/core: pyproject.toml locks/core.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "textparity needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(LOCKED) locks/core.txt
	@$(PIP) --no-build-isolation --editable .
	touch $@

# NLTK and PyThaiNLP as in Muller's paper, beside today's: only jobs that count with them have the folder on their path.
.paper-tokenizers: $(VENV)/core locks/paper-tokenizers.txt
	rm -rf $@
	@$(LOCKED) locks/paper-tokenizers.txt --target $@
	touch $@

# What extras need beyond the core: spaCy for newsroom is without a pipeline (python -m spacy download de_core_news_lg,
# or a folder as newsroom.spacy_model); morphology is Ukrainian, swapping has the scores too.
$(VENV)/workflow: $(VENV)/core locks/workflow.txt .paper-tokenizers
	@$(LOCKED) locks/workflow.txt
	touch $@

EXTRAS := bert-score classify cluster datatrove dev docs encoder figure frames hub llm local-llm morphology newsroom persons propagation qlora russian sentiment stanza swapping train translation web
$(EXTRAS:%=$(VENV)/%): $(VENV)/%: $(VENV)/workflow locks/%.txt
	@$(LOCKED) locks/$*.txt
	touch $@

# PyTorch's CPU build first: asked for loosely, it comes with gigabytes of CUDA libraries. Which build is right depends on
# the machine, so it is in no lock.
$(VENV)/torch: $(VENV)/workflow
	$(BIN)/python -m pip install --disable-pip-version-check 'torch==2.13.0'
	touch $@

$(VENV)/bert-score $(VENV)/encoder $(VENV)/propagation $(VENV)/qlora $(VENV)/sentiment $(VENV)/stanza: $(VENV)/torch

# `make EXTRA`, as messages say it (tests/repository/test_extras.py); docs and persons do more than install.
INSTALLED := workflow $(filter-out docs persons,$(EXTRAS))
.PHONY: $(INSTALLED)
$(INSTALLED): %: $(VENV)/%

# Recognizers with a transformer, as in the paper, in an environment of their own: spacy-transformers wants an older
# version of transformers than the others. Then: .venv-ner/bin/snakemake swapping
$(VENV)-ner/ner: locks/ner.txt
	$(MAKE) VENV=$(VENV)-ner $(VENV)-ner/torch
	$(VENV)-ner/bin/python -m pip --quiet install --disable-pip-version-check --no-deps --require-hashes --requirement $<
	touch $@

ner: $(VENV)-ner/ner

# The method persons with one pipeline; for another language: make persons PIPELINE=fr_core_news_sm
PIPELINE ?= en_core_web_sm
persons: $(VENV)/persons
	$(BIN)/python -m spacy download $(PIPELINE)

# The real workflow on the texts and lexicons under resources/demo, in a folder of its own.
demo: $(VENV)/morphology $(VENV)/classify
	mkdir -p demo
	@env -u TEXTPARITY_MIRROR $(BIN)/python tools/run_demo.py demo/logs/demo.log $(BIN)/snakemake --cores $(CORES) --directory demo --configfile resources/demo/config.yaml
	@echo
	@$(BIN)/python tools/show_demo.py demo

# What a change of the code does to the demo's results, against the last commit or another: make demo-diff COMMIT=main
COMMIT ?= HEAD
demo-diff: $(VENV)/morphology $(VENV)/classify
	CORES=$(CORES) tools/diff_demo.sh $(BIN) $(COMMIT)

# The results of `snakemake all` as one RO-Crate, and each of them made again from it: no download, no model.
FOLDER ?= .
ARCHIVE ?= results.zip
archive: $(VENV)/workflow
	$(BIN)/python tools/archive_results.py write $(FOLDER) $(ARCHIVE)

verify-archive: $(VENV)/workflow
	$(BIN)/python tools/archive_results.py verify $(ARCHIVE)

# What `make test` leaves to the targets below.
OTHER_TESTS := mirror or local_llm or propagation or spacy or train or cluster or faults or slow
# A file is run by one worker: each would make the demo for itself, which takes longer than all the rest.
PYTEST := $(BIN)/python -m pytest -n $(CORES) --dist loadfile --no-loadscope-reorder

# The short tests first, so that a failure among them is seen in minutes; then those that run Snakemake.
test: $(VENV)/dev
	$(PYTEST) -m 'not workflow and not ($(OTHER_TESTS))'
	$(PYTEST) -m 'workflow and not ($(OTHER_TESTS))'
	@echo "make test: all tests passed, with and without Snakemake"

# The real study on the real data and real models; needs TEXTPARITY_MIRROR, STANZA_RESOURCES_DIR, NLTK_DATA, and for the
# newsroom TEXTPARITY_SPACY_MODEL.
$(VENV)/pipelines: $(VENV)/dev tests/mirror/pipelines.txt
	@$(LOCKED) tests/mirror/pipelines.txt
	touch $@

MIRROR_TOOLS := $(VENV)/dev $(VENV)/datatrove $(VENV)/pipelines $(VENV)/russian $(VENV)/stanza $(VENV)/local-llm $(VENV)/sentiment $(VENV)/encoder $(VENV)/bert-score $(VENV)/qlora

mirror-tools: $(MIRROR_TOOLS)

# Without the longest ones: make test-mirror MIRROR_BUT='and not slow'
test-mirror: $(MIRROR_TOOLS)
	$(BIN)/python -m pytest -n $(CORES) --dist loadfile -m '(mirror or stanza or local_llm or propagation or spacy or train or datatrove or slow) $(MIRROR_BUT)'

cluster-tools: $(VENV)/dev $(VENV)/cluster

# The demo, a crawl and an audit through a real SLURM of two nodes, which are started and stopped; root on Debian.
test-cluster: $(VENV)/dev $(VENV)/cluster
	$(BIN)/python -m pytest -s -m cluster tests/cluster

# Kills, signals, full disks, damaged files, hostile servers: a round of each, after which every result must be that of an
# undisturbed run, made by the jobs that had to run again alone. A full disk needs the right to mount a tmpfs. For other
# rounds, and more of each kind: make test-faults FAULTS='--fault-seed 2 --fault-rounds 6'
test-faults: $(VENV)/dev
	$(BIN)/python -m pytest -m faults $(FAULTS) tests/faults

# Snakemake's own lint reads the rule files and runs none; four seconds, without network or mirror.
lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile rules
	mkdir -p demo
	env -u TEXTPARITY_MIRROR $(BIN)/snakemake --lint --directory demo --configfile resources/demo/config.yaml
	$(BIN)/mypy

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile rules

# Ask the local model again for the demo's answers; a few minutes.
record-demo: $(VENV)/local-llm $(VENV)/classify
	rm -rf demo-recording
	mkdir demo-recording
	$(BIN)/snakemake representation stereotypes --cores $(CORES) --directory demo-recording --configfile resources/demo/config.yaml --config 'language_models={recorded: []}'
	$(BIN)/python tools/record_demo.py demo-recording/answers.sqlite resources/demo/answers.jsonl
	rm -rf demo-recording

# Parse the demo's passages again; needs TEXTPARITY_SPACY_MODEL, for those of the tests TEXTPARITY_SPACY_MODEL_ENG and _FRA.
record-annotations: $(VENV)/newsroom
	$(BIN)/python tools/record_annotations.py

# The pages of docs/ as a site; a broken link, also to a heading, fails.
docs: $(VENV)/docs
	$(BIN)/python tools/write_docs.py --check
	rm -rf site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs . site
	@echo "the site is site/docs/index.html"

# The parts of docs/ that are made from the studies, the configuration and the tables.
docs-tables: $(VENV)/workflow
	$(BIN)/python tools/write_docs.py

# docs/images/dag.svg: which rules each study has, and in which order they run.
dag: $(VENV)/workflow
	$(BIN)/python tools/draw_dag.py

envs: $(VENV)/dev
	$(BIN)/python tools/write_envs.py

# Tools of the supply chain, beside what they look at.
$(VENV)-supply/tools: locks/supply.txt
	test -x $(VENV)-supply/bin/python || $(PYTHON) -m venv $(VENV)-supply
	$(VENV)-supply/bin/python -m pip install --disable-pip-version-check --no-deps --require-hashes --requirement $<
	touch $@

# After a change of requirements in pyproject.toml: versions move only where they must.
lock: $(VENV)-supply/tools
	PATH="$(abspath $(VENV))-supply/bin:$$PATH" $(PYTHON) tools/write_locks.py

# The newest versions that pyproject.toml allows; then run the tests.
update: $(VENV)-supply/tools
	PATH="$(abspath $(VENV))-supply/bin:$$PATH" $(PYTHON) tools/write_locks.py --upgrade

# A software bill (CycloneDX) of what is installed: textparity.cdx.json, with licences.
bill: $(VENV)/workflow $(VENV)-supply/tools
	$(VENV)-supply/bin/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml --output-file textparity.cdx.json $(BIN)/python

clean:
	rm -rf demo .snakemake logs site
