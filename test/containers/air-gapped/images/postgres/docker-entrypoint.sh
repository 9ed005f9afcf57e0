#!/bin/bash
# What of the public image's entry point tests and compose use: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB, the same as
# *_FILE, scripts in /docker-entrypoint-initdb.d, and its line when the first start is through.
set -Eeuo pipefail

from_file() {
  local file=${1}_FILE
  if [ -n "${!file:-}" ]; then export "$1=$(<"${!file}")"; fi
}
for name in POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB; do from_file "$name"; done
: "${PGDATA:=/var/lib/postgresql/18/docker}" "${POSTGRES_USER:=postgres}" "${POSTGRES_DB:=${POSTGRES_USER}}"

if [ "${1:0:1}" = '-' ]; then set -- postgres "$@"; fi
if [ "$1" = postgres ] && [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "${BASH_SOURCE[0]}" "$@"
fi

make_cluster() {
  : "${POSTGRES_PASSWORD:?POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE must be set}"
  initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
    --auth-local=trust --auth-host=scram-sha-256 -E UTF8 --no-locale >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  # On the socket alone: over TCP nobody may take it for the real one.
  pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -k /var/run/postgresql" -w start >/dev/null
  local psql=(psql -h /var/run/postgresql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER")
  if [ "$POSTGRES_DB" != postgres ]; then "${psql[@]}" -d postgres -qc "create database \"$POSTGRES_DB\""; fi
  local script
  for script in /docker-entrypoint-initdb.d/*.sql; do
    if [ -f "$script" ]; then "${psql[@]}" -d "$POSTGRES_DB" -f "$script"; fi
  done
  pg_ctl -D "$PGDATA" -m fast -w stop >/dev/null
  printf '\nPostgreSQL init process complete; ready for start up.\n\n'
}

if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then make_cluster; fi
exec "$@"
