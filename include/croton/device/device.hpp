// SPDX-License-Identifier: MIT
// What makes a type a device: the policy members that a compiled function calls.
#ifndef CROTON_DEVICE_DEVICE_HPP
#define CROTON_DEVICE_DEVICE_HPP

#include <croton/kernel/argument.hpp>
#include <croton/kernel/batch.hpp>
#include <croton/kernel/kernel.hpp>
#include <croton/kernel/routine.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace croton::inline v0_1 {

namespace detail {

// Any kernel will do to ask whether a device runs kernels.
using smallest_kernel = kernel::kernel<0, 0, kernel::block<>, kernel::block<>>;

// And any routine.
struct smallest_routine {
    static constexpr int arguments = 1;
    template <class T, class In> CROTON_HD static void row(std::int64_t, kernel::vector<T>, kernel::vector<const In>) {}
};

}  // namespace detail

/// A device: memory, kernels, matrix products, copies and a clock, all static.
template <class D>
concept device = requires(const std::int64_t* numbers, const kernel::operand* slots, kernel::matrix<const float> a,
                          kernel::matrix<float> c, kernel::batch over, kernel::vector<const float> x, kernel::vector<float> y,
                          kernel::routine_call call, std::byte* room, void* memory, std::size_t bytes) {
    { D::rewrites } -> std::convertible_to<bool>;
    { D::fuses } -> std::convertible_to<bool>;
    { D::loop_name } -> std::convertible_to<std::string_view>;     // what its loops and its products of floating
    { D::product_name } -> std::convertible_to<std::string_view>;  // numbers run on, for profiles
    D::template run<detail::smallest_kernel>(numbers, slots, numbers);
    D::template gemm<float>(1.0f, a, a, 0.0f, c);
    D::template gemm_batched<float>(1.0f, a, a, 0.0f, c, over);
    D::template gemv<float>(1.0f, a, x, 0.0f, y);
    D::template copy<float>(1, numbers, *slots, *slots);
    D::template routine<detail::smallest_routine, kernel::routine_types<float, float>>(call, room);
    { D::allocate(bytes) } -> std::same_as<void*>;
    { D::deallocate(memory, bytes) } noexcept;
    { D::clock() } noexcept -> std::same_as<std::int64_t>;
};

/// Whether a call of `D` may return before its steps have run, so that the host must not read what they write.
template <class D> inline constexpr bool is_asynchronous = false;
template <class D>
    requires requires { D::asynchronous; }
inline constexpr bool is_asynchronous<D> = D::asynchronous;

/// Whether products of `D` read half and bfloat16 as they lie in memory, and give float. Elsewhere they are converted first.
template <class D> inline constexpr bool multiplies_storage = false;
template <class D>
    requires requires { D::multiplies_storage; }
inline constexpr bool multiplies_storage<D> = D::multiplies_storage;

/// Whether products of `D` take up a bias and a relu or gelu: then there is
///     gemm<T>(alpha, a, b, epilogue, c)     c = relu(alpha a b + bias), or what the epilogue says
template <class D> inline constexpr bool has_epilogues = false;
template <class D>
    requires requires { D::epilogues; }
inline constexpr bool has_epilogues<D> = D::epilogues;

/// Whether `D` runs routines that have `biased` and `relu` faster than a loop behind them.
template <class D> inline constexpr bool has_ended_routines = false;
template <class D>
    requires requires { D::ended_routines; }
inline constexpr bool has_ended_routines<D> = D::ended_routines;

/// Whether products of `D` copy matrices of floating numbers that its library does not take as they lie: then there is
///     packing(a, b, c, type)      how many numbers of the type it copies
/// and `gemm` and `gemm_batched` take room for them as their last argument.
template <class D>
inline constexpr bool packs_products = requires(kernel::matrix<const void> a, kernel::matrix<void> c) { D::packing(a, a, c, element()); };

/// The same for products that copy such matrices of a whole batch at a time: then there is
///     packed_operands(a, b, over, bytes)      the bytes of the copies, of elements of so many
/// and every product takes room for them as its last argument.
template <class D>
inline constexpr bool packs_operands = requires(kernel::matrix<const void> a, kernel::batch over, std::size_t bytes) { D::packed_operands(a, a, over, bytes); };

/// Whether products of `D` may run the loop behind them on each block of their result while that is in cache: then there are
///     ends_product(m, k, n, type, turned)    whether that is faster for a product `[m,k] x [k,n]`, whose first factor lies by columns if it is `turned`
///     gemm<T>(alpha, a, b, beta, c, room, end)   as `gemm`, and `end`, a `kernel::block_end`, behind each part
///     each_part(parts, work, f)              as below
template <class D>
inline constexpr bool ends_products = requires(std::int64_t n) { D::ends_product(n, n, n, element(), true); };

/// Whether loops and products of `D` take memory of any strides, so that a copy that only lays out an array in another way may be left out.
template <class D> inline constexpr bool leaves_out_copies = requires { D::leaves_out_copies; };

/// Whether `D` works on something besides the arguments and the result of a routine: then there is
///     routine_room<Routine, Types>(call)      the bytes that `routine` finds behind `room`
template <class D, class Routine, class Types>
inline constexpr bool works_in_room = requires(const kernel::routine_call& c) { D::template routine_room<Routine, Types>(c); };

/// Whether `D` runs routines of matrices: then there are
///     matrices_room<Routine, T>(call)      the bytes that it finds behind `room`
///     matrices<Routine, T>(call, room)     the number of the first matrix that the routine fails on, or -1
template <class D> inline constexpr bool factors_matrices = requires { D::factors_matrices; };

/// Whether a launch of `D` costs so much that loops of one kernel type that wait for nothing of each other share one: then there is
///     run_joined<Kernel, Count>(extents, slots, slot_count, scalars)   as `run`, for `Count` loops with `max_rank` extents and
///                                                                      `slot_count` slots each
template <class D> inline constexpr bool has_joint_launches = false;
template <class D>
    requires requires { D::joint_launches; }
inline constexpr bool has_joint_launches<D> = D::joint_launches;

/// Whether `D` computes single numbers in the launch of a loop with sums, when that has ended: then there is
///     run_closed<Kernel, Then...>(extents, slots, then, scalars)   as `run`, and then the kernels `Then`, whose slots are then[0], then[1], ...
template <class D> inline constexpr bool closes_loops = false;
template <class D>
    requires requires { D::closes_loops; }
inline constexpr bool closes_loops<D> = D::closes_loops;

/// Whether `D` takes one pass over memory for a sum of squares about a mean, along whatever axes the two sums are: then they are a loop of two phases,
/// whose inner axes are those.
template <class D> inline constexpr bool has_spreads = false;
template <class D>
    requires requires { D::joins_spreads; }
inline constexpr bool has_spreads<D> = D::joins_spreads;

/// Whether `D` has loops for elements that lie side by side, which cost a call little: then there is a type flat<Kernel> with
///     possible, most       whether it is one for the kernel, and of how many elements on it leaves them to `run`
///     reduces              whether it has more to say of no elements
///     run(n, slots, scalars), and run_here<One>, which is to be inlined, for arrays that are read along and are one
///     run_here<One, true>  the same, of fewer than `most_here` elements
template <class D> inline constexpr bool has_flat_loops = requires { D::flat_loops; };

/// Whether `D` runs kernels of single numbers again and again by itself, with what they carry in registers: then there is a type number_turns<Kernels, Slots> with
///     run(first, second, scalars, range, last)    see device/cpu/number_turns.hpp
template <class D> inline constexpr bool carries_numbers = requires { D::carries_numbers; };

/// The same of products of few numbers: then there are
///     multiplies_directly<T>(m, k, n)    whether a product of matrices that lie by rows, the first by rows or columns, is one
///     gemm_directly<T>(alpha, a, b, c)   which computes it
template <class D> inline constexpr bool has_direct_products = requires { D::direct_products; };

/// Whether `D` runs two products with one matrix and what joins them a block of rows at a time: then there are
///     streamed_bytes             of how many on a matrix is so large that this is faster
///     block_bytes                of a block that stays in cache
///     near_streamed_bytes, near_bytes    the same of products with vectors and loops along the rows alone, a few of which stay in the first cache
///     each_part(parts, work, f)  calls f(part) for each of them, on as many threads as `work` operations are worth
///     part                       what each of them multiplies with, as a device, and besides
///                                add_rows<T>(a, x, sum, first, ahead)   sum += x a, and what lies `ahead` numbers behind is asked for
///                                row_loop<Kernel>                       a loop of which some iterations run at a time
template <class D> inline constexpr bool streams_rows = requires { D::streamed_bytes; };

/// Whether `D` looks itself at labels and indices that lie in its memory, where the host must not wait for them: then there are
///     bound_check(before, after)                                                a number for what is said around a wrong one
///     check_bounds<T>(check, numbers, rank, extents, strides, lowest, limit)    queues the look, in front of the steps
/// and, where it may run beside steps,
///     join_checks()                                                             what is queued next waits for it
template <class D> inline constexpr bool has_bound_checks = requires(std::string text) { D::bound_check(text, text); };

namespace detail {

struct nothing_recorded {};

template <class D> struct recording_of {
    using type = nothing_recorded;
};
template <class D>
    requires requires { typename D::recording; }
struct recording_of<D> {
    using type = typename D::recording;
};

/// Of a device without a tool that shows what its host threads do.
struct range_unheard {
    static constexpr bool heard() { return false; }
    explicit constexpr range_unheard(const char*) {}
};

template <class D> struct result_memory_of {
    using type = nothing_recorded;
};
template <class D>
    requires requires { typename D::result_memory; }
struct result_memory_of<D> {
    using type = typename D::result_memory;
};

template <class D> struct gate_of {
    using type = nothing_recorded;
};
template <class D>
    requires requires { typename D::gate; }
struct gate_of<D> {
    using type = typename D::gate;
};

template <class D> struct range_of {
    using type = range_unheard;
};
template <class D>
    requires requires { typename D::range; }
struct range_of<D> {
    using type = typename D::range;
};

}  // namespace detail

/// Whether `D` records loops whose turns a value counts, and decides itself which turns run: then there is `turns` with
///     state, copy_of<T>             what it keeps of such a loop in its memory, and a copy of what is carried
///     possible(), recording()       whether it can, and whether steps are recorded
///     begin, copy, when, loop       what is recorded of one (`device/cuda/turns.hpp`)
template <class D> inline constexpr bool records_turns = requires { typename D::turns; };

/// What names a piece of the host's work on `D` for a tool, from its making to the end of its scope.
template <class D> using range_t = typename detail::range_of<D>::type;

/// What holds `D` while steps that it measures are queued, where it would wait for the host between them.
template <class D> using gate_t = typename detail::gate_of<D>::type;

/// Where a function on `D` keeps memory for its results between calls, which begins with `use()`; nothing where new memory is as good.
template <class D> using result_memory_t = typename detail::result_memory_of<D>::type;

/// What a function on `D` keeps to run the same steps again with less work: graphs, where the device has such.
template <class D> using recording_t = typename detail::recording_of<D>::type;

}  // namespace croton::inline v0_1

#endif
