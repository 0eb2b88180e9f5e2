// SPDX-License-Identifier: MIT
// Runs a product of a plan on a device: a template of what its form is, so that all products of one form are one function.
#ifndef CROTON_FUNCTION_PRODUCT_HPP
#define CROTON_FUNCTION_PRODUCT_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <croton/device/device.hpp>
#include <croton/graph/table.hpp>
#include <croton/kernel/batch.hpp>
#include <croton/kernel/registers.hpp>
#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

/// What is known of a product while compiling, as bits below the number of the operator that ends it.
enum product_form : unsigned {
    product_biased = 1,
    product_of_vector = 8,
    product_accumulates = 16,
    product_copies = 32,
    product_alpha_computed = 64,
    product_beta_computed = 128,
    product_activation = 256,
};

constexpr unsigned form_of_product(const step& s) {
    return s.activation * product_activation | (s.biased ? product_biased : 0u) | (s.vector ? product_of_vector : 0u) |
           (s.accumulates ? product_accumulates : 0u) | (s.copies ? product_copies : 0u) |
           (s.alpha_computed ? product_alpha_computed : 0u) | (s.beta_computed ? product_beta_computed : 0u);
}

/// Whether a kernel computes single numbers of nothing but sizes: then the host knows them before any step runs.
template <class Kernel> inline constexpr bool of_sizes_only = false;
template <int O, int J, class U>
inline constexpr bool of_sizes_only<kernel::kernel<O, J, U, kernel::block<>>> = []<class... I>(kernel::block<I...>) {
    return (true && ... && (I::slot < 0 || I::does == kernel::role_store));
}(kernel::listed_t<U>{});

/// Memory of the host as such a kernel sees it.
struct sizes_port {
    const std::int64_t* sizes;
    const kernel::operand* operands;

    template <class T, int K> CROTON_HD T read(kernel::scalar<T, K>) const { return static_cast<T>(sizes[K]); }
    template <class T, int S, class A> CROTON_HD void write(kernel::store<T, S, A>, arithmetic_t<T> v) const {
        *reinterpret_cast<T*>(operands[S].data) = static_cast<T>(v);
    }
};
template <int O, int J, class U>
void run_on_host(std::type_identity<kernel::kernel<O, J, U, kernel::block<>>>, const kernel::operand* operands, const std::int64_t* sizes) {
    const sizes_port memory{sizes, operands};
    kernel::uniform_registers<U> numbers;
    kernel::run_uniform_block<U>(memory, numbers);
}

/// A product that reads `In` and gives `T`, of matrices or of as many batches of them as `Batch` has axes. `Factors` is the
/// kernel that computes its factors, or void.
template <class Device, class T, class In, int Batch, unsigned Form, class Factors> struct product_step {
    static constexpr bool vector = (Form & product_of_vector) != 0, accumulates = (Form & product_accumulates) != 0,
                          copies = (Form & product_copies) != 0, alpha_computed = (Form & product_alpha_computed) != 0,
                          beta_computed = (Form & product_beta_computed) != 0, computed = alpha_computed || beta_computed;
    static constexpr bool biased = (Form & product_biased) != 0, activated = Form / product_activation != code<op::copy>;
    // Where the host cannot read them, the factors stay on the device and the product takes them there.
    static constexpr bool on_device = is_asynchronous<Device> && computed;
    // Unless they depend on sizes only. A computed beta may be 0, and an addend that is not looked at may be a NaN: that is the device's.
    static constexpr bool host_knows = on_device && !beta_computed && of_sizes_only<Factors>;

    /// `room` is what the device packs matrices into. `alpha` and `beta` are the factors that nothing computes. `end`, where there is one, follows each block of a
    /// product of two matrices, or of a batch that is one.
    static void run(const std::int64_t* extents, kernel::operand* operands, const std::int64_t* sizes, double alpha, double beta,
                    [[maybe_unused]] std::byte* room, [[maybe_unused]] const kernel::block_end* end = nullptr) {
        T factors[2] = {static_cast<T>(alpha), accumulates ? static_cast<T>(beta) : T(0)};
        [[maybe_unused]] T* at = factors;
        if constexpr (computed) {
            constexpr int first = accumulates ? 4 : 3;
            if constexpr (host_knows) {
                operands[first].data = reinterpret_cast<std::byte*>(factors);
                run_on_host(std::type_identity<Factors>{}, operands, sizes);
                // Told to multiply by 0 it would not look at the matrices either.
                if (factors[0] != T(0)) return multiply<false>(extents, operands, factors, factors, room);
            }
            if constexpr (on_device) at = Device::template factors<T>(factors[0], factors[1]);
            if constexpr (alpha_computed) operands[first].data = reinterpret_cast<std::byte*>(at);
            if constexpr (beta_computed) operands[first + (alpha_computed ? 1 : 0)].data = reinterpret_cast<std::byte*>(at + 1);
            Device::template run<Factors>(extents, operands, sizes);
        }
        multiply<on_device>(extents, operands, factors, at, room, end);
    }

private:
    /// The product with factors that the host has, or, where `OnDevice`, that the device has at `at`.
    template <bool OnDevice>
    static void multiply(const std::int64_t* extents, kernel::operand* operands, T* factors, [[maybe_unused]] T* at, [[maybe_unused]] std::byte* room,
                         [[maybe_unused]] const kernel::block_end* end = nullptr) {
        const std::int64_t m = extents[0], k = extents[1], n = extents[2];
        if constexpr (copies) {
            if (operands[3].data == operands[2].data && operands[3].stride == operands[2].stride) {
                // Each element of the addend is where it goes.
            } else if constexpr (Batch > 0) {
                copy_addend(extents, operands);
            } else {
                const std::int64_t shape[2] = {m, n};
                Device::template copy<T>(vector ? 1 : 2, shape, operands[3], operands[2]);
            }
        }
        // A factor of 0 tells a product not to look at the addend, where the program multiplies a NaN by it.
        if constexpr (beta_computed && !is_asynchronous<Device>)
            if (factors[1] == T(0)) {
                scale_by_zero(reinterpret_cast<T*>(operands[2].data), extents, operands[2].stride);
                factors[1] = T(1);
            }
        [[maybe_unused]] const kernel::computed_factors<T> there{at, accumulates, alpha_computed, beta_computed};
        const kernel::matrix<const In> a{read(operands[0]), m, k, operands[0].stride[0], operands[0].stride[1]};
        T* c = reinterpret_cast<T*>(operands[2].data);
        if constexpr (vector) {
            const kernel::vector<const In> x{read(operands[1]), k, operands[1].stride[0]};
            const kernel::vector<T> y{c, m, operands[2].stride[0]};
            if constexpr (OnDevice) gemv(room, there, a, x, y);
            else gemv(room, factors[0], a, x, factors[1], y);
            return;
        }
        const kernel::matrix<const In> b{read(operands[1]), k, n, operands[1].stride[0], operands[1].stride[1]};
        const kernel::matrix<T> result{c, m, n, operands[2].stride[0], operands[2].stride[1]};
        if constexpr (Batch > 0) {
            kernel::for_each_batch<T>(Batch, extents + matrix_extents, operands, a, b, result,
                                      [&](const auto& x, const auto& y, const auto& z, const auto& over) {
                // Then all matrices are one.
                if constexpr (ends_products<Device> && std::is_floating_point_v<T> && std::is_same_v<T, In>)
                    if (end != nullptr) return Device::template gemm<T>(factors[0], x, y, factors[1], z, room, *end);
                if constexpr (OnDevice) gemm_batched(room, there, x, y, z, over);
                else gemm_batched(room, factors[0], x, y, factors[1], z, over);
            });
        } else if constexpr (biased || activated) {
            using activation = typename type_at<static_cast<int>(Form / product_activation), operators>::type;
            kernel::epilogue<T, std::conditional_t<activated, activation, void>> then;
            if constexpr (biased) then.bias = {read(operands[3]), n, operands[3].stride[1]};
            gemm(room, factors[0], a, b, then, result);
        } else if constexpr (OnDevice) {
            gemm(room, there, a, b, result);
        } else {
            if constexpr (ends_products<Device> && std::is_floating_point_v<T> && std::is_same_v<T, In>)
                if (end != nullptr) return Device::template gemm<T>(factors[0], a, b, factors[1], result, room, *end);
            gemm(room, factors[0], a, b, factors[1], result);
        }
    }

    // What copies operands takes the room as its last argument.
    template <class... A> static void gemm([[maybe_unused]] std::byte* room, const A&... a) {
        if constexpr (packs_products<Device> || packs_operands<Device>) Device::template gemm<T>(a..., room);
        else Device::template gemm<T>(a...);
    }
    template <class... A> static void gemm_batched([[maybe_unused]] std::byte* room, const A&... a) {
        if constexpr (packs_products<Device> || packs_operands<Device>) Device::template gemm_batched<T>(a..., room);
        else Device::template gemm_batched<T>(a...);
    }
    template <class... A> static void gemv([[maybe_unused]] std::byte* room, const A&... a) {
        if constexpr (packs_operands<Device>) Device::template gemv<T>(a..., room);
        else Device::template gemv<T>(a...);
    }

    static const In* read(const kernel::operand& o) { return reinterpret_cast<const In*>(o.data); }

    template <class Strides> static void scale_by_zero(T* c, const std::int64_t* extents, const Strides& stride) {
        std::int64_t count = extents[0] * (vector ? 1 : extents[2]);
        for (int i = 0; i < Batch; ++i) count *= extents[matrix_extents + i];
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t rest = i, offset = 0;
            const auto take = [&](std::int64_t extent, std::size_t axis) {
                offset += rest % extent * stride[axis];
                rest /= extent;
            };
            if (!vector) take(extents[2], 1);
            take(extents[0], 0);
            for (int k = 0; k < Batch; ++k) take(extents[matrix_extents + k], static_cast<std::size_t>(k + 2));
            c[offset] *= T(0);
        }
    }

    /// Copies the addend of a batched product to where the product goes: the axes of the batch first, as they lie in memory.
    static void copy_addend(const std::int64_t* extents, const kernel::operand* operands) {
        std::int64_t shape[max_rank] = {};
        kernel::operand from{operands[3].data, {}}, to{operands[2].data, {}};
        for (int i = 0; i < Batch + 2; ++i) {
            const auto axis = static_cast<std::size_t>(i), slot = static_cast<std::size_t>(i < Batch ? i + 2 : i - Batch);
            shape[i] = extents[i < Batch ? matrix_extents + i : i == Batch ? 0 : 2];
            from.stride[axis] = operands[3].stride[slot];
            to.stride[axis] = operands[2].stride[slot];
        }
        Device::template copy<T>(Batch + 2, shape, from, to);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
