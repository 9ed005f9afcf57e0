# ready_base SUITE : skein-standin/debian:SUITE-slim, made of packages alone.
ready_base() {
  docker image inspect "skein-standin/debian:$1-slim" >/dev/null 2>&1 && return
  has_command debootstrap debootstrap
  say "building skein-standin/debian:$1-slim"
  rm -rf "$work/rootfs-$1"
  quietly "debootstrap-$1.log" debootstrap --variant=minbase "$1" "$work/rootfs-$1"
  tar -C "$work/rootfs-$1" -c . | docker import - "skein-standin/debian:$1-slim" >/dev/null
  rm -rf "$work/rootfs-$1"
}
