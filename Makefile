# `make demo` and `make test` are the two commands of the README; the others are pieces of them.
VENV ?= .venv
PYTHON ?= python3
CORES ?= 2
BIN := $(VENV)/bin

.PHONY: demo test test-mirror mirror-tools test-cluster cluster-tools test-faults stanza local-llm newsroom swapping propagation record-demo record-annotations format lint envs docs docs-tables clean

# The core alone: no PyTorch.
$(VENV)/core: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "textparity needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --editable .
	touch $@

$(VENV)/dev: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[dev]'
	touch $@

# PyTorch's CPU build first: asked for loosely, it comes with gigabytes of CUDA libraries.
$(VENV)/stanza: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check 'torch==2.13.0'
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[stanza]'
	touch $@

stanza: $(VENV)/stanza

$(VENV)/local-llm: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[local-llm]'
	touch $@

local-llm: $(VENV)/local-llm

# spaCy without a pipeline: python -m spacy download de_core_news_lg, or a folder as newsroom.spacy_model.
$(VENV)/newsroom: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[newsroom]'
	touch $@

newsroom: $(VENV)/newsroom

# The paper's sentiment model needs PyTorch, whose CPU build the target stanza chooses.
$(VENV)/sentiment: $(VENV)/stanza $(VENV)/newsroom
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[sentiment]'
	touch $@

# Ukrainian morphology; light.
$(VENV)/morphology: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[morphology]'
	touch $@

# And the scores, which need spaCy's tokenizer.
$(VENV)/swapping: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[swapping]'
	touch $@

swapping: $(VENV)/swapping

# Sentence encoders need PyTorch, whose CPU build the target stanza chooses.
$(VENV)/encoder: $(VENV)/stanza
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[encoder]'
	touch $@

# Classifiers of stereotypes; light.
$(VENV)/classify: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[classify]'
	touch $@

# Adapters of language models need PyTorch, whose CPU build the target stanza chooses.
$(VENV)/propagation: $(VENV)/stanza
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[propagation]'
	touch $@

propagation: $(VENV)/propagation

# The real workflow on the texts and lexicons under resources/demo, in a folder of its own.
demo: $(VENV)/morphology $(VENV)/classify
	mkdir -p demo
	env -u TEXTPARITY_MIRROR $(BIN)/snakemake --cores $(CORES) --directory demo --configfile resources/demo/config.yaml --quiet rules host
	@echo
	@$(BIN)/python scripts/maintain/show_demo.py demo

# A file is run by one worker: each would make the demo for itself, which takes longer than all the rest.
test: $(VENV)/dev
	$(BIN)/python -m pytest -n $(CORES) --dist loadfile -m 'not mirror and not local_llm and not propagation and not spacy and not train and not cluster and not faults and not slow'

# The real study on the real data and real models; needs TEXTPARITY_MIRROR, STANZA_RESOURCES_DIR, NLTK_DATA, and for the
# newsroom TEXTPARITY_SPACY_MODEL.
MIRROR_TOOLS := $(VENV)/dev $(VENV)/stanza $(VENV)/local-llm $(VENV)/sentiment $(VENV)/encoder $(VENV)/propagation

mirror-tools: $(MIRROR_TOOLS)

# Without the longest ones: make test-mirror MIRROR_BUT='and not slow'
test-mirror: $(MIRROR_TOOLS)
	$(BIN)/python -m pytest -n $(CORES) --dist loadfile -m '(mirror or stanza or local_llm or propagation or spacy or train or slow) $(MIRROR_BUT)'

$(VENV)/cluster: $(VENV)/dev
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[cluster]'
	touch $@

cluster-tools: $(VENV)/cluster

# The demo through a real SLURM of one node, which is started and stopped; root on Debian.
test-cluster: $(VENV)/cluster
	$(BIN)/python -m pytest -s -m cluster tests/cluster

# Kills, a full disk, damaged files: twenty rounds, after which every result must be that of an undisturbed run.
# A full disk needs the right to mount a tmpfs. For other rounds: make test-faults FAULTS='--fault-seed 2'
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
	$(BIN)/python scripts/maintain/record_demo.py demo-recording/answers.sqlite resources/demo/answers.jsonl
	rm -rf demo-recording

# Parse the demo's passages again; needs TEXTPARITY_SPACY_MODEL.
record-annotations: $(VENV)/newsroom
	$(BIN)/python scripts/maintain/record_annotations.py

$(VENV)/docs: $(VENV)/core
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[docs]'
	touch $@

# The pages of docs/ as a site; a broken link, also to a heading, fails.
docs: $(VENV)/docs
	$(BIN)/python scripts/maintain/write_docs.py --check
	rm -rf site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs . site
	@echo "the site is site/docs/index.html"

# The parts of docs/ that are made from the configuration and the tables.
docs-tables: $(VENV)/core
	$(BIN)/python scripts/maintain/write_docs.py

envs: $(VENV)/dev
	$(BIN)/python scripts/maintain/write_envs.py

clean:
	rm -rf demo .snakemake logs site
