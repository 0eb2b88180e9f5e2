// SPDX-License-Identifier: MIT
// One number at a time: memory as uniform and row blocks see it, and the sums that end in one number.
#ifndef CROTON_DEVICE_CPU_NUMBERS_HPP
#define CROTON_DEVICE_CPU_NUMBERS_HPP

#include <croton/device/cpu/analysis.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// A number of any element type, for sums that stay with a thread until the end.
struct alignas(64) total {
    double floating;
    std::int64_t integral;

    template <class T> CROTON_INLINE CROTON_HD T get() const {
        if constexpr (std::is_floating_point_v<T>) return static_cast<T>(floating);
        else return static_cast<T>(integral);
    }
    template <class T> CROTON_INLINE CROTON_HD void set(T v) {
        if constexpr (std::is_floating_point_v<T>) floating = static_cast<double>(v);
        else integral = static_cast<std::int64_t>(v);
    }
};

/// Memory as uniform and row blocks see it: one number per slot.
struct number_port {
    std::byte* const* p;
    const std::int64_t* scalars;
    const std::int64_t* index;
    const displaced* displacement;
    total* totals;
    const bool* whole;  // slots whose sum stays in `totals` until the end

    template <class T, int S> CROTON_INLINE CROTON_HD arithmetic_t<T> read(kernel::load<T, S>) const {
        return *reinterpret_cast<const T*>(p[S]);
    }
    template <class T, int S, class A, class Index> CROTON_INLINE CROTON_HD arithmetic_t<T> read(kernel::gather<T, S, A>, Index i) const {
        return reinterpret_cast<const T*>(p[S])[displacement[S].along.offset(i)];
    }
    template <class T, int I> CROTON_INLINE CROTON_HD T read(kernel::scalar<T, I>) const {
        return static_cast<T>(scalars[I]);
    }
    template <class T, int Axis> CROTON_INLINE CROTON_HD T read(kernel::iota<T, Axis>) const {
        return static_cast<T>(index[Axis]);
    }
    template <class T, int S, class A> CROTON_INLINE CROTON_HD void write(kernel::store<T, S, A>, arithmetic_t<T> v) const {
        *reinterpret_cast<T*>(p[S]) = v;
    }
    template <class R, class T, int S, class A>
    CROTON_INLINE CROTON_HD void write(kernel::accumulate<R, T, S, A>, T v) const {
        add<R, T, S>(static_cast<wide<R, T>>(v));
    }
    template <class R, class T, int S> CROTON_INLINE CROTON_HD void add(wide<R, T> v) const {
        T& memory = *reinterpret_cast<T*>(p[S]);
        if (whole[S]) totals[S].set(R::combine(totals[S].get<wide<R, T>>(), v));
        else memory = static_cast<T>(R::combine(static_cast<wide<R, T>>(memory), v));
    }
};

// Every effect that sums into memory, whatever block it stands in.
template <class F, class... S> CROTON_INLINE constexpr void visit_each(kernel::block<S...>, [[maybe_unused]] F&& f) {
    (f(S{}), ...);
}
template <class Block, class F> CROTON_INLINE constexpr void visit_sums([[maybe_unused]] F&& f) {
    using sums = kernel::with_role<kernel::role_sum, Block>;
    if constexpr (kernel::size_of_block<sums> > 0) visit_each(sums{}, f);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
