# Progress on standard error: standard output is what the caller sources.

say() { echo "air-gapped: $*" >&2; }

give_up() {
  say "$*"
  # Sourced, the output has to fail too, or its caller would go on without images.
  echo 'echo "air-gapped: there is no engine or image; see above" >&2; false'
  exit 1
}

# quietly LOG COMMAND… : shows the end of what a command said when it fails, and nothing else.
quietly() {
  local log=$work/$1
  shift
  "$@" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    give_up "failed: $* (all of it: $log)"
  }
}

apt_get() { quietly apt.log env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"; }

# has_command NAME PACKAGE… : installs the packages when there is no such command.
has_command() {
  local name=$1
  shift
  command -v "$name" >/dev/null && return
  say "installing $*"
  apt_get update
  apt_get install -y --no-install-recommends "$@"
}
