#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# blas_libraries.sh <source> <work folder> <cmake> <library> <04_profile or nothing> <compiler> <flags...>: a program knows
# each library that it may be given, whatever it was linked to, and reaches its threads. Where Debian's slow one lies beside
# <library>, CMake and the scripts that set up a machine warn of it, and croton multiplies itself.
set -u
source=$1 work=$2 cmake=$3 library=$4
shift 4
profile=
case $1 in
*/04_profile) profile=$1 && shift ;;
esac
[ -n "$1" ] || shift
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
failures=0
# says <what it must say> <how it came about> <command...>
says() {
    local expected=$1 how=$2 said
    shift 2
    said=$("$@" 2>&1) || { said="it fails: $said"; }
    # shellcheck disable=SC2053
    [[ $said == $expected ]] && return
    echo "$how: expected '$expected', but: $said"
    failures=$((failures + 1))
}

cat >which.cpp <<'END'
#include <croton/device/cpu/blas_library.hpp>
#include <cstdio>
int main() {
    const int before = croton::detail::blas_threads();
    croton::detail::blas_library().set_threads(3);
    std::printf("%s, %d and %d threads\n", croton::blas_name().c_str(), before, croton::detail::blas_threads());
}
END
"$@" -c which.cpp -o which.o || exit 1
"$@" -fno-pie -c which.cpp -o fixed.o || exit 1
compiler=$1
link() { "$compiler" "$@" || failures=$((failures + 1)); }
reference="reference BLAS (libblas.so.3*), 0 and 0 threads"

link which.o -o linked "$library"
"$compiler" -no-pie fixed.o -o fixed "$library" 2>/dev/null || cp linked fixed
fast=$(./linked)
[[ $fast != *"reference BLAS"* ]] || { echo "$library: $fast"; failures=$((failures + 1)); }
says "$fast" "at a fixed address" ./fixed

# Libraries that say what others would: by what they export, and else by their place.
cat >library.cpp <<'END'
#include <cstdint>
#include <cstring>
static long count = 2;
extern "C" {
void cblas_sgemm() {}
#ifdef OPENBLAS
char* openblas_get_config() { static char text[] = "OpenBLAS 0.3.99 DYNAMIC_ARCH MAX_THREADS=64"; return text; }
char* gotoblas_corename() { static char text[] = "SkylakeX"; return text; }
int openblas_get_num_threads() { return static_cast<int>(count); }
void openblas_set_num_threads(int n) { count = n; }
#endif
#ifdef FLEXIBLAS
int flexiblas_current_backend(char* text, std::size_t size) { std::strncpy(text, "NETLIB", size); return 6; }
int flexiblas_get_num_threads() { return static_cast<int>(count); }
void flexiblas_set_num_threads(int n) { count = n; }
#endif
#ifdef MKL
void MKL_Get_Version_String(char* text, int size) { std::strncpy(text, "Intel(R) oneAPI Math Kernel Library Version 2031.7-Product Build", size); }
int MKL_Get_Max_Threads() { return static_cast<int>(count); }
void MKL_Set_Num_Threads(int n) { count = n; }
#endif
#ifdef BLIS
const char* bli_info_get_version_str() { return "1.9.3"; }
int bli_arch_query_id() { return 5; }
const char* bli_arch_string(int id) { return id == 5 ? "zen9" : "?"; }
std::int64_t bli_thread_get_num_threads() { return count == 2 ? -1 : count; }
void bli_thread_set_num_threads(std::int64_t n) { count = n; }
#endif
#ifdef NETLIB
int RowMajorStrg;
#endif
}
END
mkdir -p blis-pthread
given() { says "$1" "$3 of ${2:-nothing}" env LD_PRELOAD="$work/$3" ./linked; }
while read -r macro file said; do
    "$compiler" -shared -fPIC ${macro:+-D$macro} library.cpp -o "$file" 2>/dev/null || failures=$((failures + 1))
    given "$said" "$macro" "$file"
done <<'END'
OPENBLAS libblas.so.3 OpenBLAS 0.3.99 (SkylakeX), 2 and 3 threads
FLEXIBLAS libblas.so.3 FlexiBLAS (NETLIB), 2 and 3 threads
MKL libblas.so.3 MKL 2031.7, 2 and 3 threads
BLIS libblas.so.3 BLIS 1.9.3 (zen9), 1 and 3 threads
NETLIB libblas.so.3 reference BLAS (libblas.so.3), 0 and 0 threads
NOTHING blis-pthread/libblas.so.3 BLIS, 0 and 0 threads
NOTHING libatlas.so.3 ATLAS, 0 and 0 threads
NOTHING libhome.so.1 libhome.so.1, 0 and 0 threads
END

# The rest needs a slow one that computes.
slow=$(ls -d /usr/lib/*/blas/libblas.so.3 2>/dev/null | head -n 1)
header=$(ls /usr/include/*/cblas.h /usr/include/cblas.h 2>/dev/null | head -n 1)
if [ -z "$slow" ] || [ ! -e "${slow%.3}" ] || [ -z "$header" ] || [[ $(readlink -f "$library") == */blas/* ]]; then
    echo "there is no slow BLAS beside another: $failures failed"
    exit $((failures > 0))
fi

for program in ./linked ./fixed; do
    says "$reference" "$program, preloaded" env LD_PRELOAD="$slow" "$program"
done
link which.o -o slow "${slow%.3}" -Wl,-rpath,"${slow%/*}"
says "$reference" "linked to it" ./slow
"$compiler" -no-pie fixed.o -o slow_fixed "${slow%.3}" -Wl,-rpath,"${slow%/*}" 2>/dev/null || cp slow slow_fixed
says "$reference" "linked to it at a fixed address" ./slow_fixed
# What Debian's alternatives choose, by one name for all.
link which.o -o system "${slow%.3}"
says "$reference" "by the search path" env LD_LIBRARY_PATH="${slow%/*}" ./system

if [ -n "$profile" ]; then
    mkdir -p profile
    LD_PRELOAD=$slow "$profile" profile >report 2>&1 || { echo "the profile fails"; failures=$((failures + 1)); }
    grep -q '^  BLAS: reference BLAS (libblas\.so\.3[^)]*), float products ' report || { echo "the profile does not name it"; failures=$((failures + 1)); }
    grep -q '^  BLAS: reference BLAS .*; croton multiplies matrices itself$' report || { echo "products are left to it:"; grep BLAS report; failures=$((failures + 1)); }
    ! grep -E '[0-9]s +BLAS ' report || { echo "products of vectors are left to it"; failures=$((failures + 1)); }
fi

# CMake takes the good one, and warns where it is told to take the other.
configure() { "$cmake" -S "$source/tests/consumer" -B configured -DCMAKE_CXX_COMPILER="$compiler" -DCROTON_SOURCE="$source" "$@"; }
says "*croton *: xsimd *; BLAS ${fast%,*} in $library*" "CMake by itself" configure
says "*CMake Warning*the reference BLAS*install OpenBLAS*" "CMake, told to take it" \
    configure -DCROTON_CBLAS_LIBRARY="${slow%.3}" -DCROTON_CBLAS_INCLUDE_DIR="${header%/*}"
says "*CMake Error*no program can be linked to CROTON_CBLAS_LIBRARY*" "CMake, told to take what is none" \
    bash -c '"$@" && echo "no error" || "$@" 2>&1 || true' - "$cmake" -S "$source/tests/consumer" -B configured \
    -DCROTON_SOURCE="$source" -DCROTON_CBLAS_LIBRARY="$work/which.o.none"

# The scripts are content with what is here. A compiler that links the slow one under every name is not good enough.
says "yes" "a good one" bash -c '. "$1/tests/packages.sh" && has BLAS && echo yes' - "$source"
mkdir -p slow_machine
printf '#!/bin/sh\nfor a do shift; case $a in -lopenblas | -lmkl_rt | -lblis | -lflexiblas) a=%s ;; esac; set -- "$@" "$a"; done\nexec %s "$@" -Wl,-rpath,%s\n' \
    "${slow%.3}" "$(command -v "$compiler")" "${slow%/*}" >slow_machine/g++
chmod +x slow_machine/g++
says "no" "only the slow one" env PATH="$work/slow_machine:$PATH" bash -c '. "$1/tests/packages.sh"; has BLAS && echo yes || echo no' - "$source"

echo "$failures failed"
[ $failures -eq 0 ]
