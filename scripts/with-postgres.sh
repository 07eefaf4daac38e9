#!/usr/bin/env bash
# Starts a throw-away Postgres, exports TEST_POSTGRES_URL, runs the given command, removes it all.
# Usage: scripts/with-postgres.sh npx vitest run test/unit/storage
# Needs Debian's `postgresql` (or any initdb on PATH); as root it works as the user `postgres`.
set -euo pipefail

if [ "$#" -eq 0 ]; then
  echo "usage: $0 command [argument...]" >&2
  exit 64
fi

bin=""
if command -v initdb >/dev/null 2>&1; then
  bin="$(dirname "$(command -v initdb)")"
else
  for candidate in /usr/lib/postgresql/*/bin; do
    if [ -x "$candidate/initdb" ]; then bin="$candidate"; fi
  done
fi
if [ -z "$bin" ]; then
  echo "$0: no initdb found; install it with: apt-get install -y postgresql" >&2
  exit 69
fi

# Postgres refuses to run as root.
as_owner() {
  if [ "$(id -u)" -ne 0 ]; then
    "$@"
  elif command -v runuser >/dev/null 2>&1; then
    runuser -u postgres -- "$@"
  else
    su postgres -s /bin/sh -c 'exec "$0" "$@"' -- "$@"
  fi
}

home="$(mktemp -d /tmp/steward-postgres.XXXXXX)"
if [ "$(id -u)" -eq 0 ]; then chown postgres "$home"; fi
stop() {
  (cd / && as_owner "$bin/pg_ctl" -D "$home/data" -m immediate -w stop) >/dev/null 2>&1 || true
  rm -rf "$home"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port="$(node -e "
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    console.log(server.address().port);
    server.close();
  });")"

start() {
  as_owner "$bin/initdb" -D "$home/data" -U steward --auth=trust --encoding=UTF8 --locale=C.UTF-8
  as_owner "$bin/pg_ctl" -D "$home/data" -l "$home/log" -w -t 60 start -o \
    "-c listen_addresses=127.0.0.1 -p $port -k $home -c fsync=off -c synchronous_commit=off \
     -c full_page_writes=off -c max_connections=200"
}
if ! (cd / && start) >"$home.out" 2>&1; then
  cat "$home.out" "$home/log" >&2 || true
  rm -f "$home.out"
  exit 70
fi
rm -f "$home.out"

export TEST_POSTGRES_URL="postgres://steward:fake-password@127.0.0.1:$port/postgres"
"$@"
