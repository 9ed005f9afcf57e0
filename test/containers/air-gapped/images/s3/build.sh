# minio/minio:ci, a Ceph RGW behind MinIO's port and variables: MinIO has no package in Debian or npm, and of the servers
# that have one this alone checks signatures and knows multipart uploads.
if ! is_built minio/minio:ci "$here/images/s3"; then
  ready_base trixie
  build_image minio/minio:ci "$here/images/s3" "$(new_context s3)"
fi
