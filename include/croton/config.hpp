// SPDX-License-Identifier: MIT
// What this build has. It and the header of what compilers are told are the only readers of macros.
#ifndef CROTON_CONFIG_HPP
#define CROTON_CONFIG_HPP

#include <version>

#include <croton/compiler.hpp>
#include <croton/version.hpp>

// What these flags take away is what exp, log, tanh and sums are made of: NaN and infinity are tested for, small parts are added
// in the order that is written. Turning them off for croton's functions alone keeps compilers from inlining them.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "croton: -ffast-math, -Ofast and their parts make wrong numbers of functions such as tanh; add -fno-fast-math where croton is included"
#endif

#if !defined(__cpp_exceptions) && !defined(__EXCEPTIONS)
#error "croton: wrong shapes, values and files are exceptions; compile without -fno-exceptions where croton is included"
#endif

// Not for instruction sets that xsimd does not know, or knows no vectors of double of.
#ifndef CROTON_HAS_XSIMD
#if defined(__CUDACC__)
#define CROTON_HAS_XSIMD 0
#elif (defined(__SSE2__) || defined(__aarch64__)) && __has_include(<xsimd/xsimd.hpp>)
#define CROTON_HAS_XSIMD 1
#else
#define CROTON_HAS_XSIMD 0
#endif
#endif

// Masked loads and stores and bit masks beyond what xsimd 8 offers.
#ifndef CROTON_HAS_AVX512
#if CROTON_HAS_XSIMD && defined(__AVX512F__)
#define CROTON_HAS_AVX512 1
#else
#define CROTON_HAS_AVX512 0
#endif
#endif

// Whether quotients and roots take several times as long as products. On AMD's processors with AVX-512 the roots of a register of float take 4 cycles and its
// quotients 2; g++ 12 calls all of them Zen 3. The results are the same.
#if defined(__znver3__) || defined(__znver4__) || defined(__znver5__)
#define CROTON_HAS_SLOW_DIVIDER 0
#else
#define CROTON_HAS_SLOW_DIVIDER 1
#endif

// Masks of as few bits as what was compared has numbers, for bytes as well, and bits that are spread over bytes.
#if CROTON_HAS_AVX512 && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__BMI2__) && defined(__x86_64__)
#define CROTON_HAS_AVX512_BYTES 1
#else
#define CROTON_HAS_AVX512_BYTES 0
#endif

// Functions of the compiler's AVX-512 headers that are macros.
#if CROTON_HAS_AVX512 && defined(__AVX512BW__) && defined(__GNUC__) && !defined(__clang__) && !defined(__OPTIMIZE__)
#define CROTON_HAS_AVX512_MACROS 1
#else
#define CROTON_HAS_AVX512_MACROS 0
#endif

#ifndef CROTON_HAS_CBLAS
#if defined(CROTON_CBLAS_HEADER) || __has_include(<cblas.h>) || __has_include(<mkl_cblas.h>)
#define CROTON_HAS_CBLAS 1
#else
#define CROTON_HAS_CBLAS 0
#endif
#endif

// zlib, for compressed archives. That its header is there does not say that it is linked: who links it says so.
#ifndef CROTON_HAS_ZLIB
#define CROTON_HAS_ZLIB 0
#endif

// The header with the C interface of the BLAS: MKL has no cblas.h.
#ifndef CROTON_CBLAS_HEADER
#if __has_include(<cblas.h>) || !__has_include(<mkl_cblas.h>)
#define CROTON_CBLAS_HEADER <cblas.h>
#else
#define CROTON_CBLAS_HEADER <mkl_cblas.h>
#endif
#endif

// Whether a program can ask the system which library a function comes from. In glibc before 2.34 this is in a library
// that would have to be linked.
#ifndef CROTON_HAS_DLFCN
#if __has_include(<features.h>)
#include <features.h>
#endif
#if !__has_include(<dlfcn.h>) || (defined(__GLIBC__) && (__GLIBC__ < 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ < 34)))
#define CROTON_HAS_DLFCN 0
#else
#define CROTON_HAS_DLFCN 1
#endif
#endif

// Whether a function that no library brings can be declared, and is null.
#ifndef CROTON_HAS_WEAK_SYMBOLS
#if defined(__ELF__)
#define CROTON_HAS_WEAK_SYMBOLS 1
#else
#define CROTON_HAS_WEAK_SYMBOLS 0
#endif
#endif

// LAPACK, the library of matrices that OpenBLAS brings along. Who links one for sure says 1; where nobody says anything, a program that finds
// none when it runs does without.
#ifndef CROTON_HAS_LAPACK
#if CROTON_HAS_CBLAS && CROTON_HAS_WEAK_SYMBOLS
#define CROTON_HAS_LAPACK 1
#define CROTON_LAPACK(name) [[gnu::weak]]
#else
#define CROTON_HAS_LAPACK 0
#endif
#endif
#ifndef CROTON_LAPACK
#define CROTON_LAPACK(name)
#endif
// The name that Fortran gives a function, as the linker knows it.
#define CROTON_TEXT(text) #text
#define CROTON_TEXT_OF(macro) CROTON_TEXT(macro)
#define CROTON_LAPACK_NAME(name) __asm__(CROTON_TEXT_OF(__USER_LABEL_PREFIX__) #name "_")

// A CUDA compiler reads this, so that the device `cuda` exists.
#ifndef CROTON_HAS_CUDA
#if defined(__CUDACC__)
#define CROTON_HAS_CUDA 1
#else
#define CROTON_HAS_CUDA 0
#endif
#endif

// cuSOLVER, for the linear algebra of `cuda`. That its header is there does not say that it is linked: who links it (-lcusolver) says so.
#ifndef CROTON_HAS_CUSOLVER
#define CROTON_HAS_CUSOLVER 0
#elif CROTON_HAS_CUSOLVER && CROTON_HAS_CUDA && !__has_include(<cusolverDn.h>)
#error "croton: CROTON_HAS_CUSOLVER is 1, but there is no <cusolverDn.h>: install cuSOLVER of the CUDA toolkit, or leave it at 0"
#endif

// Named ranges for Nsight: headers of the CUDA toolkit, nothing to link.
#ifndef CROTON_HAS_NVTX
#if defined(__CUDACC__) && __has_include(<nvtx3/nvToolsExt.h>)
#define CROTON_HAS_NVTX 1
#else
#define CROTON_HAS_NVTX 0
#endif
#endif

// Whether functions can be recorded by a profile: 0 takes the branch out of every call.
#ifndef CROTON_HAS_PROFILER
#define CROTON_HAS_PROFILER 1
#endif

// Whether a compiler reads what is in memory anew for each instruction of the processor that takes it from there: two reads are all that a processor begins at a time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CROTON_HAS_REPEATED_READS 1
#else
#define CROTON_HAS_REPEATED_READS 0
#endif

// Functions compiled for a newer x86 than the rest of the program, and the question what this processor is.
#ifndef CROTON_HAS_X86_TARGETS
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define CROTON_HAS_X86_TARGETS 1
#else
#define CROTON_HAS_X86_TARGETS 0
#endif
#endif

// Whole numbers of 128 bits.
#ifdef __SIZEOF_INT128__
#define CROTON_HAS_INT128 1
#else
#define CROTON_HAS_INT128 0
#endif

// std::from_chars of floating-point numbers, which libc++ has not.
#ifdef __cpp_lib_to_chars
#define CROTON_HAS_FLOAT_FROM_CHARS 1
#else
#define CROTON_HAS_FLOAT_FROM_CHARS 0
#endif

// The counters of the processor, for profiles.
#ifndef CROTON_HAS_PERF_EVENTS
#if defined(__linux__) && __has_include(<linux/perf_event.h>)
#define CROTON_HAS_PERF_EVENTS 1
#else
#define CROTON_HAS_PERF_EVENTS 0
#endif
#endif

// The counter of cycles as the clock of profiles, where the system says that it trusts it.
#ifndef CROTON_HAS_CYCLE_CLOCK
#if defined(__linux__) && defined(__x86_64__) && __has_include(<cpuid.h>)
#define CROTON_HAS_CYCLE_CLOCK 1
#else
#define CROTON_HAS_CYCLE_CLOCK 0
#endif
#endif

// The processors that a process may run on.
#ifndef CROTON_HAS_AFFINITY
#if defined(__linux__) && __has_include(<sched.h>)
#define CROTON_HAS_AFFINITY 1
#else
#define CROTON_HAS_AFFINITY 0
#endif
#endif

// Pages of two megabytes for large arrays, where a program may ask for them.
#ifndef CROTON_HAS_HUGE_PAGES
#if defined(__linux__) && __has_include(<sys/mman.h>)
#define CROTON_HAS_HUGE_PAGES 1
#else
#define CROTON_HAS_HUGE_PAGES 0
#endif
#endif

// How large the caches are: glibc says so.
#ifndef CROTON_HAS_CACHE_SIZES
#if defined(__GLIBC__) && __has_include(<unistd.h>)
#define CROTON_HAS_CACHE_SIZES 1
#else
#define CROTON_HAS_CACHE_SIZES 0
#endif
#endif

// Processes that split, of which one has none of the threads.
#ifndef CROTON_HAS_FORK
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
#define CROTON_HAS_FORK 1
#else
#define CROTON_HAS_FORK 0
#endif
#endif

// A static_assert whose message is computed (C++26).
#ifndef CROTON_HAS_STATIC_ASSERT_TEXT
#if defined(__cpp_static_assert) && __cpp_static_assert >= 202306L
#define CROTON_HAS_STATIC_ASSERT_TEXT 1
#else
#define CROTON_HAS_STATIC_ASSERT_TEXT 0
#endif
#endif

// The device a function runs on when none is named: a type in namespace croton.
#ifndef CROTON_DEFAULT_DEVICE
#define CROTON_DEFAULT_DEVICE cpu
#endif

// Conditional nodes in CUDA graphs, since 12.4, and edges with data in the calls that make nodes, since 13.
#if !defined(CROTON_HAS_CUDA_CONDITIONS) && defined(CUDART_VERSION) && CUDART_VERSION >= 12040
#define CROTON_HAS_CUDA_CONDITIONS 1
#elif !defined(CROTON_HAS_CUDA_CONDITIONS)
#define CROTON_HAS_CUDA_CONDITIONS 0
#endif
#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000
#define CROTON_HAS_CUDA_EDGES 1
#else
#define CROTON_HAS_CUDA_EDGES 0
#endif

// A CUDA compiler makes code for the GPU of what it reads now.
#if defined(__CUDA_ARCH__)
#define CROTON_HAS_GPU_CODE 1
#else
#define CROTON_HAS_GPU_CODE 0
#endif

// Lanes of registers in another order, as compilers know them.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define CROTON_HAS_SHUFFLES 1
#endif
#endif
#if !defined(CROTON_HAS_SHUFFLES)
#define CROTON_HAS_SHUFFLES 0
#endif
// nvcc hands the host compiler a list of lanes that a template computes without its dots.
#if CROTON_HAS_SHUFFLES && !defined(__CUDACC__)
#define CROTON_HAS_COMPUTED_SHUFFLES 1
#else
#define CROTON_HAS_COMPUTED_SHUFFLES 0
#endif

// Bytes of a register chosen by those of another one. nvcc does not know the names that compilers have for it.
#if defined(__SSSE3__) && defined(__GNUC__) && !defined(__CUDACC__)
#define CROTON_HAS_BYTE_SHUFFLES 1
#else
#define CROTON_HAS_BYTE_SHUFFLES 0
#endif

// The instructions that read some lanes of a register from memory, beside the registers of xsimd.
#if CROTON_HAS_XSIMD && defined(__AVX2__)
#define CROTON_HAS_AVX2 1
#else
#define CROTON_HAS_AVX2 0
#endif

// The instructions that every x86-64 has.
#if defined(__SSE2__)
#define CROTON_HAS_SSE2 1
#else
#define CROTON_HAS_SSE2 0
#endif

// The instructions that convert eight numbers between half and float.
#if defined(__F16C__)
#define CROTON_HAS_F16C 1
#else
#define CROTON_HAS_F16C 0
#endif

namespace croton::inline v0_1 {

inline constexpr bool has_xsimd = CROTON_HAS_XSIMD != 0;
inline constexpr bool has_cblas = CROTON_HAS_CBLAS != 0;
inline constexpr bool has_zlib = CROTON_HAS_ZLIB != 0;
inline constexpr bool has_cuda = CROTON_HAS_CUDA != 0;
inline constexpr bool has_profiler = CROTON_HAS_PROFILER != 0;

// Whether the compiler's messages show a template value that holds text as text.
#if defined(__clang__)
inline constexpr bool prints_text_values = false;
#else
inline constexpr bool prints_text_values = true;
#endif

}  // namespace croton::inline v0_1

#endif
