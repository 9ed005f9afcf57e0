# A Docker engine of Debian's own package, started by hand: a container or a bare machine has no init that would.

ready_engine() {
  docker info >/dev/null 2>&1 && return
  has_command dockerd docker.io iptables
  has_command docker docker.io
  say 'starting dockerd'
  # It must not inherit the lock's descriptor, or it would hold the lock for ever.
  setsid nohup dockerd >"$work/dockerd.log" 2>&1 9>&- </dev/null &
  for _ in $(seq 120); do
    docker info >/dev/null 2>&1 && return
    sleep 0.5
  done
  tail -n 20 "$work/dockerd.log" >&2
  give_up "dockerd did not start; all it said: $work/dockerd.log"
}
