# Servers come from the npm packages that `npm start` has them from, at the same versions.

# version_of MANIFEST PACKAGE : as a package.json of this repository pins it.
version_of() {
  node -p 'const m = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    ({ ...m.dependencies, ...m.optionalDependencies })[process.argv[2]]' "$1" "$2"
}

# unpack PACKAGE VERSION FOLDER : what is installed already, or else fetched.
unpack() {
  local installed
  rm -rf "$3"
  for installed in "$repository/node_modules/$1" "$repository/tools/bin/linux-x64/node_modules/$1"; do
    [ -f "$installed/package.json" ] || continue
    [ "$(node -p 'require(process.argv[1]).version' "$installed/package.json")" = "$2" ] || continue
    cp -a "$installed" "$3"
    return
  done
  mkdir -p "$3"
  quietly pack.log npm pack --silent --pack-destination "$3" "$1@$2"
  tar -xzf "$3"/*.tgz -C "$3" --strip-components=1
  rm "$3"/*.tgz
}
