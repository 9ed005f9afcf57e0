# OpenStack Swift with its S3 API behind the port and the account of the public image: a second S3
# server for the contract of object stores, of other make than the first.
if ! is_built skein-standin/swift:ci "$here/images/swift"; then
  ready_base bookworm
  build_image skein-standin/swift:ci "$here/images/swift" "$(new_context swift)"
fi
