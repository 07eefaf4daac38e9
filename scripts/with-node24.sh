#!/usr/bin/env bash
# Runs a command with Node 24 in front on PATH: the npm package `node` carries the binary, without
# headers, so nothing native is built for it; Steward then uses the SQLite that Node brings.
set -euo pipefail
place=${NODE24_DIR:-${TMPDIR:-/tmp}/steward-node24}
if [ ! -x "$place/node_modules/node/bin/node" ]; then
  mkdir -p "$place"
  npm install --prefix "$place" --no-save --no-audit --no-fund --silent node@24 >&2
fi
export PATH="$place/node_modules/node/bin:$PATH"
exec "$@"
