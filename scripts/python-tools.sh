#!/usr/bin/env bash
# Installs the tools of Python that a list names into an environment of their own, once for each version of the list.
#
#   scripts/python-tools.sh path/to/requirements.txt path/to/environment
set -euo pipefail

list=${1:?usage: scripts/python-tools.sh LIST ENVIRONMENT}
environment=${2:?usage: scripts/python-tools.sh LIST ENVIRONMENT}
if ! cmp -s "$list" "$environment/installed.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" -q --disable-pip-version-check install -r "$list"
    cp "$list" "$environment/installed.txt"
fi
