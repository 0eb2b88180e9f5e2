// SPDX-License-Identifier: MIT
// The structures by which DLPack hands tensors over, laid out as its specification says.
#ifndef CROTON_INTEROP_DLPACK_STRUCTS_HPP
#define CROTON_INTEROP_DLPACK_STRUCTS_HPP

#include <concepts>
#include <cstdint>

/// Those of <dlpack/dlpack.h>, of whatever version, have other types and the same members: they are taken and given as well.
namespace croton::inline v0_1::dlpack {

struct DLPackVersion {
    std::uint32_t major, minor;
};

struct DLDevice {
    std::int32_t device_type, device_id;
};

struct DLDataType {
    std::uint8_t code, bits;
    std::uint16_t lanes;
};

/// Strides are in elements; where there are none the elements are dense in row-major order.
struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};

/// Of the versions before 1.
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);
};

struct DLManagedTensorVersioned {
    DLPackVersion version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned*);
    std::uint64_t flags;
    DLTensor dl_tensor;
};

/// What a tensor holds, and where it lies.
enum class code : std::uint8_t { integer = 0, unsigned_integer = 1, floating = 2, brain = 4, boolean = 6 };
enum class place : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

inline constexpr std::uint32_t major_version = 1, minor_version = 0;
inline constexpr std::uint64_t read_only = 1;  // a flag

/// A tensor and who must be told when it is needed no longer.
template <class M>
concept managed = requires(M& m) {
    { m.dl_tensor.byte_offset } -> std::convertible_to<std::uint64_t>;
    m.manager_ctx;
    m.deleter(&m);
};
template <class M>
concept versioned = managed<M> && requires(M& m) {
    m.version.major;
    m.flags;
};

/// What Python calls a capsule with such a pointer, and one whose pointer has been taken.
template <managed M> inline constexpr const char* capsule_name = versioned<M> ? "dltensor_versioned" : "dltensor";
template <managed M> inline constexpr const char* used_capsule_name = versioned<M> ? "used_dltensor_versioned" : "used_dltensor";

}  // namespace croton::inline v0_1::dlpack

#endif
