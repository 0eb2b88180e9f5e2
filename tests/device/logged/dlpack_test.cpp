// SPDX-License-Identifier: MIT
// DLPack of memory of a GPU: where it lies, which stream waits for which, and who gives it back. Not yet run on a GPU.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "device/logged_cuda.hpp"
#include "message_of.hpp"

#include <croton/interop/dlpack.hpp>

using namespace croton;
using test::message_of;

namespace {

/// Another library's memory on the chosen device, and its stream.
struct producer {
    void* block = nullptr;
    std::int64_t shape[2] = {2, 3}, strides[2] = {4, 1};
    cudaStream_t stream{};
    int freed = 0;
    dlpack::DLManagedTensorVersioned managed{};

    producer() {
        (void)cudaMalloc(&block, 8 * sizeof(float));
        (void)cudaStreamCreateWithFlags(&stream, 0);
        managed.version = {1, 0};
        managed.manager_ctx = this;
        managed.deleter = [](dlpack::DLManagedTensorVersioned* m) {
            logged::say("given back");
            ++static_cast<producer*>(m->manager_ctx)->freed;
        };
        int device = 0;
        (void)cudaGetDevice(&device);
        managed.dl_tensor = {block, {2, device}, 2, {2, 32, 1}, shape, strides, 0};
    }
    ~producer() { (void)cudaFree(block); }
};

std::int64_t position(const std::string& part) {
    for (std::size_t i = 0; i < logged::lines.size(); ++i)
        if (logged::lines[i].find(part) != std::string::npos) return static_cast<std::int64_t>(i);
    return -1;
}
std::string event(cudaStream_t s) { return "event on " + logged::name(s); }
std::string wait(cudaStream_t s) { return "wait of " + logged::name(s); }

}  // namespace

TEST_CASE("out: the consumer's stream waits for the elements, and their memory for it") {
    cudaStream_t consumer{};
    (void)cudaStreamCreateWithFlags(&consumer, 0);
    array<float, 2, cuda> x(2, 3);
    const float* const at = x.data();
    logged::lines.clear();
    auto* out = to_dlpack(std::move(x), consumer);
    CHECK(out->dl_tensor.data == at);
    CHECK(out->dl_tensor.device.device_type == 2);
    CHECK(out->dl_tensor.device.device_id == 0);
    CHECK(out->dl_tensor.strides[0] == 3);
    CHECK(position(event(cuda::stream())) >= 0);
    CHECK(position(event(cuda::stream())) < position(wait(consumer)));
    logged::lines.clear();
    out->deleter(out);
    CHECK(position(event(consumer)) >= 0);
    CHECK(position(event(consumer)) < position(wait(cuda::stream())));
    CHECK(position(wait(cuda::stream())) < position("free on " + logged::name(cuda::stream())));
    CHECK(logged::count("all wait") == 0);
    CHECK(logged::faults.empty());
    CHECK(cuda::bytes_held() == 0);
}

TEST_CASE("out: without a stream the host waits") {
    const auto shared_array = std::make_shared<array<float, 1, cuda>>(array<float, 1, cuda>(5));
    auto* out = to_dlpack<dlpack::DLManagedTensor>(held_view(shared_array));
    CHECK(cuda::stream()->waiting.empty());
    CHECK(shared_array.use_count() == 2);
    logged::lines.clear();
    out->deleter(out);
    CHECK(logged::count("all wait") == 1);
    CHECK(logged::count("free on") == 0);
    CHECK(shared_array.use_count() == 1);
    CHECK(logged::faults.empty());
}

TEST_CASE("out: from the GPU that it lies on, given back by a thread that works on another") {
    cudaStream_t consumer{};
    dlpack::DLManagedTensorVersioned* out = nullptr;
    {
        const cuda::scoped_device on(1);
        (void)cudaStreamCreateWithFlags(&consumer, 0);
        array<double, 1, cuda> x(7);
        const cuda::scoped_device back(0);
        out = to_dlpack(std::move(x), consumer);
    }
    CHECK(out->dl_tensor.device.device_id == 1);
    std::thread([&] { out->deleter(out); }).join();
    CHECK(logged::faults.empty());
    CHECK(cuda::bytes_held() == 0);
}

TEST_CASE("in: an argument, a result and an operand where it lies") {
    producer p;
    const auto f = function<cuda>([](matrix<float> x) { return sum<0>(x) * 2; });
    logged::lines.clear();
    {
        auto x = from_dlpack<float, 2, cuda>(&p.managed, p.stream);
        CHECK(position(event(p.stream)) < position(wait(cuda::stream())));
        CHECK(x.data() == p.block);
        CHECK(x.stride(0) == 4);
        const array<float, 1, cuda> y = f(x);
        CHECK(y.extent(0) == 3);
        array<float, 2, cuda> z(2, 3);
        z = x * 2 + 1;
        z += x;
        x += z;
        logged::lines.clear();
    }
    CHECK(p.freed == 1);
    CHECK(logged::count("copy of") == 0);
    CHECK(position(event(cuda::stream())) >= 0);
    CHECK(position(event(cuda::stream())) < position(wait(p.stream)));
    CHECK(position(wait(p.stream)) < position("given back"));
    {
        const auto e = from_dlpack<const float, 2, cuda>(&p.managed) * 2;
        CHECK(p.freed == 1);
        const array<float, 2, cuda> z = e;
        CHECK(z.extent(1) == 3);
    }
    // Nobody has said who must wait: by then nothing is queued.
    CHECK(p.freed == 2);
    CHECK(cuda::stream()->waiting.empty());
    auto* again = to_dlpack(from_dlpack<float, 2, cuda>(&p.managed, p.stream), p.stream);
    CHECK(again->dl_tensor.data == p.block);
    CHECK(again->dl_tensor.device.device_id == 0);
    again->deleter(again);
    CHECK(p.freed == 3);
    CHECK(logged::faults.empty());
}

TEST_CASE("in: what lies elsewhere is a sentence, and given back") {
    producer p;
    CHECK(message_of([&] { static_cast<void>(from_dlpack<float, 2>(&p.managed)); }) ==
          "from_dlpack: the tensor lies on a device of type 2, which the host cannot read; copy it to the host first, or ask for it where it lies, as in from_dlpack<float, 2, cuda>(tensor)");
    CHECK(message_of([&] { static_cast<void>(from_dlpack<double, 2, cuda>(&p.managed)); }) == "from_dlpack: the tensor holds float32, but is asked for as float64");
    p.managed.dl_tensor.device.device_id = 1;
    CHECK(message_of([&] { static_cast<void>(from_dlpack<float, 2, cuda>(&p.managed, p.stream)); }) ==
          "from_dlpack: the tensor lies on GPU 1, but this thread works on GPU 0; choose the other one first, by cuda::scoped_device");
    p.managed.dl_tensor.device.device_type = 1;
    CHECK(message_of([&] { static_cast<void>(from_dlpack<float, 2, cuda>(&p.managed)); }) ==
          "from_dlpack: the tensor lies on a device of type 1, but is asked for on cuda; ask for it on the host and copy it from there");
    CHECK(p.freed == 4);
    CHECK(logged::faults.empty());
}
