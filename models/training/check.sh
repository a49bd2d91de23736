#!/usr/bin/env bash
# Lints, type-checks and tests the pipeline; the tests that need PyTorch run where it is installed already. Needs the built service (npm run build).
#   check.sh [REPORT.xml]   the results of pytest in JUnit's format
set -euo pipefail
cd "$(dirname "$0")"

environment=${PARAPET_CHECK_ENV:-${TMPDIR:-/tmp}/parapet-training-check-$(id -u)}
if [ ! -x "$environment/bin/ruff" ] || ! cmp -s pyproject.toml "$environment/pyproject.toml"; then
  # With what the machine has, so that a PyTorch that is there is found; it is too large to install for a check.
  python3 -m venv --clear --system-site-packages "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --editable '.[check]'
  cp pyproject.toml "$environment/pyproject.toml"
fi
export PYTHONDONTWRITEBYTECODE=1 PATH="$environment/bin:$PATH"
ruff format --check --quiet .
ruff check --quiet .
mypy
python -m pytest --quiet -p no:cacheprovider ${1:+--junit-xml="$1"}
