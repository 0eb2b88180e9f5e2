// SPDX-License-Identifier: MIT
// What compilers are told: how functions are qualified, which are one with their callers, and which warnings are known to be false.
#ifndef CROTON_COMPILER_HPP
#define CROTON_COMPILER_HPP

// CROTON_HD: for the host and the GPU. CROTON_DEVICE: for the GPU, and for the host where no CUDA compiler reads this,
// so that the tests can run the body of a kernel.
#if defined(__CUDACC__)
#define CROTON_HD __host__ __device__
#define CROTON_DEVICE __device__
#define CROTON_UNROLL _Pragma("unroll")
#else
#define CROTON_HD
#define CROTON_DEVICE
#define CROTON_UNROLL
#endif

// Before a loop over constants that decide what it does: g++ -O2 would ask for them again at each turn. Before one of few turns: clang++ would make ready for many.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CROTON_UNROLLED _Pragma("GCC unroll 255")
#else
#define CROTON_UNROLLED
#endif
#if defined(__clang__) && !defined(__CUDACC__)
#define CROTON_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define CROTON_ROLLED
#endif

#if defined(__GNUC__)
#define CROTON_INLINE [[gnu::always_inline]] inline
#else
#define CROTON_INLINE inline
#endif

// Behind the parameters of a lambda: CROTON_APART where it stays one function, however many callers it has, CROTON_INLINED where it is a layer, of which below.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define CROTON_APART __attribute__((noinline))
#define CROTON_INLINED __attribute__((always_inline))
#else
#define CROTON_APART
#define CROTON_INLINED
#endif

// A function made of layers, each of which holds copies of the one below. Each is inlined always: so it stands in a statement of a program, `y = a + b`,
// too. g++ optimises every layer before it copies it into the next, unless an outermost that is a function of its own takes them all in at once; clang++
// does not need to be told. A lambda is a layer with CROTON_INLINED behind its parameters: of both, or what is around it lies in memory for a call of it.
#define CROTON_LAYER CROTON_INLINE
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CROTON_LAYERED [[gnu::flatten]]
#else
#define CROTON_LAYERED
#endif

// Around the include of xsimd: g++ 12 takes the operands that its own AVX-512 headers leave undefined on purpose for
// uninitialized ones (GCC bug 105593), in every loop that inlines them.
#if defined(__GNUC__) && !defined(__clang__)
#define CROTON_QUIET_BEGIN                                                                                   \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")               \
        _Pragma("GCC diagnostic ignored \"-Wuninitialized\"")
#define CROTON_QUIET_END _Pragma("GCC diagnostic pop")
#else
#define CROTON_QUIET_BEGIN
#define CROTON_QUIET_END
#endif

// Keeps a register that was read from memory: where it is used more than once compilers may read it again instead, which costs as much as reading it first.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && defined(__SSE2__)
#define CROTON_IN_REGISTER(x) __asm__("" : "+v"(x))
#else
#define CROTON_IN_REGISTER(x) static_cast<void>(x)
#endif

// The same of the bits that choose lanes.
#if defined(__GNUC__) && defined(__AVX512F__)
#define CROTON_IN_MASK(x) __asm__("" : "+Yk"(x))
#else
#define CROTON_IN_MASK(x) static_cast<void>(x)
#endif

// Around a friend that each instance of a template declares for itself, which compilers ask about.
#if defined(__CUDACC__)
#define CROTON_FRIEND_BEGIN                                                                                  \
    _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 1301") _Pragma("GCC diagnostic push")            \
        _Pragma("GCC diagnostic ignored \"-Wnon-template-friend\"")
#define CROTON_FRIEND_END _Pragma("GCC diagnostic pop") _Pragma("nv_diagnostic pop")
#elif defined(__GNUC__) && !defined(__clang__)
#define CROTON_FRIEND_BEGIN                                                                                  \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wnon-template-friend\"")
#define CROTON_FRIEND_END _Pragma("GCC diagnostic pop")
#else
#define CROTON_FRIEND_BEGIN
#define CROTON_FRIEND_END
#endif

// Code that is the same for all functions of a program, such as products, reports and messages, is compiled with each file that needs some of it, or once: where files are compiled
// with CROTON_SEPARATE_COMPILATION=1, and one of them defines CROTON_IMPLEMENTATION before it includes croton.
// CROTON_INSTANCE: the declaration of an instance of a template, which is there for all then. CROTON_ONCE: the same of a function whose name is not overloaded.
// CROTON_PLAIN: before a function that has no types to depend on: only an instance of a template can be declared as one that is elsewhere, and have its body here as well.
#ifndef CROTON_SEPARATE_COMPILATION
#define CROTON_SEPARATE_COMPILATION 0
#endif
#if defined(CROTON_IMPLEMENTATION) && !defined(__CUDACC__)
#define CROTON_INSTANCE(...) template __VA_ARGS__;
#elif CROTON_SEPARATE_COMPILATION && !defined(__CUDACC__)
#define CROTON_INSTANCE(...) extern template __VA_ARGS__;
#else
#define CROTON_INSTANCE(...)
#endif
#define CROTON_ONCE(...) CROTON_INSTANCE(decltype(__VA_ARGS__) __VA_ARGS__)
// What a linker says where no file does.
namespace croton::inline v0_1::detail {
struct of_the_file_that_defines_CROTON_IMPLEMENTATION;
}
#if defined(CROTON_IMPLEMENTATION) || CROTON_SEPARATE_COMPILATION
#define CROTON_PLAIN template <class = ::croton::detail::of_the_file_that_defines_CROTON_IMPLEMENTATION>
#else
#define CROTON_PLAIN template <class = void>
#endif

#endif
