#!/bin/sh
# status.sh JOB: success, failed or running. A Job that somebody deleted has failed.
set -eu
state=$(kubectl get "$1" --ignore-not-found -o jsonpath='{.metadata.name} {.status.succeeded} {.status.failed}')
case "$state" in
*" 1 ") echo success ;;
*"  1" | "") echo failed ;;
*) echo running ;;
esac
