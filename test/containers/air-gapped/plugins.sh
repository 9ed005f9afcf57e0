# `docker compose` and `docker buildx` of the Debian release after this one, whose own compose is of another age. They are
# single files without dependencies; the lists they are found by are kept apart from the machine's.

ready_plugins() {
  local plugins=${DOCKER_CONFIG:-$HOME/.docker}/cli-plugins apt=$work/apt options deb
  docker compose version >/dev/null 2>&1 && docker buildx version >/dev/null 2>&1 && return
  say 'fetching docker compose and buildx'
  mkdir -p "$apt/lists/partial" "$apt/parts" "$apt/debs" "$plugins"
  sed 's/bookworm[a-z-]*/trixie/g; s/Suites:.*/Suites: trixie/' /etc/apt/sources.list.d/debian.sources |
    awk '/^Types:/ { n++ } n <= 1' >"$apt/parts/trixie.sources"
  options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/parts" -o "Dir::State::Lists=$apt/lists")
  apt_get "${options[@]}" update
  (cd "$apt/debs" && apt_get "${options[@]}" download docker-compose docker-buildx)
  for deb in "$apt"/debs/*.deb; do dpkg-deb -x "$deb" "$apt/unpacked"; done
  find "$apt/unpacked" -path '*cli-plugins/docker-*' -type f -exec cp {} "$plugins/" \;
}
