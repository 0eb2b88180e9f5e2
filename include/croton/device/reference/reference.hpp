// SPDX-License-Identifier: MIT
// The reference device: plain loops over every index with the scalar functions of the C++ library. The oracle of the tests.
#ifndef CROTON_DEVICE_REFERENCE_REFERENCE_HPP
#define CROTON_DEVICE_REFERENCE_REFERENCE_HPP

#include <croton/core/clock.hpp>
#include <croton/core/device.hpp>
#include <croton/core/pages.hpp>
#include <croton/device/device.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/batch.hpp>
#include <croton/kernel/registers.hpp>
#include <croton/kernel/routine/matrices.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1 {

namespace detail::reference_device {

using kernel::operand;

// Sums of float are kept in double, so that the oracle is not the less accurate side.
template <class T> using wide = std::conditional_t<std::is_same_v<T, float>, double, T>;

// Calls f(index) for each index of the extents, the last axis fastest.
template <class F> void for_each_index(int rank, const std::int64_t* extents, std::int64_t* index, F&& f) {
    for (int a = 0; a < rank; ++a) {
        if (extents[a] == 0) return;
        index[a] = 0;
    }
    for (;;) {
        f();
        int a = rank - 1;
        while (a >= 0 && ++index[a] == extents[a]) index[a--] = 0;
        if (a < 0) return;
    }
}

template <class T> CROTON_HD T& at(const operand& slot, int rank, const std::int64_t* index) {
    // std::array has no operators in device code.
    const auto* stride = reinterpret_cast<const std::int64_t*>(&slot.stride);
    std::int64_t offset = 0;
    for (int a = 0; a < rank; ++a) offset += index[a] * stride[a];
    return *(reinterpret_cast<T*>(slot.data) + offset);
}

struct port {
    const operand* slots;
    const std::int64_t* scalars;
    const std::int64_t* index;
    int rank;

    template <class T, int Slot> CROTON_HD arithmetic_t<T> read(kernel::load<T, Slot>) const { return at<T>(slots[Slot], rank, index); }
    template <class T, int Slot> CROTON_HD arithmetic_t<T> read(kernel::load_fixed<T, Slot>) const { return at<T>(slots[Slot], rank, index); }
    template <class T, int Slot, class A, class Index> CROTON_HD arithmetic_t<T> read(kernel::gather<T, Slot, A>, Index i) const {
        return *(&at<T>(slots[Slot], rank, index) + slots[Slot].along.offset(i));
    }
    template <class T, int Slot, class A, class Index> CROTON_HD arithmetic_t<T> read(kernel::load_at<T, Slot, A>, Index i) const {
        return read(kernel::gather<T, Slot, A>{}, i);
    }
    template <class T, int Index> CROTON_HD T read(kernel::scalar<T, Index>) const { return static_cast<T>(scalars[Index]); }
    template <class T, int Axis> CROTON_HD T read(kernel::iota<T, Axis>) const { return static_cast<T>(index[Axis]); }
    template <class T, int Slot, class A> CROTON_HD void write(kernel::store<T, Slot, A>, arithmetic_t<T> value) const {
        at<T>(slots[Slot], rank, index) = value;
    }
    template <class Red, class T, int Slot, class A> CROTON_HD void write(kernel::accumulate<Red, T, Slot, A>, T value) const {
        T& memory = at<T>(slots[Slot], rank, index);
        memory = Red::combine(memory, value);
    }
    template <class Red, class T, int Slot, class A>
    CROTON_HD void write(kernel::accumulate_inner<Red, T, Slot, A>, T value) const {
        T& memory = at<T>(slots[Slot], rank, index);
        memory = Red::combine(memory, value);
    }
};

template <class Red, class T> void fill_identity(const operand& slot, int rank, const std::int64_t* extents) {
    std::int64_t kept[max_rank], index[max_rank];
    for (int a = 0; a < rank; ++a) kept[a] = slot.stride[static_cast<std::size_t>(a)] == 0 ? 1 : extents[a];
    for_each_index(rank, kept, index, [&] { at<T>(slot, rank, index) = Red::template identity<T>(); });
}

template <class... I>
void fill_list(kernel::block<I...>, [[maybe_unused]] const operand* slots, [[maybe_unused]] int rank,
               [[maybe_unused]] const std::int64_t* extents) {
    (fill_identity<typename I::reduction, typename I::element>(slots[I::slot], rank, extents), ...);
}
template <class Block> void fill_block(const operand* slots, int rank, const std::int64_t* extents) {
    fill_list(kernel::with_role<kernel::role_sum, Block>{}, slots, rank, extents);
}

template <class Reduces> struct accumulators;
template <class... Red, class... T, class... A>
struct accumulators<kernel::block<kernel::reduce<Red, T, A>...>> {
    template <int... I, class U, class R, class E>
    static void feed(std::integer_sequence<int, I...>, auto& state, const U& us, const R& rs, const E& es) {
        ((kernel::detail::at<I, wide<T>>(state) = Red::combine(kernel::detail::at<I, wide<T>>(state),
            static_cast<wide<T>>(kernel::fetch<kernel::one_lane>(A{}, us, rs, es)))), ...);
    }
    template <int... I> static auto start(std::integer_sequence<int, I...>) {
        struct state : kernel::detail::cell<I, wide<T>>... {} result;
        ((kernel::detail::at<I, wide<T>>(result) = Red::template identity<wide<T>>()), ...);
        return result;
    }
    template <int First, int... I> static void finish(std::integer_sequence<int, I...>, auto& state, auto& rows) {
        ((kernel::detail::at<First + I, T>(rows) = static_cast<T>(kernel::detail::at<I, wide<T>>(state))), ...);
    }
};

template <class Kernel> struct interpreter;
template <int O, int I, class Uniform, class Row, class... Phases>
struct interpreter<kernel::kernel<O, I, Uniform, Row, Phases...>> {
    using rows_block = kernel::row_program<Row, Phases...>;

    template <int First, class U, class R>
    static void run_phases(port&, const std::int64_t*, std::int64_t*, const U&, R&) {}

    template <int First, class Element, class Reduces, class PhaseRow, class... Rest, class U, class R>
    static void run_phases(port& p, const std::int64_t* extents, std::int64_t* index, const U& us, R& rs,
                           kernel::phase<Element, Reduces, PhaseRow>, Rest... rest) {
        constexpr int reduced = kernel::size_of_block<Reduces>;
        constexpr std::make_integer_sequence<int, reduced> sequence{};
        using sums = accumulators<kernel::listed_t<Reduces>>;
        auto state = sums::start(sequence);
        p.rank = O + I;
        for_each_index(I, extents + O, index + O, [&] {
            kernel::registers<kernel::one_lane, Element> es;
            kernel::run_element_block<kernel::one_lane>(kernel::numbered_t<Element>{}, p, us, rs, es);
            sums::feed(sequence, state, us, rs, es);
        });
        p.rank = O;
        sums::template finish<First>(sequence, state, rs);
        kernel::run_row_block<First + reduced, PhaseRow>(p, us, rs);
        run_phases<First + reduced + kernel::size_of_block<PhaseRow>>(p, extents, index, us, rs, rest...);
    }

    template <class Element, class Reduces, class PhaseRow>
    static void fill_phase(kernel::phase<Element, Reduces, PhaseRow>, const operand* slots,
                           const std::int64_t* extents) {
        fill_block<Element>(slots, O + I, extents);
        fill_block<PhaseRow>(slots, O, extents);
    }

    static void run(const std::int64_t* extents, const operand* slots, const std::int64_t* scalars) {
        std::int64_t index[max_rank] = {};
        fill_block<Row>(slots, O, extents);
        (fill_phase(Phases{}, slots, extents), ...);
        port p{slots, scalars, index, 0};
        kernel::uniform_registers<Uniform> us;
        kernel::run_uniform_block<Uniform>(p, us);
        p.rank = O;
        for_each_index(O, extents, index, [&] {
            kernel::row_registers<rows_block> rs;
            kernel::run_row_block<0, Row>(p, us, rs);
            run_phases<kernel::size_of_block<Row>>(p, extents, index, us, rs, Phases{}...);
        });
    }
};

}  // namespace detail::reference_device

/// Plain loops, no SIMD, no BLAS, no fusion, no rewrites: what every other device is compared with.
struct reference {
    static constexpr bool rewrites = false;
    static constexpr bool fuses = false;
    static constexpr std::string_view loop_name = "loop";
    static constexpr std::string_view product_name = "loop";

    /// Runs a kernel type over the loop axes `extents`.
    template <class Kernel>
    static void run(const std::int64_t* extents, const kernel::operand* slots, const std::int64_t* scalars) {
        detail::reference_device::interpreter<Kernel>::run(extents, slots, scalars);
    }

    /// `c = alpha a b + beta c`, `[m,k] x [k,n] -> [m,n]`; `beta == 0` never reads `c`. `c` overlaps neither input.
    template <class T>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                     std::type_identity_t<T> beta, kernel::matrix<T> c) {
        for (std::int64_t i = 0; i < c.rows; ++i)
            for (std::int64_t j = 0; j < c.cols; ++j) {
                detail::reference_device::wide<T> sum{};
                for (std::int64_t k = 0; k < a.cols; ++k)
                    sum = kernel::plus_product(sum, static_cast<detail::reference_device::wide<T>>(a.data[i * a.row_stride + k * a.col_stride]),
                                               static_cast<detail::reference_device::wide<T>>(b.data[k * b.row_stride + j * b.col_stride]));
                T& out = c.data[i * c.row_stride + j * c.col_stride];
                out = static_cast<T>(beta == T{} ? alpha * sum : alpha * sum + beta * out);
            }
    }

    /// The same for each matrix of a batch: `[b,m,k] x [b,k,n] -> [b,m,n]`.
    template <class T>
    static void gemm_batched(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                             std::type_identity_t<T> beta, kernel::matrix<T> c, const kernel::batch& over) {
        for (std::int64_t i = 0; i < over.count; ++i, a.data += over.a, b.data += over.b, c.data += over.c) gemm<T>(alpha, a, b, beta, c);
    }

    /// `y = alpha a x + beta y`, `[m,k] x [k] -> [m]`; `beta == 0` never reads `y`. `y` overlaps neither input.
    template <class T>
    static void gemv(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::vector<const T> x,
                     std::type_identity_t<T> beta, kernel::vector<T> y) {
        gemm<T>(alpha, a, {x.data, x.size, 1, x.stride, 1}, beta, {y.data, y.size, 1, y.stride, 1});
    }

    /// Copies every element of `from` to the same index of `to`.
    template <class T>
    static void copy(int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) {
        std::int64_t index[max_rank] = {};
        detail::reference_device::for_each_index(rank, extents, index, [&] {
            detail::reference_device::at<T>(to, rank, index) = detail::reference_device::at<T>(from, rank, index);
        });
    }

    /// Runs a routine row after row.
    template <class Routine, class Types> static void routine(const kernel::routine_call& c, std::byte*) {
        for (std::int64_t row = 0, rows = c.rows(); row < rows; ++row) kernel::run_row<Routine, Types>(c, row);
    }

    static constexpr bool factors_matrices = true;
    /// Runs a routine of matrices: gives the number of the first one that it fails on, or -1.
    template <class Routine, class T> static std::int64_t matrices(const kernel::routine_call& c, std::byte* room) {
        const kernel::matrix_task task = kernel::task_of(c);
        return kernel::each_matrix<Routine, T>(c, [&](const kernel::elements<T>& y, const kernel::elements<const T>* in) {
            return Routine::matrix(task, y, in, reinterpret_cast<T*>(room));
        });
    }
    template <class Routine, class T> static std::int64_t matrices_room(const kernel::routine_call& c) {
        return Routine::template room<T>(kernel::task_of(c)) * static_cast<std::int64_t>(sizeof(T));
    }

    /// Memory for `bytes` bytes, 64-byte aligned; throws std::bad_alloc.
    static void* allocate(std::size_t bytes) { return detail::allocate_on_host(bytes); }
    static void deallocate(void* memory, std::size_t bytes) noexcept { detail::deallocate_on_host(memory, bytes); }

    /// Nanoseconds of a steady clock.
    static std::int64_t clock() noexcept {
        return detail::system_nanoseconds();
    }
};

static_assert(device<reference>);

}  // namespace croton::inline v0_1

#endif
