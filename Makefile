# Thin: each target calls one module. `make reproduce` and `make test` set up all that they need.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PRESET ?= quick
ENGINE ?= auto
ENVS ?=
SCENARIOS ?=
ENV ?=

export PYTHONPATH := scripts
PYTHON := .venv/bin/python
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help reproduce test test-fast lint lock lock-host bench clean

help:  ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

.venv/.complete: requirements.lock scripts/set_up_venv.sh
	@scripts/set_up_venv.sh

reproduce: .venv/.complete  ## Run every claim and write results/PRESET (PRESET=smoke|quick|paper ENGINE=auto|container|venv ENVS= SCENARIOS=)
	@$(PYTHON) -m toolchain.reproduce --preset "$(PRESET)" --engine "$(ENGINE)" --environments "$(ENVS)" --scenarios "$(SCENARIOS)"

test: lint  ## Lint, then all tests, real containers among them
	@$(PYTHON) -m pytest

test-fast: .venv/.complete  ## The tests that need no container, in under a minute
	@$(PYTHON) -m pytest -m "not container"

lint: .venv/.complete  ## ruff, snakefmt and mypy (snakemake --lint is among the tests)
	@ruff check . && ruff format --check . && snakefmt --check Snakefile rules && mypy

lock: .venv/.complete  ## Make the lock of one environment again (ENV=tf2.15-cpu)
	@$(PYTHON) -m toolchain.locks "$(ENV)"

lock-host: .venv/.complete  ## Make the host's requirements.lock again
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
		--output-file requirements.lock requirements.in

bench: .venv/.complete  ## Fidelity, overhead, start and scale of the pipeline itself, as ratios
	@$(PYTHON) -m bench

clean:  ## Remove results and the host's virtual environment; the cache stays
	@rm -rf results .venv .snakemake
