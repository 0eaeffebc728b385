#!/usr/bin/env bash
# One way to use an installed weir, or its source tree, from another project; see CMakeLists.txt here for the
# variables. Each way builds tests/install/consumer as C11 and as C++17 and runs it.
set -euo pipefail
consumer=$SOURCE/tests/install/consumer
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"
export PKG_CONFIG_PATH=$PREFIX/$LIBDIR/pkgconfig

check() { # the program prints the library's version
    local got
    got=$("$@")
    [ "$got" = "$VERSION" ] || { echo "expected version $VERSION, got '$got' from: $*" >&2; exit 1; }
}

case $1 in
pkg-config)
    # shellcheck disable=SC2046,SC2086 # lists of flags
    $CC $CFLAGS -std=c11 "$consumer/main.c" $(pkg-config --cflags --libs weir) -o c11
    cp "$consumer/main.c" main.cpp
    # shellcheck disable=SC2046,SC2086
    $CXX $CXXFLAGS -std=c++17 main.cpp $(pkg-config --cflags --libs weir) -o cxx17
    check env LD_LIBRARY_PATH="$PREFIX/$LIBDIR" ./c11
    check env LD_LIBRARY_PATH="$PREFIX/$LIBDIR" ./cxx17
    [ "$(pkg-config --modversion weir)" = "$VERSION" ]
    ;;
pkg-config-static)
    # shellcheck disable=SC2046,SC2086
    $CC $CFLAGS -std=c11 "$consumer/main.c" $(pkg-config --cflags --libs --static weir |
        sed 's/-lweir/-l:libweir.a/') -o c11
    check ./c11
    ;;
find_package)
    for static in OFF ON; do
        "$CMAKE" -S "$consumer" -B "$static" -DCMAKE_PREFIX_PATH="$PREFIX" -DWEIR_STATIC=$static >log
        "$CMAKE" --build "$static" >log
        check "$static/c11"
        check "$static/cxx17"
    done
    ;;
add_subdirectory)
    "$CMAKE" -S "$consumer" -B . -DWEIR_SOURCE="$SOURCE" -DCMAKE_BUILD_TYPE=Debug >log
    "$CMAKE" --build . --parallel 2 >log
    check ./c11
    check ./cxx17
    ;;
exports)
    # libweir.so exports exactly what the public headers declare, under the version of src/weir.map.
    # shellcheck disable=SC2086
    $CC $CFLAGS -E -P -I "$PREFIX/include" "$PREFIX/include/weir/weir.h" | tr '\n' ' ' | tr ';' '\n' |
        grep 'visibility("default")' | grep -oE 'weir_[a-z0-9_]+ ?(\(|,|$)' | tr -d ' (,' | sort -u >declared
    nm -D --defined-only --with-symbol-versions "$PREFIX/$LIBDIR/libweir.so" |
        awk '$2 != "A" { print $3 }' | sed 's/@@WEIR_[0-9.]*$//' | sort -u >exported
    [ -s declared ]
    diff declared exported
    ;;
*) exit 2 ;;
esac
