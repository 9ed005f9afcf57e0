# An image is built again when its recipe changed: the hash of all that goes into it is its label.

LABEL=skein.air-gapped.recipe

# is_built TAG FOLDER VERSION… : whether the image is there and of this recipe.
is_built() {
  local tag=$1 built
  built=$(docker image inspect --format "{{index .Config.Labels \"$LABEL\"}}" "$tag" 2>/dev/null) || return 1
  [ "$built" = "$(recipe_of "${@:2}")" ]
}

# recipe_of FOLDER VERSION… : of the folder's files and the versions of the packages that are put into it.
recipe_of() {
  { find "$1" -type f -print0 | sort -z | xargs -0 sha256sum | sed "s#$1##"; echo "${@:2}"; } | sha256sum | cut -c1-16
}

# build_image TAG FOLDER CONTEXT VERSION… : the context is the folder's files and what was put beside them.
build_image() {
  local tag=$1 folder=$2 context=$3
  say "building $tag"
  cp "$folder"/* "$context/"
  quietly build.log env DOCKER_BUILDKIT=0 docker build --label "$LABEL=$(recipe_of "$folder" "${@:4}")" -t "$tag" "$context"
}

# new_context NAME : an empty folder, printed.
new_context() {
  rm -rf "${work:?}/context-$1"
  mkdir -p "$work/context-$1"
  echo "$work/context-$1"
}
