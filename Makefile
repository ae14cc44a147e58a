# Thin: each target calls one command. `make reproduce` and `make test` set up all that they need.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PRESET ?= quick
ENGINE ?= container
PROFILE ?= local
ENVS ?=
SCENARIOS ?=
SEED ?=
ENV ?=
RUNS ?= reference/$(PRESET) results/$(PRESET)
FROM ?= results/$(PRESET)
IMAGES ?=
# In recipes they are variables of the shell: in their values it sees no commands.
export PRESET ENGINE PROFILE ENVS SCENARIOS SEED ENV RUNS FROM IMAGES
# A bundle with images brings what else measuring needs.
ifneq ($(wildcard cache),)
export TF_CLAIMS_CACHE ?= $(CURDIR)/cache
endif

# What a user set for other work changes nothing here; tf_claims.host.environment sets aside the rest.
unexport BASH_ENV CDPATH PYTHONHOME PYTHONSTARTUP
export PYTHONPATH := $(CURDIR)/scripts
export PYTHONUTF8 := 1

PYTHON := .venv/bin/python
TF_CLAIMS := .venv/bin/tf-claims
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help plan reproduce report snakemake-report bundle test test-fast test-hosts test-cluster lint lock lock-host compare reference validate bench clean

help:  ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

.venv/.complete: requirements.lock scripts/set_up_venv.sh
	@scripts/set_up_venv.sh

.venv/.dev: .venv/.complete requirements-dev.lock
	@.venv/bin/uv pip install --quiet --no-deps --require-hashes --compile-bytecode --python $(PYTHON) -r requirements-dev.lock
	@touch $@

plan: .venv/.complete  ## What a run would measure, build and need, and what it would not run and why; starts nothing
	@$(TF_CLAIMS) plan --preset "$$PRESET" --engine "$$ENGINE" --environments "$$ENVS" --scenarios "$$SCENARIOS"

reproduce: .venv/.complete  ## Run every claim and write results/PRESET (PRESET=smoke|quick|paper ENGINE=container|venv PROFILE=local|slurm|… ENVS= SCENARIOS= SEED=)
	@$(TF_CLAIMS) reproduce --preset "$$PRESET" --engine "$$ENGINE" --profile "$$PROFILE" --environments "$$ENVS" --scenarios "$$SCENARIOS" --seed "$$SEED"

report: .venv/.complete  ## From the observations that are there to verdicts, paper and page; measures nothing, needs no container
	@$(TF_CLAIMS) report --preset "$$PRESET"

snakemake-report: .venv/.complete  ## Snakemake's own report of a run: results/PRESET/snakemake-report.html
	@$(TF_CLAIMS) snakemake-report --preset "$$PRESET" --engine "$$ENGINE" --environments "$$ENVS" --scenarios "$$SCENARIOS"

bundle: .venv/.complete  ## One archive to report a run elsewhere without network: results/PRESET.tar.gz (IMAGES=1: to measure there too)
	@$(TF_CLAIMS) bundle --preset "$$PRESET" --output "results/$$PRESET.tar.gz" --images "$$IMAGES"

test: lint  ## Lint, then all tests, real containers and a real browser among them
	@scripts/set_up_browser.sh
	@$(PYTHON) -m pytest

test-fast: .venv/.dev  ## The tests that need no container, in about three minutes
	@$(PYTHON) -m pytest -m "not container"

test-hosts: .venv/.dev  ## The commands on people's machines, a row a condition: tests/hosts
	@$(PYTHON) -m pytest tests/hosts

test-cluster: .venv/.dev  ## The tests on a Slurm that they start themselves, on this host
	@$(PYTHON) -m pytest -m cluster tests/cluster

lint: .venv/.dev  ## ruff, snakefmt and mypy (snakemake --lint is among the tests)
	@ruff check . && ruff format --check . && snakefmt --check Snakefile rules && mypy

lock: .venv/.complete  ## Make the lock of one environment again (ENV=tf2.15-cpu)
	@$(TF_CLAIMS) lock "$$ENV"

lock-host: .venv/.complete  ## Make the host's requirements.lock and requirements-dev.lock again
	@for name in requirements requirements-dev; do \
		uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
			--output-file $$name.lock $$name.in || exit; \
	done

compare: .venv/.complete  ## Two or more results beside each other: results/compare/index.html (RUNS="reference/quick results/quick …")
	@$(TF_CLAIMS) compare $$RUNS --output results/compare

reference: .venv/.complete  ## Keep a small reference result, or derive it again from its observations (FROM=results/quick)
	@$(TF_CLAIMS) reference --results "$$FROM" --references reference

validate: .venv/.complete  ## Prove the harness: simulations, same code twice, planted slow-downs: results/validation/index.html
	@$(TF_CLAIMS) reproduce --preset validate --engine "$$ENGINE" --environments "$$ENVS"
	@$(TF_CLAIMS) reproduce --preset twice --engine "$$ENGINE" --environments "$$ENVS"
	@$(TF_CLAIMS) validate --results results/validate --twice results/twice --output results/validation

bench: .venv/.complete  ## Fidelity, overhead, start and scale of the pipeline itself, as ratios
	@$(TF_CLAIMS) bench

clean:  ## Remove results and the host's virtual environment; the cache stays
	@rm -rf results .venv .snakemake
