#!/bin/bash
# Takes MINIO_ROOT_USER and MINIO_ROOT_PASSWORD, or their *_FILE, for the one account there is. Arguments, such as
# "server /data", and other variables of MinIO's mean nothing here. Everything is in memory and gone with the container.
set -euo pipefail

from_file() {
  local file=${1}_FILE
  if [ -n "${!file:-}" ]; then export "$1=$(<"${!file}")"; fi
}
from_file MINIO_ROOT_USER
from_file MINIO_ROOT_PASSWORD

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

radosgw-admin user create --uid=app --display-name=app \
  --access-key="${MINIO_ROOT_USER:-minioadmin}" --secret-key="${MINIO_ROOT_PASSWORD:-minioadmin}" >/dev/null
echo 'account is there'
exec radosgw -n client.rgw -f --setuser root --setgroup root
