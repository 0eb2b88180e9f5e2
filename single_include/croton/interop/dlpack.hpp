// SPDX-License-Identifier: MIT
// Arrays of NumPy, PyTorch, JAX and others by DLPack, and arrays for them, without a copy: a header for those who hand them over.
#ifndef CROTON_INTEROP_DLPACK_HPP
#define CROTON_INTEROP_DLPACK_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <croton/croton.hpp>
#include <croton/interop/dlpack_structs.hpp>
#include <croton/interop/held_view.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class T> constexpr dlpack::code dlpack_code() {
    if constexpr (std::is_same_v<T, bool>) return dlpack::code::boolean;
    else if constexpr (std::is_same_v<T, bfloat16>) return dlpack::code::brain;
    else if constexpr (!std::is_integral_v<T>) return dlpack::code::floating;
    else return std::is_signed_v<T> ? dlpack::code::integer : dlpack::code::unsigned_integer;
}

/// float32, bool, ...: as NumPy calls what a tensor holds.
inline std::string dlpack_type_text(int code, int bits, int lanes) {
    std::string text;
    switch (static_cast<dlpack::code>(code)) {
    case dlpack::code::integer: text = "int"; break;
    case dlpack::code::unsigned_integer: text = "uint"; break;
    case dlpack::code::floating: text = "float"; break;
    case dlpack::code::brain: text = "bfloat"; break;
    case dlpack::code::boolean: text = "bool"; break;
    default: text = message({"elements of code ", code, " with ", bits, " bits"});
    }
    if (text.back() != 's' && text != "bool") text += std::to_string(bits);
    return lanes == 1 ? text : message({text, " in groups of ", lanes});
}

/// Throws where a tensor does not lie where `Device` reads it.
template <class Device, class Tensor> void check_dlpack_place(const Tensor& x) {
    const auto place = static_cast<dlpack::place>(x.device.device_type);
    if constexpr (memory<Device>::on_host) {
        if (place == dlpack::place::cpu || place == dlpack::place::cuda_host || place == dlpack::place::cuda_managed) return;
        refuse<value_error>({"from_dlpack: the tensor lies on a device of type ", static_cast<int>(x.device.device_type), ", which the host cannot read; copy it to the host first",
                             place == dlpack::place::cuda ? ", or ask for it where it lies, as in from_dlpack<float, 2, cuda>(tensor)" : ""});
    } else {
        if (place != dlpack::place::cuda && place != dlpack::place::cuda_managed)
            refuse<value_error>({"from_dlpack: the tensor lies on a device of type ", static_cast<int>(x.device.device_type), ", but is asked for on ", device_name<Device>,
                                 "; ask for it on the host and copy it from there"});
        if (const int here = Device::index(); place == dlpack::place::cuda && x.device.device_id != here)
            refuse<value_error>({"from_dlpack: the tensor lies on GPU ", x.device.device_id, ", but this thread works on GPU ", here, "; choose the other one first, by ", device_name<Device>, "::scoped_device"});
    }
}

/// Throws where the elements of a tensor are none of `T` with `Rank` axes.
template <class T, int Rank, class Tensor> void check_dlpack(const Tensor& x) {
    using value_type = std::remove_const_t<T>;
    constexpr int bits = 8 * static_cast<int>(sizeof(value_type));
    if (x.dtype.lanes != 1 || x.dtype.bits != bits || x.dtype.code != static_cast<std::uint8_t>(dlpack_code<value_type>()))
        refuse<value_error>({"from_dlpack: the tensor holds ", dlpack_type_text(x.dtype.code, x.dtype.bits, x.dtype.lanes), ", but is asked for as ",
                             dlpack_type_text(static_cast<int>(dlpack_code<value_type>()), bits, 1)});
    if (x.ndim != Rank)
        refuse<shape_error>({"from_dlpack: the tensor ", shape_text(x.shape, x.ndim < max_rank ? x.ndim : max_rank), " has ", x.ndim,
                             x.ndim == 1 ? " axis" : " axes", ", but is asked for with ", Rank});
    if ((reinterpret_cast<std::uintptr_t>(x.data) + x.byte_offset) % alignof(value_type) != 0)
        refuse<value_error>({"from_dlpack: the elements do not lie at multiples of their size, where the processor reads them"});
}

/// Calls `f` while this thread works on a GPU: deleters are called by any thread.
template <class Device, class F> void on_gpu(int index, F f) {
    const typename Device::scoped_device here(index);
    f();
}

/// Takes a tensor: what is wrong with it is said, and then it is given back.
template <class T, int Rank, class Device, class Managed, class GiveBack> held_view<T, Rank, Device> take_dlpack(Managed* tensor, GiveBack give_back) {
    if (tensor == nullptr) refuse<value_error>({"from_dlpack: there is no tensor, the pointer is null"});
    std::shared_ptr<Managed> owner(tensor, [give_back](Managed* taken) {
        give_back();
        if (taken->deleter != nullptr) taken->deleter(taken);
    });
    if constexpr (dlpack::versioned<Managed>) {
        if (tensor->version.major != dlpack::major_version)
            refuse<value_error>({"from_dlpack: the tensor is of version ", tensor->version.major, " of DLPack, and only version ", dlpack::major_version, " is known"});
        if (!std::is_const_v<T> && (tensor->flags & dlpack::read_only) != 0)
            refuse<value_error>({"from_dlpack: the tensor may only be read; ask for const elements, as in from_dlpack<const float, 2>(tensor)"});
    }
    const auto& x = tensor->dl_tensor;
    check_dlpack_place<Device>(x);
    check_dlpack<T, Rank>(x);
    extents_of<Rank> extents{}, strides{};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) extents[axis] = x.shape[axis];
    if (x.strides == nullptr) strides = row_major_strides<Rank>(extents);
    else
        for (std::size_t axis = 0; axis < strides.size(); ++axis) strides[axis] = x.strides[axis];
    // The position of the first element is that of nothing where there is none.
    T* const data = x.data == nullptr ? nullptr : reinterpret_cast<T*>(static_cast<std::byte*>(x.data) + x.byte_offset);
    return {data, extents, strides, std::move(owner)};
}

/// Makes a tensor that holds a share in its elements. Its deleter calls `release` first.
template <class Managed, class T, int Rank, class Device, class Release> Managed* make_dlpack(held_view<T, Rank, Device> x, Release release) {
    static_assert(dlpack::versioned<Managed> || !std::is_const_v<T>, "croton: before version 1 of DLPack a tensor cannot say that it may only be read");
    using value_type = std::remove_const_t<T>;
    struct package {
        Managed managed;
        held_view<T, Rank, Device> elements;
        Release release;
        extents_of<Rank> extents, strides;
    };
    auto made = std::make_unique<package>(package{{}, std::move(x), release, {}, {}});
    made->extents = made->elements.extents();
    made->strides = made->elements.strides();
    Managed& managed = made->managed;
    managed.manager_ctx = made.get();
    managed.deleter = [](Managed* tensor) {
        const std::unique_ptr<package> gone(static_cast<package*>(tensor->manager_ctx));
        gone->release();
    };
    if constexpr (dlpack::versioned<Managed>) {
        managed.version = {dlpack::major_version, dlpack::minor_version};
        managed.flags = std::is_const_v<T> ? dlpack::read_only : 0;
    }
    auto& tensor = managed.dl_tensor;
    tensor.data = made->elements.size() == 0 ? nullptr : const_cast<value_type*>(made->elements.data());
    constexpr auto place = memory<Device>::on_host ? dlpack::place::cpu : dlpack::place::cuda;
    tensor.device.device_type = static_cast<decltype(tensor.device.device_type)>(place);
    tensor.device.device_id = 0;
    if constexpr (!memory<Device>::on_host) tensor.device.device_id = Device::index_of(tensor.data);
    tensor.ndim = Rank;
    tensor.dtype = {static_cast<std::uint8_t>(dlpack_code<value_type>()), static_cast<std::uint8_t>(8 * sizeof(value_type)), 1};
    tensor.shape = made->extents.data();
    tensor.strides = made->strides.data();
    tensor.byte_offset = 0;
    return &made.release()->managed;
}

template <class Device, class T, int Rank> auto held_array(array<T, Rank, Device>&& x) {
    return held_view<T, Rank, array_device<Device>>(std::make_shared<array<T, Rank, Device>>(std::move(x)));
}

}  // namespace detail

/// The elements that a tensor names, where they lie: `from_dlpack<float, 2>(tensor)`, or `from_dlpack<const float, 2>` of one that may only be read.
/// It takes the tensor, of either version, and calls its deleter when the last copy of the result has gone. Throws `value_error` where it holds another
/// element type, lies where the host cannot read, may only be read or is of a version that is not known, and `shape_error` where it has other
/// axes; the tensor is given back before.
///
/// `from_dlpack<float, 2, cuda>(tensor)` takes one of the GPU that this thread works on. It must have been asked for with the stream of this thread, in Python
/// `x.__dlpack__(stream=s)` where s is `cuda::stream()` as a number: the producer sees to it that the elements are there. Before it is given back the host
/// waits for what has been asked for.
template <class T, int Rank, class Device = cpu, dlpack::managed Managed> held_view<T, Rank, Device> from_dlpack(Managed* tensor) {
    if constexpr (memory<Device>::on_host) return detail::take_dlpack<T, Rank, Device>(tensor, [] {});
    else return detail::take_dlpack<T, Rank, Device>(tensor, [gpu = Device::index()] { detail::on_gpu<Device>(gpu, [] { Device::drain(); }); });
}
/// The same of a producer that works on stream `producer`: this thread's stream waits for what is queued there, and that one, before the tensor is given back,
/// for what uses the elements. The host waits for nothing. The stream must live as long.
template <class T, int Rank, class Device, dlpack::managed Managed> requires (!memory<Device>::on_host)
held_view<T, Rank, Device> from_dlpack(Managed* tensor, typename Device::stream_type producer) {
    auto taken = detail::take_dlpack<T, Rank, Device>(tensor, [producer, gpu = Device::index()] { detail::on_gpu<Device>(gpu, [&] { Device::let_wait(producer); }); });
    Device::wait_for(producer);
    return taken;
}

/// A tensor for another library, that of DLPack 1 or, as `to_dlpack<dlpack::DLManagedTensor>(x)`, of the versions before it. The elements live until
/// its deleter is called. Those on a GPU are there when this returns, and the deleter waits for the whole GPU, because nobody knows where they are used.
template <dlpack::managed Managed = dlpack::DLManagedTensorVersioned, class T, int Rank, class Device> Managed* to_dlpack(held_view<T, Rank, Device> x) {
    if constexpr (memory<Device>::on_host) {
        return detail::make_dlpack<Managed>(std::move(x), [] {});
    } else {
        const int gpu = Device::index_of(x.data());
        detail::on_gpu<Device>(gpu, [] { Device::drain(); });
        return detail::make_dlpack<Managed>(std::move(x), [gpu] { detail::on_gpu<Device>(gpu, [] { Device::wait_for_all(); }); });
    }
}
/// The same for a consumer that works on stream `consumer`, in Python the number that `__dlpack__` is given: that stream waits for the elements, and their memory goes,
/// when the deleter is called, to nobody before what is queued there by then. The host waits for nothing. The stream must live as long.
template <dlpack::managed Managed = dlpack::DLManagedTensorVersioned, class T, int Rank, class Device> requires (!memory<Device>::on_host)
Managed* to_dlpack(held_view<T, Rank, Device> x, typename Device::stream_type consumer) {
    const int gpu = Device::index_of(x.data());
    detail::on_gpu<Device>(gpu, [&] { Device::let_wait(consumer); });
    return detail::make_dlpack<Managed>(std::move(x), [consumer, gpu] { detail::on_gpu<Device>(gpu, [&] { Device::wait_for(consumer); }); });
}

/// The same of an array, which is given away: `to_dlpack(std::move(x))`. To keep a share, hold it by `held_view(std::make_shared<...>(...))`.
template <dlpack::managed Managed = dlpack::DLManagedTensorVersioned, class T, int Rank, class Device> Managed* to_dlpack(array<T, Rank, Device>&& x) {
    return to_dlpack<Managed>(detail::held_array(std::move(x)));
}
template <dlpack::managed Managed = dlpack::DLManagedTensorVersioned, class T, int Rank, class Device> requires (!memory<Device>::on_host)
Managed* to_dlpack(array<T, Rank, Device>&& x, typename Device::stream_type consumer) {
    return to_dlpack<Managed>(detail::held_array(std::move(x)), consumer);
}
/// Of one that goes on to be used by its name: a compile-time error.
template <dlpack::managed Managed = dlpack::DLManagedTensorVersioned, class Array> requires detail::array_like<Array>
Managed* to_dlpack(const Array&) {
    static_assert(std::is_void_v<Array>, "croton: another library would keep elements that it does not own; give the array away by to_dlpack(std::move(x)), or a "
                                         "copy, or hold it by held_view(std::make_shared<array<float, 2>>(x))");
    return nullptr;
}

}  // namespace croton::inline v0_1

#endif
