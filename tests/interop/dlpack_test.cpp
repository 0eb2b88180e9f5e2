// SPDX-License-Identifier: MIT
// DLPack in and out, without Python: layouts, element types, owners, and the sentences about what does not fit.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <croton/interop/dlpack.hpp>

#include "message_of.hpp"

using namespace croton;

namespace {

// The layout that every library has compiled in.
static_assert(sizeof(dlpack::DLDevice) == 8 && sizeof(dlpack::DLDataType) == 4);
static_assert(offsetof(dlpack::DLTensor, device) == sizeof(void*) && offsetof(dlpack::DLTensor, ndim) == sizeof(void*) + 8);
static_assert(offsetof(dlpack::DLTensor, dtype) == sizeof(void*) + 12 && offsetof(dlpack::DLTensor, shape) == sizeof(void*) + 16);
static_assert(offsetof(dlpack::DLTensor, strides) == 2 * sizeof(void*) + 16);
static_assert(offsetof(dlpack::DLManagedTensorVersioned, manager_ctx) == 8 && offsetof(dlpack::DLManagedTensorVersioned, deleter) == 8 + sizeof(void*));
static_assert(sizeof(void*) != 8 || (sizeof(dlpack::DLTensor) == 48 && sizeof(dlpack::DLManagedTensor) == 64 && sizeof(dlpack::DLManagedTensorVersioned) == 80 &&
                                     offsetof(dlpack::DLManagedTensorVersioned, dl_tensor) == 32));

/// Another library's declaration of the same: the device is an enumeration.
namespace elsewhere {
enum kind : std::int32_t { on_cpu = 1, on_gpu = 2 };
struct tensor {
    void* data;
    struct {
        kind device_type;
        std::int32_t device_id;
    } device;
    std::int32_t ndim;
    struct {
        std::uint8_t code, bits;
        std::uint16_t lanes;
    } dtype;
    std::int64_t *shape, *strides;
    std::uint64_t byte_offset;
};
struct managed {
    tensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(managed*);
};
}  // namespace elsewhere

/// What a producer hands out: its deleter counts.
template <class Managed = dlpack::DLManagedTensorVersioned> struct producer {
    std::vector<float> memory{0, 1, 2, 3, 4, 5, 6, 7};
    std::int64_t shape[2] = {2, 3}, strides[2] = {4, 1};
    int freed = 0;
    Managed managed{};

    producer() {
        managed.manager_ctx = this;
        managed.deleter = [](Managed* m) { ++static_cast<producer*>(m->manager_ctx)->freed; };
        if constexpr (dlpack::versioned<Managed>) managed.version = {1, 1};
        auto& t = managed.dl_tensor;
        t.data = memory.data();
        t.device.device_type = static_cast<decltype(t.device.device_type)>(1);
        t.ndim = 2;
        t.dtype = {2, 32, 1};
        t.shape = shape;
        t.strides = strides;
    }
    template <class T, int Rank> std::string refusal() {
        const int before = freed;
        const std::string said = test::message_of([&] { static_cast<void>(from_dlpack<T, Rank>(&managed)); });
        if (!said.empty()) CHECK(freed == before + 1);
        return said;
    }
};

template <class T> void check_type(int code, int bits) {
    auto* out = to_dlpack(array<T, 1>::full({3}, static_cast<T>(1)));
    CHECK(out->dl_tensor.dtype.code == code);
    CHECK(out->dl_tensor.dtype.bits == bits);
    CHECK(out->dl_tensor.dtype.lanes == 1);
    const auto in = from_dlpack<T, 1>(out);
    CHECK(in.as_view() == array<T, 1>::full({3}, static_cast<T>(1)));
}

}  // namespace

TEST_CASE_TEMPLATE("in: where it lies, as long as a copy is there", M, dlpack::DLManagedTensor, dlpack::DLManagedTensorVersioned, elsewhere::managed) {
    producer<M> p;
    {
        auto x = from_dlpack<float, 2>(&p.managed);
        CHECK(x.as_view() == array<float, 2>{{0, 1, 2}, {4, 5, 6}});
        CHECK(x.data() == p.memory.data());
        x.as_view()(1, 2) = 60;
        CHECK(p.memory[6] == 60);
        x(0) += 10;
        x(slice(), slice(none, none, -1)) -= x(slice(), 0)(slice(), none);
        CHECK(x[0] == array<float, 1>{0, 1, 2});
        x(1) = {4, 5, 60};
        const array<float, 2> own = x;
        CHECK(own == array<float, 2>{{0, 1, 2}, {4, 5, 60}});
        for (auto row : x.rows()) row *= 1;
        CHECK(!x.empty());
        auto copy = x;
        x = from_dlpack<float, 2>(&p.managed);
        CHECK(p.freed == 0);
        CHECK(copy(1, 2) == 60);
    }
    CHECK(p.freed == 2);
    {
        const auto e = from_dlpack<float, 2>(&p.managed) * 2 + from_dlpack<const float, 2>(&p.managed);
        CHECK(p.freed == 2);
        CHECK(e == array<float, 2>{{0, 3, 6}, {12, 15, 180}});
    }
    CHECK(p.freed == 4);
    auto f = function<cpu>([](matrix<float> x) { return sum<0>(x); });
    CHECK(f(from_dlpack<float, 2>(&p.managed)) == array<float, 1>{4, 6, 62});
    CHECK(p.freed == 5);
    p.managed.dl_tensor.strides = nullptr;
    p.managed.dl_tensor.byte_offset = 4;
    CHECK(from_dlpack<float, 2>(&p.managed) == array<float, 2>{{1, 2, 3}, {4, 5, 60}});
    p.managed.deleter = nullptr;
    CHECK(from_dlpack<float, 2>(&p.managed)(0, 0) == 1);
}

TEST_CASE("in: what does not fit is a sentence, and given back") {
    producer<> p;
    auto& t = p.managed.dl_tensor;
    CHECK(p.refusal<double, 2>() == "from_dlpack: the tensor holds float32, but is asked for as float64");
    CHECK(p.refusal<int, 2>() == "from_dlpack: the tensor holds float32, but is asked for as int32");
    CHECK(p.refusal<float, 1>() == "from_dlpack: the tensor [2,3] has 2 axes, but is asked for with 1");
    t.dtype = {5, 64, 1};
    CHECK(p.refusal<float, 2>() == "from_dlpack: the tensor holds elements of code 5 with 64 bits, but is asked for as float32");
    t.dtype = {2, 32, 4};
    CHECK(p.refusal<float, 2>() == "from_dlpack: the tensor holds float32 in groups of 4, but is asked for as float32");
    t.dtype = {6, 8, 1};
    CHECK(p.refusal<std::uint8_t, 2>() == "from_dlpack: the tensor holds bool, but is asked for as uint8");
    t.dtype = {2, 32, 1};
    t.byte_offset = 2;
    CHECK(p.refusal<float, 2>() == "from_dlpack: the elements do not lie at multiples of their size, where the processor reads them");
    t.byte_offset = 0;
    t.device.device_type = 2;
    CHECK(p.refusal<float, 2>() == "from_dlpack: the tensor lies on a device of type 2, which the host cannot read; copy it to the host first, or ask for it where it lies, as in "
          "from_dlpack<float, 2, cuda>(tensor)");
    t.device.device_type = 3;  // of CUDA, on the host
    CHECK(p.refusal<float, 2>().empty());
    p.shape[0] = -1;
    CHECK(p.refusal<float, 2>() == "the extents [-1,3] are not an array's: axis 0 is negative");
    p.shape[0] = 2;
    p.managed.flags = dlpack::read_only;
    CHECK(p.refusal<float, 2>() == "from_dlpack: the tensor may only be read; ask for const elements, as in from_dlpack<const float, 2>(tensor)");
    CHECK(p.refusal<const float, 2>().empty());
    p.managed.version = {2, 0};
    CHECK(p.refusal<const float, 2>() == "from_dlpack: the tensor is of version 2 of DLPack, and only version 1 is known");
    CHECK_THROWS_AS((from_dlpack<float, 1>(static_cast<dlpack::DLManagedTensor*>(nullptr))), value_error);
}

TEST_CASE("out: an array that is given away, one that is shared") {
    array<float, 2> x{{1, 2, 3}, {4, 5, 6}};
    const float* const at = x.data();
    auto* out = to_dlpack(std::move(x));
    CHECK(out->version.major == 1);
    CHECK(out->flags == 0);
    CHECK(out->dl_tensor.data == at);
    CHECK(out->dl_tensor.ndim == 2);
    CHECK(out->dl_tensor.shape[1] == 3);
    CHECK(out->dl_tensor.strides[0] == 3);
    CHECK(out->dl_tensor.device.device_type == 1);
    out->deleter(out);

    const auto shared_array = std::make_shared<array<double, 1>>(array<double, 1>{1, 2, 3});
    auto* first = to_dlpack<dlpack::DLManagedTensor>(held_view(shared_array));
    auto* second = to_dlpack<elsewhere::managed>(held_view(shared_array));
    CHECK(shared_array.use_count() == 3);
    CHECK(second->dl_tensor.device.device_type == elsewhere::on_cpu);
    first->deleter(first);
    (*shared_array)(0) = 10;
    CHECK(static_cast<double*>(second->dl_tensor.data)[0] == 10);
    second->deleter(second);
    CHECK(shared_array.use_count() == 1);

    const held_view part(shared_array->as_view()(slice(none, none, -2)), shared_array);
    auto* backwards = to_dlpack(part);
    CHECK(backwards->dl_tensor.strides[0] == -2);
    CHECK(from_dlpack<double, 1>(backwards) == array<double, 1>{3, 10});

    auto* constant = to_dlpack(held_view(std::make_shared<const array<int, 1>>(array<int, 1>{1})));
    CHECK(constant->flags == dlpack::read_only);
    constant->deleter(constant);

    auto* none_there = to_dlpack(array<float, 2>(0, 3));
    CHECK(none_there->dl_tensor.data == nullptr);
    CHECK(from_dlpack<float, 2>(none_there).extent(1) == 3);
    auto* number = to_dlpack(eval(sum(array<float, 1>{1, 2})));
    CHECK(number->dl_tensor.ndim == 0);
    CHECK(from_dlpack<float, 0>(number)() == 3);
}

TEST_CASE("out: what it goes through comes back") {
    producer<> p;
    auto* again = to_dlpack(from_dlpack<float, 2>(&p.managed));
    CHECK(p.freed == 0);
    CHECK(again->dl_tensor.data == p.memory.data());
    CHECK(again->dl_tensor.strides[0] == 4);
    again->deleter(again);
    CHECK(p.freed == 1);
}

TEST_CASE("element types") {
    check_type<bool>(6, 8);
    check_type<std::int8_t>(0, 8);
    check_type<std::int16_t>(0, 16);
    check_type<std::int32_t>(0, 32);
    check_type<std::int64_t>(0, 64);
    check_type<std::uint8_t>(1, 8);
    check_type<std::uint16_t>(1, 16);
    check_type<std::uint32_t>(1, 32);
    check_type<std::uint64_t>(1, 64);
    check_type<half>(2, 16);
    check_type<bfloat16>(4, 16);
    check_type<float>(2, 32);
    check_type<double>(2, 64);
    CHECK(std::string(dlpack::capsule_name<dlpack::DLManagedTensor>) == "dltensor");
    CHECK(std::string(dlpack::used_capsule_name<dlpack::DLManagedTensorVersioned>) == "used_dltensor_versioned");
}
