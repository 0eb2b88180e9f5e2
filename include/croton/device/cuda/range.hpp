// SPDX-License-Identifier: MIT
// NVTX: what a host thread does, as named ranges on the time line of Nsight Systems.
#ifndef CROTON_DEVICE_CUDA_RANGE_HPP
#define CROTON_DEVICE_CUDA_RANGE_HPP

#include <croton/config.hpp>

#if CROTON_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace croton::inline v0_1::detail::cuda_device {

#if CROTON_HAS_NVTX

/// A range of this thread from here to the end of the C++ scope, in the domain `croton`. Ranges nest. Where no tool listens
/// there is no domain, and a range is one comparison.
class range {
public:
    /// Whether a tool listens: asked before a name is made up.
    static bool heard() noexcept { return domain() != nullptr; }

    /// `name` is copied by the tool.
    explicit range(const char* name) noexcept {
        if (!heard()) return;
        nvtxEventAttributes_t said{};
        said.version = NVTX_VERSION;
        said.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        said.messageType = NVTX_MESSAGE_TYPE_ASCII;
        said.message.ascii = name;
        (void)nvtxDomainRangePushEx(domain(), &said);
    }
    range(const range&) = delete;
    range& operator=(const range&) = delete;
    ~range() {
        if (heard()) (void)nvtxDomainRangePop(domain());
    }

private:
    // Tools attach when a program first speaks to them, and never later.
    static nvtxDomainHandle_t domain() noexcept {
        static const nvtxDomainHandle_t made = nvtxDomainCreateA("croton");
        return made;
    }
};

#else

class range {
public:
    static constexpr bool heard() noexcept { return false; }
    explicit range(const char*) noexcept {}
};

#endif

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
