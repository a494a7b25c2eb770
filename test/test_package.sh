#!/bin/sh
# Installs the package, then builds the README's program and the examples against it with CMake and
# with pkg-config and runs both:
#
#   test_package.sh BUILD_DIR COMPILER ASSETS_DIR   the package of a build
#   test_package.sh shared COMPILER ASSETS_DIR      shared libraries, built here; they show the public headers'
#                                                   functions and nothing else
set -eu
build=$1
compiler=$2
assets=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$build" = shared ]; then
    build=$work/build
    # Not optimised: this is about symbols, and it is quick.
    cmake -S . -B "$build" -G Ninja -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_COMPILER="$compiler" >/dev/null
    cmake --build "$build" -- --quiet -j 2
fi
# Private functions of two libraries with one name: the linker takes either.
clashes=$(find "$build/src" -name 'libturgor*.a' -exec nm -g --defined-only {} + |
    awk 'NF == 3 { print $3 }' | sort | uniq -d)
[ -z "$clashes" ] || { echo "defined twice: $clashes"; exit 1; }
cmake --install "$build" --prefix "$work/prefix" >/dev/null

# What shared libraries show against what the headers declare, each name in one library only.
libraries=$(find "$work/prefix" -name 'libturgor*.so')
if [ "$1" = shared ]; then
    [ "$(echo "$libraries" | wc -l)" -eq 4 ] || { echo "wanted 4 libraries, found $libraries"; exit 1; }
    for header in include/turgor/*.h; do
        echo "#include \"turgor/$(basename "$header")\""
    done | "$compiler" -std=c17 -E -P -I include -x c - | tr '\n' ' ' |
        grep -o 'visibility("default")))[^;]*' | sed 's/^[^ ]* //; s/(.*//; s/.*[ *]//' | sort \
        >"$work/declared.txt"
    for library in $libraries; do
        nm -D --defined-only "$library" | awk '{ print $NF }'
    done | sort >"$work/shown.txt"
    diff "$work/declared.txt" "$work/shown.txt" || {
        echo "the headers declare what is marked <, the libraries show what is marked >"
        exit 1
    }
    echo "package: the libraries show $(wc -l <"$work/shown.txt") functions, all of them public"
fi

# As a subdirectory: the core alone, unless something links more.
mkdir "$work/parent"
cat >"$work/parent/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(parent C)
add_subdirectory("$PWD" turgor)
file(WRITE none.c "int main(void) { return 0; }")
add_executable(engine none.c)
target_link_libraries(engine PRIVATE turgor::turgor \${MORE})
EOF
for more in "" turgor::bind; do
    cmake -S "$work/parent" -B "$work/inside" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DMORE="$more" >/dev/null
    cmake --build "$work/inside" -- -n | grep -o 'libturgor[a-z_]*\.a$' | sort | tr '\n' ' ' >"$work/inside.txt"
    echo "libturgor.a ${more:+libturgor_bind.a }" | tr -d '\n' | cmp - "$work/inside.txt"
done
echo "package: as a subdirectory only the core is built"

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/main.c"
lines=$(wc -l <"$work/main.c")
if [ "$lines" -lt 10 ]; then
    echo "the README shows no C program (found $lines lines)"
    exit 1
fi
diff "$work/main.c" examples/hello.c || { echo "examples/hello.c is not the README's program"; exit 1; }
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
# Shared libraries in a folder of one's own have to be told to the loader; static ones do not.
(cd "$work" && LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") ./by_pkgconfig >by_pkgconfig.txt)

cmp "$work/by_cmake.txt" "$work/by_pkgconfig.txt"
grep -q '^frame 60' "$work/by_cmake.txt"
tail -n 1 "$work/by_cmake.txt"

# One default: the program's skin is the command line's, to the bit. 32 bytes are the cache's head.
sed 's/^ *printf("frame.*/fwrite(skin, sizeof(tgVec3), (size_t)out.count, stdout);/' "$work/main.c" \
    >"$work/frames.c"
# shellcheck disable=SC2046
"$compiler" -std=c17 "$work/frames.c" -o "$work/frames" $(pkg-config --cflags --libs turgor_io)
(cd "$work" && LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") ./frames >frames.bin)
"$work/prefix/bin/turgor" bake "$work/hero.glb" -o "$work/frames.pc2" >/dev/null
tail -c +33 "$work/frames.pc2" | cmp - "$work/frames.bin"
echo "package: the README's program and the command line give the same bits"
echo "package: the README's program runs by CMake and by pkg-config"

# The same program is C++17, too; and the examples, built both ways.
cxx=${CXX:-c++}
flags=$(pkg-config --cflags --libs turgor_io)
mkdir "$work/by_flags"
for program in main.c examples/own_buffers.cpp examples/engine_loop.cpp examples/pose_driver.cpp; do
    [ "$program" = main.c ] && source=$work/main.c || source=$program
    name=$(basename "${program%.*}")
    # shellcheck disable=SC2086
    "$cxx" -std=c++17 -Wall -Wextra -Werror -pthread -x c++ "$source" -x none -o "$work/by_flags/$name" $flags
done
(cd "$work" && LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") by_flags/main >by_cxx.txt)
cmp "$work/by_cxx.txt" "$work/by_cmake.txt"
echo "package: the README's program is C++17 as well"
cmake -S examples -B "$work/examples" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$compiler" >/dev/null
cmake --build "$work/examples" >/dev/null
(cd "$work" && examples/hello >by_examples.txt)
cmp "$work/by_examples.txt" "$work/by_cmake.txt"
for program in own_buffers engine_loop; do
    (cd "$work" && "examples/$program" >"$program.1")
    (cd "$work" && LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "by_flags/$program" >"$program.2")
    cmp "$work/$program.1" "$work/$program.2"
done
echo "package: the examples run by CMake and by pkg-config"
# The page is installed where it was built.
if [ -f build/studio/index.html ]; then
    python3 test/test_studio_installed.py "$work/prefix" build/studio "$work/hero.glb"
fi
if [ "$1" != shared ]; then
    python3 test/test_examples.py "$work/prefix" "$work/examples" "$assets"
fi
