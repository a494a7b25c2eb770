#!/bin/sh
# Installs the package, then builds the README's program against it with CMake and with pkg-config
# and runs both: test_package.sh BUILD_DIR COMPILER
set -eu
build=$1
compiler=$2
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/main.c"
lines=$(wc -l <"$work/main.c")
if [ "$lines" -lt 10 ]; then
    echo "the README shows no C program (found $lines lines)"
    exit 1
fi
"$work/prefix/bin/turgor" model arm -o "$work/hero.glb"

cmake -S test/package -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_COMPILER="$compiler" -DREADME_PROGRAM="$work/main.c" >/dev/null
cmake --build "$work/cmake" >/dev/null
(cd "$work" && cmake/stranger >by_cmake.txt)

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name turgor_io.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
"$compiler" -std=c17 -Wall -Wextra -Werror "$work/main.c" -o "$work/by_pkgconfig" \
    $(pkg-config --cflags --libs turgor_io)
(cd "$work" && ./by_pkgconfig >by_pkgconfig.txt)

cmp "$work/by_cmake.txt" "$work/by_pkgconfig.txt"
grep -q '^frame 60' "$work/by_cmake.txt"
tail -n 1 "$work/by_cmake.txt"
echo "package: the README's program runs by CMake and by pkg-config"
