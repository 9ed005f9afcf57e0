# For MinIO, a Ceph RGW behind MinIO's port and variables: MinIO has no package in Debian or npm, and of the servers
# that have one this alone checks signatures and knows multipart uploads.
if ! is_built skein-standin/minio:ci "$here/images/s3"; then
  ready_base trixie
  build_image skein-standin/minio:ci "$here/images/s3" "$(new_context s3)"
fi
