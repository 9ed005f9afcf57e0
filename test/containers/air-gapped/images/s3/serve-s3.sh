#!/bin/bash
# Takes MINIO_ROOT_USER and MINIO_ROOT_PASSWORD, or their *_FILE, for an account, and where S3_ACCESS_KEY and S3_SECRET_KEY are
# set, as docker-compose.yml does, for a second, since there is no mc to make it. Arguments, such as "server /data", and other
# variables of MinIO's mean nothing here. Everything is in memory and gone with the container.
set -euo pipefail

from_file() {
  local file=${1}_FILE
  if [ -n "${!file:-}" ]; then export "$1=$(<"${!file}")"; fi
}
from_file MINIO_ROOT_USER
from_file MINIO_ROOT_PASSWORD
from_file S3_SECRET_KEY

rm -rf /ceph
mkdir -p /ceph/mon /ceph/osd /ceph/rgw /ceph/run
fsid=$(cat /proc/sys/kernel/random/uuid)
export CEPH_CONF=/ceph/ceph.conf
sed "s/FSID/$fsid/" /ceph.conf >"$CEPH_CONF"

monmaptool --create --fsid "$fsid" --addv a '[v2:127.0.0.1:3300]' /ceph/monmap >/dev/null
ceph-mon -i a --mkfs --monmap /ceph/monmap
ceph-mon -i a --setuser root --setgroup root
echo 'monitor is up'

store=$(cat /proc/sys/kernel/random/uuid)
ceph osd new "$store" >/dev/null
echo memstore >/ceph/osd/type
ceph-osd -i 0 --mkfs --osd-uuid "$store" >/dev/null 2>&1
# Its place in the map may have been made by the daemon itself.
ceph osd crush add osd.0 1.0 host=localhost root=default >/dev/null 2>&1 || true
ceph-osd -i 0 --setuser root --setgroup root
echo 'store is up'

make_account() {
  radosgw-admin user create --uid="$1" --display-name="$1" --access-key="$2" --secret-key="$3" >/dev/null
  echo "account $1 is there"
}
make_account root "${MINIO_ROOT_USER:-minioadmin}" "${MINIO_ROOT_PASSWORD:-minioadmin}"
if [ -n "${S3_ACCESS_KEY:-}" ]; then make_account app "$S3_ACCESS_KEY" "$S3_SECRET_KEY"; fi
exec radosgw -n client.rgw -f --setuser root --setgroup root
