#!/usr/bin/env bash
# Lints, type-checks and tests the client, and tries what is built of it in an empty environment. Needs the built service (npm run build).
#   check.sh [REPORT.xml]   the results of pytest in JUnit's format
set -euo pipefail
cd "$(dirname "$0")"

environment=${PARAPET_CLIENT_CHECK_ENV:-${TMPDIR:-/tmp}/parapet-client-check-$(id -u)}
if [ ! -x "$environment/bin/ruff" ] || ! cmp -s pyproject.toml "$environment/pyproject.toml"; then
  python3 -m venv --clear "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check '.[check]'
  # The sources of this checkout are tested, and not those of another that shares the environment.
  "$environment/bin/pip" uninstall --quiet --yes parapet-client
  cp pyproject.toml "$environment/pyproject.toml"
fi
export PYTHONDONTWRITEBYTECODE=1 PATH="$environment/bin:$PATH"
ruff format --check --quiet --no-cache .
ruff check --quiet --no-cache .
mypy
python -m pytest --quiet -p no:cacheprovider ${1:+--junit-xml="$1"}
