#!/bin/sh
# Fetch what the guest and nic tests boot, on a Debian 12 machine, as root:
#
#   setup.sh [DIR]        DIR defaults to $BARSCOPE_TEST_CACHE, else ${XDG_CACHE_HOME:-/var/cache}/barscope-tests
#
#   DIR/qemu              QEMU of trixie-backports: the first Debian one with vfio-user-pci (QEMU 10.1 and later)
#   DIR/userland          Debian 12 programs for the guest
#   DIR/kernels/backports the newest kernel of trixie-backports: `vmlinuz` and `modules`
#   DIR/kernels/bookworm  the newest kernel of Debian 12, likewise
#
# Packages are fetched and unpacked, never installed: no maintainer script runs and nothing outside DIR changes. They come from the
# mirrors that apt is set up for; BARSCOPE_TEST_MIRROR names another one. About 300 MB to download, 650 MB of disk. A second
# run finds everything in place.
set -eu

DIR=${1:-${BARSCOPE_TEST_CACHE:-${XDG_CACHE_HOME:-/var/cache}/barscope-tests}}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
QEMU='qemu-system-x86'
USERLAND='busybox-static kmod pciutils libpci3 ethtool iproute2 nvme-cli'
# Large folders that no guest here loads from.
SKIP='--exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale --exclude=*/kernel/sound
    --exclude=*/kernel/drivers/gpu --exclude=*/kernel/drivers/media --exclude=*/kernel/drivers/staging'

say() { echo "setup.sh: $*" >&2; }
fail() { say "$*"; exit 1; }

RECIPE=$(sha256sum "$0")
RECIPE=${RECIPE%% *}

# A part is complete when the stamp inside it is that of this very script: it is put there last, before the part gets its name.
complete() { [ "$(cat "$DIR/$1/.recipe" 2>/dev/null)" = "$RECIPE" ]; }
all_complete() { complete qemu && complete userland && complete kernels/backports && complete kernels/bookworm; }

report() {
    for kernel in backports bookworm; do
        echo "kernel $kernel: $(basename "$(readlink -f "$DIR/kernels/$kernel/modules")")"
    done
    echo "guest files: $DIR"
}

all_complete && { report; exit 0; }

[ "$(id -u)" = 0 ] || fail "must run as root: the tests run QEMU in a chroot"
for program in apt-get dpkg-deb flock tar; do
    command -v $program >/dev/null || fail "$program is needed"
done
mkdir -p "$DIR/kernels"
exec 9>"$DIR/.lock"
flock 9
all_complete && { report; exit 0; }      # another run was at it

# The addresses that apt already uses for a suite. `indextargets` knows only what `update` has seen.
mirrors() { apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Origin: Debian" "Codename: $1" | sort -u; }

MAIN=${BARSCOPE_TEST_MIRROR:-$(mirrors bookworm | head -n 1)}
if [ -z "$MAIN" ]; then
    apt-get update >&2
    MAIN=$(mirrors bookworm | head -n 1)
fi
[ -n "$MAIN" ] || fail "apt has no source for bookworm; name a Debian mirror in BARSCOPE_TEST_MIRROR"

WORK=$DIR/.work
rm -rf "$WORK" "$DIR"/.old.* "$DIR"/kernels/.old.*
mkdir "$WORK"
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' HUP INT TERM

# source_line URI SUITE
source_line() {
    if [ -e "$KEYRING" ]; then echo "deb [signed-by=$KEYRING] $1 $2 main"; else echo "deb $1 $2 main"; fi
}

# apt with its own sources and nothing installed, so that a request brings all that it depends on.
# isolated_apt NAME APT-GET-ARGUMENTS...
isolated_apt() {
    home=$WORK/$1
    shift
    apt-get -qq -o Dir::State="$home/state" -o Dir::State::status="$home/status" -o Dir::Cache="$home/cache" \
        -o Dir::Etc::sourcelist="$home/sources.list" -o Dir::Etc::sourceparts="$home/none" \
        -o Dir::Etc::preferences="$home/none/preferences" -o Dir::Etc::preferencesparts="$home/none" \
        -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o APT::Install-Suggests=false \
        -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# open_suite NAME < SOURCES
open_suite() {
    mkdir -p "$WORK/$1/state/lists/partial" "$WORK/$1/cache/archives/partial" "$WORK/$1/none"
    : > "$WORK/$1/status"
    cat > "$WORK/$1/sources.list"
    isolated_apt "$1" update >&2
}

# unpack DEB TREE
unpack() { dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --keep-directory-symlink $SKIP; }

# finish PART TREE: TREE becomes DIR/PART in one step
finish() {
    echo "$RECIPE" > "$2/.recipe"
    if [ -e "$DIR/$1" ]; then
        mv "$DIR/$1" "$(dirname "$DIR/$1")/.old.$(basename "$1")"
    fi
    mv "$2" "$DIR/$1"
    rm -rf "$(dirname "$DIR/$1")/.old.$(basename "$1")"
}

# programs SUITE PART EXTRA-APT-ARGUMENTS -- PACKAGES: the packages and all they need, unpacked
programs() {
    suite=$1 part=$2 extra=$3
    shift 4
    say "fetching $part: $*"
    isolated_apt "$suite" clean
    isolated_apt "$suite" install -y --download-only $extra "$@" >&2
    tree=$WORK/tree-$part
    # One layout for old and new packages: what is in /bin is in /usr/bin.
    for name in bin sbin lib lib64; do
        mkdir -p "$tree/usr/$name"
        ln -s usr/$name "$tree/$name"
    done
    mkdir -p "$tree/tmp" "$tree/dev" "$tree/proc"
    for package in "$WORK/$suite/cache/archives"/*.deb; do
        unpack "$package" "$tree"
    done
    finish "$part" "$tree"
}

# kernel SUITE PART EXTRA-APT-ARGUMENTS: whatever `linux-image-amd64` stands for there
kernel() {
    suite=$1 part=$2 extra=$3
    packages=$(isolated_apt "$suite" -s install $extra linux-image-amd64 |
        awk '$1 == "Inst" && $2 ~ /^linux-(image|binary|modules)-[0-9]/ {print $2}')
    [ -n "$packages" ] || fail "$suite offers no linux-image-amd64"
    say "fetching $part:" $packages
    tree=$WORK/tree-$(basename "$part")
    mkdir -p "$tree/debs"
    (cd "$tree/debs" && isolated_apt "$suite" download $extra $packages >&2)
    for package in "$tree/debs"/*.deb; do
        unpack "$package" "$tree"
    done
    rm -rf "$tree/debs"
    image=$(cd "$tree" && find . -name 'vmlinuz*' -type f | head -n 1)
    modules=$(cd "$tree" && find . -path '*/modules/*/kernel' -type d | head -n 1)
    [ -n "$image" ] && [ -n "$modules" ] || fail "no vmlinuz or no modules in $packages"
    ln -s "$image" "$tree/vmlinuz"
    ln -s "${modules%/kernel}" "$tree/modules"
    finish "$part" "$tree"
}

if ! { complete userland && complete kernels/bookworm; }; then
    {
        source_line "$MAIN" bookworm
        for suite in bookworm-updates bookworm-security; do
            for uri in $(mirrors $suite); do source_line "$uri" $suite; done
        done
    } | open_suite bookworm
    complete userland || programs bookworm userland '' -- $USERLAND
    complete kernels/bookworm || kernel bookworm kernels/bookworm ''
fi
if ! { complete qemu && complete kernels/backports; }; then
    {
        source_line "$MAIN" trixie
        source_line "$MAIN" trixie-backports
    } | open_suite trixie
    complete qemu || programs trixie qemu '-t trixie-backports' -- $QEMU
    complete kernels/backports || kernel trixie kernels/backports '-t trixie-backports'
fi
report
