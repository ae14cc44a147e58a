#!/usr/bin/env bash
# Installs Chromium, in which the page is tested, where it is missing and this user may.
set -euo pipefail

command -v chromium >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Chromium, in which the page is tested" >&2
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
else
    echo "error: the page is tested in Chromium; ask an administrator for: apt-get install chromium fonts-dejavu-core" >&2
    exit 2
fi
