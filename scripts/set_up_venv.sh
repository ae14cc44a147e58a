#!/usr/bin/env bash
# Sets up .venv from the hash-locked requirements.lock, with this package in it: uv and setuptools by pip, the rest by uv.
set -euo pipefail
# CDPATH would lead a relative path elsewhere.
unset CDPATH
cd -- "$(dirname -- "$0")/.."

case $PWD in
*[[:space:]\'\"\`\$\\,:\;\&\|\<\>\(\)\*\?\[\]\{\}\!\#]*)
    echo "error: $PWD: a blank, comma, colon, quote or the like in the path of the checkout; move it to a plainer place" >&2
    exit 2
    ;;
esac

# The venv of an earlier set-up must not make the new one.
PATH=${PATH//"$PWD/.venv/bin:"/}

say() { echo "$*" >&2; }

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    say "error: python3 is missing or older than 3.11; install Python 3.11 or newer"
    exit 2
}

# A run that goes on has its programs in it.
if [ -e results/.lock ] && command -v flock >/dev/null && ! flock --nonblock results/.lock true; then
    say "error: .venv is out of date, but a run works in this checkout (process $(cat results/.lock)); wait for it"
    exit 2
fi

say "setting up .venv"
rm -rf .venv
if ! python3 -m venv .venv >/dev/null 2>&1; then
    # Debian's python3 comes without ensurepip.
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing python3-venv"
        apt-get update -qq >&2
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
        rm -rf .venv
        python3 -m venv .venv
    else
        say "error: python3 -m venv does not work; ask an administrator for: apt-get install python3-venv"
        exit 2
    fi
fi

# A bundle brings its wheels, with a lock of them, so that no network is needed.
lock=requirements.lock
from=()
if [ -e wheels/requirements.lock ]; then
    lock=wheels/requirements.lock
    from=(--no-index --find-links wheels)
fi
installers=$(mktemp)
trap 'rm -f "$installers"' EXIT
awk '/^[a-z]/ {inside = /^(uv|setuptools)==/} inside' "$lock" >"$installers"
.venv/bin/python -m pip install --quiet --disable-pip-version-check "${from[@]}" --require-hashes --no-deps -r "$installers"

uv() { .venv/bin/uv pip "$@" --quiet --no-build-isolation --python .venv/bin/python; }
# What comes as sources is built with the setuptools of the lock.
uv sync "${from[@]}" --require-hashes --compile-bytecode "$lock"
uv install --no-deps --no-index --editable .
touch .venv/.complete
