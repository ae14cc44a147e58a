#!/bin/sh
# submit.sh CPUS MEMORY_MB GPUS SCRIPT: start a Job that runs SCRIPT, and print its name for status.sh.
set -eu
export CPUS="$1" MEMORY_MB="$2" GPUS="$3" SCRIPT="$4" FOLDER="$PWD"
python -c 'import os, string, sys; print(string.Template(sys.stdin.read()).substitute(os.environ))' \
    <profiles/kubernetes/job.yaml | kubectl create -o name -f -
