#!/usr/bin/env bash
# Sets up .venv from the hash-locked requirements.lock: uv by pip, everything else by uv.
set -euo pipefail
cd "$(dirname "$0")/.."

# The venv of an earlier set-up must not make the new one.
PATH=${PATH#"$PWD/.venv/bin:"}

say() { echo "$*" >&2; }

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    say "error: python3 is missing or older than 3.11; install Python 3.11 or newer"
    exit 2
}

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
uv_only=$(mktemp)
trap 'rm -f "$uv_only"' EXIT
awk '/^[a-z]/ {inside = /^uv==/} inside' "$lock" >"$uv_only"
.venv/bin/python -m pip install --quiet --disable-pip-version-check "${from[@]}" --require-hashes --no-deps -r "$uv_only"
.venv/bin/uv pip sync --quiet "${from[@]}" --require-hashes --compile-bytecode --python .venv/bin/python "$lock"
touch .venv/.complete
