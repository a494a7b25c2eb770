#!/bin/sh
# Each public header compiles alone, as C17 and as C++17.
set -eu
compiler=$1
root=$(cd "$(dirname "$0")/.." && pwd)
count=0
for header in "$root"/include/turgor/*.h; do
    name=turgor/$(basename "$header")
    echo "#include \"$name\"" | "$compiler" -std=c17 -Wall -Wextra -Werror -I"$root/include" \
        -fsyntax-only -x c -
    # The C compilers we use compile C++ headers too, without a C++ library.
    echo "#include \"$name\"" | "$compiler" -std=c++17 -Wall -Wextra -Werror -I"$root/include" \
        -fsyntax-only -x c++ - 2>/tmp/turgor_headers.$$ || {
        if grep -q "cc1plus\|cannot execute" /tmp/turgor_headers.$$; then
            echo "no C++ compiler here, C++ not checked"
        else
            cat /tmp/turgor_headers.$$
            rm -f /tmp/turgor_headers.$$
            exit 1
        fi
    }
    rm -f /tmp/turgor_headers.$$
    count=$((count + 1))
done
echo "headers: $count"
[ "$count" -gt 3 ]
