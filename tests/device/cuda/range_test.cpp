// SPDX-License-Identifier: MIT
// The ranges that Nsight shows: a listener stands where its library would, and writes down what it is told.
#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <croton/config.hpp>

#if CROTON_HAS_NVTX

// The listener is part of this program.
extern "C" int (*InitializeInjectionNvtx2_fnptr)(const void* (*)(std::uint32_t));
#define NVTX_STATIC_INJECTION_IMPL
#include <nvtx3/nvToolsExt.h>

namespace {

std::vector<std::string> heard;

nvtxDomainHandle_t create(const char* name) {
    heard.push_back(std::string("domain ") + name);
    return reinterpret_cast<nvtxDomainHandle_t>(&heard);
}
int push(nvtxDomainHandle_t, const nvtxEventAttributes_t* said) {
    heard.push_back(said->message.ascii);
    return 0;
}
int pop(nvtxDomainHandle_t) {
    heard.push_back("end");
    return 0;
}
int listen(NvtxGetExportTableFunc_t table) {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable functions = nullptr;
    unsigned size = 0;
    if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &size) == 0) return 0;
    *functions[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&create);
    *functions[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
    *functions[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
    return 1;
}

}  // namespace

NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = &listen;

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"

using namespace croton;

TEST_CASE("a call and its steps have ranges, with and without a profile") {
    auto f = function<emulated_gpu>("residual", [](matrix<float> x, vector<float> w, vector<float> y) {
        return sqr(dot(named(x, "x"), named(w, "w")) - named(y, "y"));
    });
    const array<float, 2> x{{1, 2}, {3, 4}};
    const array<float, 1> w{1, 1}, y{3, 5};
    const std::vector<std::string> one_call{"residual", "step 1: t1 = x w", "end", "step 2: output 1 = sqr(t1 - y)", "end", "end"};
    heard.clear();
    CHECK(f(x, w, y).to<cpu>() == array<float, 1>{0, 4});
    REQUIRE(!heard.empty());
    CHECK(heard.front() == "domain croton");
    heard.erase(heard.begin());
    CHECK(heard == one_call);
    heard.clear();
    {
        profile scope{"measured"};
        f(x, w, y);
    }
    CHECK(heard == one_call);
    // A replayed graph is one range.
    heard.clear();
    emulated_gpu::recording::silent = true;
    array<float, 1, emulated_gpu> out(2);
    for (int i = 0; i < 2; ++i) f.call_into(out, x, w, y);
    emulated_gpu::recording::silent = false;
    std::vector<std::string> expected = one_call;
    expected.insert(expected.end(), {"residual", "end"});
    CHECK(heard == expected);
}

TEST_CASE("a step that fails ends its range") {
    heard.clear();
    try {
        const detail::cuda_device::range outer("outer");
        const detail::cuda_device::range inner("inner");
        throw std::runtime_error("failed");
    } catch (const std::runtime_error&) {
    }
    CHECK(heard == std::vector<std::string>{"outer", "inner", "end", "end"});
}

#else

TEST_CASE("ranges are heard" * doctest::skip()) {}

#endif
