// SPDX-License-Identifier: MIT
// Memory as the uniform block and the row blocks of a kernel see it.
#ifndef CROTON_DEVICE_CUDA_PORTS_HPP
#define CROTON_DEVICE_CUDA_PORTS_HPP

#include <croton/device/cuda/group.hpp>
#include <croton/device/cuda/sweep.hpp>

#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// Memory as the uniform block sees it.
template <class Args> struct uniform_port {
    const Args& a;

    template <class T, int S> CROTON_DEVICE arithmetic_t<T> read(kernel::load<T, S>) const { return *reinterpret_cast<const T*>(a.data[S]); }
    template <class T, int S, class A, class Index> CROTON_DEVICE arithmetic_t<T> read(kernel::gather<T, S, A>, Index i) const {
        return reinterpret_cast<const T*>(a.data[S])[a.along[S].offset(i)];
    }
    template <class T, int K> CROTON_DEVICE T read(kernel::scalar<T, K>) const { return static_cast<T>(a.scalar[K]); }
    template <class T, int S, class A> CROTON_DEVICE void write(kernel::store<T, S, A>, arithmetic_t<T> v) const {
        *reinterpret_cast<T*>(a.data[S]) = v;
    }
};

/// The values of the uniform block.
template <class U, class Args> CROTON_DEVICE kernel::uniform_registers<U> compute_uniforms(const Args& a) {
    kernel::uniform_registers<U> us;
    uniform_port<Args> memory{a};
    kernel::run_uniform_block<U>(memory, us);
    return us;
}
/// The same, as an earlier launch has left them where one did.
template <class U, class Args> CROTON_DEVICE kernel::uniform_registers<U> uniforms_of(const Args& a) {
    if (a.uniforms != nullptr) return *reinterpret_cast<const kernel::uniform_registers<U>*>(a.uniforms);
    return compute_uniforms<U>(a);
}

/// Memory as a row block sees it: every thread reads, one writes.
template <class Kernel, class Args, class Threads> struct row_port {
    using fp = footprint<Kernel>;
    static constexpr int O = fp::outer_rank;

    const Args& a;
    const group<Threads>& g;
    const std::int64_t* index;
    partials<typename fp::sums>& sums;
    const group_copies& copies;

    template <class T, int S> CROTON_DEVICE T* at() const {
        T* p = reinterpret_cast<T*>(a.data[S]);
        CROTON_UNROLL
        for (int x = 0; x < O; ++x) p += index[x] * a.stride[S][x];
        return p;
    }
    template <class T, int S> CROTON_DEVICE arithmetic_t<T> read(kernel::load<T, S>) const { return *at<T, S>(); }
    template <class T, int S, class A, class Index> CROTON_DEVICE arithmetic_t<T> read(kernel::gather<T, S, A>, Index i) const {
        return at<T, S>()[a.along[S].offset(i)];
    }
    template <class T, int K> CROTON_DEVICE T read(kernel::scalar<T, K>) const { return static_cast<T>(a.scalar[K]); }
    template <class T, int Axis> CROTON_DEVICE T read(kernel::iota<T, Axis>) const { return static_cast<T>(index[Axis]); }
    template <class T, int S, class A> CROTON_DEVICE void write(kernel::store<T, S, A>, arithmetic_t<T> v) const {
        // What the others read may lie where this writes.
        g.sync();
        if (g.leads()) *at<T, S>() = v;
        g.sync();
    }
    template <class R, class T, int S, class A> CROTON_DEVICE void write(kernel::accumulate<R, T, S, A>, T v) const {
        using W = wide<R, T>;
        if (!g.leads()) return;
        constexpr int k = fp::template sum_of_slot<S>;
        const auto& place = a.sum[k];
        if (place.kind == sum_kind::total) {
            W& partial = kernel::detail::at<k, W>(sums);
            partial = R::combine(partial, static_cast<W>(v));
        } else if (place.exclusive) {
            *at<T, S>() = v;
        } else {
            std::int64_t to = 0;
            CROTON_UNROLL
            for (int x = 0; x < O; ++x) to += index[x] * place.stride[x];
            W& memory = copies.at<W>(place)[to];
            memory = R::combine(memory, static_cast<W>(v));
        }
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
