#!/bin/bash
# Everything is in the container and gone with it. The account is that of the public image: test:tester, testing.
set -euo pipefail
mkdir -p /srv/disk /var/cache/swift
chown -R swift: /srv/disk /var/cache/swift

memcached -u nobody -l 127.0.0.1 -m 16 &
for kind in account container object; do
  "swift-$kind-server" "/etc/swift/$kind-server.conf" --verbose &
done
exec swift-proxy-server /etc/swift/proxy-server.conf --verbose
