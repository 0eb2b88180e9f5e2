// SPDX-License-Identifier: MIT
// The CUDA runtime without a GPU: what is asked of it is logged, kernels do not run, and what a real one would refuse is refused.
// Two devices; memory is the host's. A launch takes the host 10 us and the device 2 us, so that a profile has something to measure.
#ifndef CROTON_TESTS_DEVICE_LOGGED_CUDA_RUNTIME_API_H
#define CROTON_TESTS_DEVICE_LOGGED_CUDA_RUNTIME_API_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)

enum cudaError_t {
    cudaSuccess,
    cudaErrorNoDevice,
    cudaErrorInsufficientDriver,
    cudaErrorMemoryAllocation,
    cudaErrorInvalidValue,
    cudaErrorInvalidResourceHandle,
    cudaErrorStreamCaptureUnsupported,
    cudaErrorIllegalState,
    cudaErrorGraphExecUpdateFailure,
    cudaErrorNotReady
};
enum { cudaStreamNonBlocking, cudaMemPoolAttrReleaseThreshold, cudaDevAttrMultiProcessorCount, cudaHostAllocMapped, cudaEventDisableTiming = 2 };
enum cudaMemcpyKind { cudaMemcpyDeviceToDevice, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated };

struct logged_stream;
struct logged_graph {
    std::vector<std::string> nodes;
    std::vector<logged_stream*> beside, back;  // what captures besides, and what of it has been waited for
};
struct logged_stream {
    int device = 0, number = 0;
    logged_graph* into = nullptr;           // where one captures
    bool beside = false;                    // it captures because it has waited for one that does
    std::int64_t time = 0;                  // of the device, ns
    std::vector<std::function<void()>> waiting;  // what has not begun
};
struct logged_event {
    logged_stream* stream = nullptr;
    std::int64_t time = 0;
    logged_graph* in = nullptr;  // where it was captured
};
using cudaGraph_t = logged_graph*;
using cudaGraphExec_t = logged_graph*;
using cudaStream_t = logged_stream*;
using cudaEvent_t = logged_event*;
using cudaMemPool_t = int*;
using cudaHostFn_t = void (*)(void*);
struct cudaGraphExecUpdateResultInfo {};
struct cudaFuncAttributes {};
struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace logged {

struct block {
    std::size_t bytes;
    int device;
};

/// One line for each thing that was asked for.
inline std::vector<std::string> lines;
/// What a real runtime would have got wrong: tests want none.
inline std::vector<std::string> faults;
inline std::map<void*, block> blocks;
inline std::size_t limit = std::size_t{1} << 40;  // of what all blocks take
inline std::string note;                          // what a test says about the launch that comes next
inline std::map<const void*, std::string> kernels;  // and about those that it knows
inline std::int64_t host_time = 0;
inline int streams = 0;
inline thread_local int device = 0;

inline void say(std::string line) { lines.push_back(std::move(line)); }
inline std::int64_t count(const std::string& part) {
    return std::count_if(lines.begin(), lines.end(), [&](const std::string& l) { return l.find(part) != std::string::npos; });
}
inline std::string name(cudaStream_t s) { return "stream " + std::to_string(s->number) + " of device " + std::to_string(s->device); }

/// Work of a stream: into its graph, or onto the stream, where it takes `cost` ns.
inline void queue(cudaStream_t s, const std::string& what, std::int64_t cost) {
    if (s->device != device) faults.push_back(what + " on " + name(s) + " while device " + std::to_string(device) + " is chosen");
    host_time += 10'000;
    if (s->into != nullptr) {
        s->into->nodes.push_back(s->beside ? "beside, " + what : what);
        say("node: " + s->into->nodes.back());
        return;
    }
    say(what + " on " + name(s));
    s->waiting.push_back([s, cost, asked = host_time] { s->time = std::max(s->time, asked) + cost; });
}
inline void finish(cudaStream_t s) {
    for (const auto& each : std::exchange(s->waiting, {})) each();
    host_time = std::max(host_time, s->time);
}
inline cudaError_t allocate(void** p, std::size_t bytes, int on) {
    std::size_t held = bytes;
    for (const auto& [at, b] : blocks) held += b.bytes;
    if (held > limit) return cudaErrorMemoryAllocation;
    const std::size_t rounded = (bytes + 255) / 256 * 256;
    *p = std::aligned_alloc(256, rounded);
    std::memset(*p, 0, rounded);
    blocks[*p] = {bytes, on};
    return cudaSuccess;
}
inline cudaError_t release(void* p, const std::string& how, int on) {
    const auto found = blocks.find(p);
    if (found == blocks.end()) {
        faults.push_back(how + " of what is no memory");
        return cudaErrorInvalidValue;
    }
    if (found->second.device != on) faults.push_back(how + " of memory of device " + std::to_string(found->second.device) + " on device " + std::to_string(on));
    blocks.erase(found);
    std::free(p);
    return cudaSuccess;
}
struct pool {
    int device;
};
inline int pools[2] = {0, 1};

}  // namespace logged

inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline const char* cudaGetErrorName(cudaError_t) { return "an error"; }
inline const char* cudaGetErrorString(cudaError_t code) { return code == cudaErrorIllegalState ? "a capture is under way" : "of the logging runtime"; }
inline cudaError_t cudaGetDeviceCount(int* n) { return *n = 2, cudaSuccess; }
inline cudaError_t cudaSetDevice(int d) { return logged::device = d, cudaSuccess; }
inline cudaError_t cudaGetDevice(int* d) { return *d = logged::device, cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int* v) { return *v = 12000, cudaSuccess; }
inline cudaError_t cudaDeviceGetAttribute(int* v, int, int) { return *v = 132, cudaSuccess; }
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* p, int d) { return *p = &logged::pools[d], cudaSuccess; }
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, int, void*) { return cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) { return *available = *total = logged::limit, cudaSuccess; }

/// One more of what is kept until the process ends: what waits in a stream may name an event that its owner has destroyed, and some owners never give streams back.
template <class T> T* kept() {
    static std::mutex one_at_a_time;
    static auto& all = *new std::deque<T>;
    const std::lock_guard lock(one_at_a_time);
    return &all.emplace_back();
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) {
    *s = kept<logged_stream>();
    (*s)->device = logged::device;
    (*s)->number = logged::streams++;
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t s) {
    if (s->into != nullptr) return cudaErrorStreamCaptureUnsupported;
    logged::finish(s);
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return logged::say("all wait"), cudaSuccess; }
inline cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
    *status = s->into != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    static thread_local cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
    return std::swap(*mode, now), cudaSuccess;
}

struct cudaPointerAttributes {
    int device = 0;
};
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* to, const void* at) {
    for (const auto& [from, b] : logged::blocks)
        if (const auto place = static_cast<const char*>(at) - static_cast<const char*>(from); place >= 0 && static_cast<std::size_t>(place) < b.bytes) return to->device = b.device, cudaSuccess;
    return cudaErrorInvalidValue;
}

inline cudaError_t cudaMalloc(void** p, std::size_t bytes) { return logged::allocate(p, bytes, logged::device); }
inline cudaError_t cudaFree(void* p) { return logged::release(p, "cudaFree", logged::device); }
inline cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t from, cudaStream_t s) {
    if (s->into != nullptr) logged::faults.push_back("memory taken inside a capture");
    if (*from != s->device) logged::faults.push_back("memory of one device taken on a stream of another");
    logged::say("take " + std::to_string(bytes) + " on " + logged::name(s));
    return logged::allocate(p, bytes, *from);
}
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
    if (s->into != nullptr) logged::faults.push_back("memory given back inside a capture");
    logged::say("free on " + logged::name(s));
    return logged::release(p, "cudaFreeAsync", s->device);
}
inline cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return *p = std::aligned_alloc(256, (bytes + 255) / 256 * 256), cudaSuccess; }
inline cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) { return cudaMallocHost(p, bytes); }
inline cudaError_t cudaHostGetDevicePointer(void** there, void* p, unsigned) { return *there = p, cudaSuccess; }
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t s) {
    logged::queue(s, "copy of " + std::to_string(bytes), 1000);
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t s) {
    logged::queue(s, "set of " + std::to_string(bytes), 1000);
    std::memset(to, value, bytes);
    return cudaSuccess;
}

inline cudaError_t cudaEventCreate(cudaEvent_t* e) { return *e = kept<logged_event>(), cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
    e->stream = s;
    e->in = s->into;
    if (s->into == nullptr) s->waiting.push_back([e, s, asked = logged::host_time] { e->time = s->time = std::max(s->time, asked); });
    logged::say("event on " + logged::name(s));
    return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned = 0) {
    logged::say("wait of " + logged::name(s));
    if (s->into != nullptr && e->in != s->into) logged::faults.push_back("a capture waits for what is outside of it");
    if (s->into == nullptr && e->in != nullptr) {
        s->into = e->in;
        s->beside = true;
        s->into->beside.push_back(s);
    } else if (s->into != nullptr && e->stream != s) {
        s->into->back.push_back(e->stream);
    }
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t e) {
    if (e->stream != nullptr) logged::finish(e->stream);
    return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
    return *ms = static_cast<float>(static_cast<double>(to->time - from->time) * 1e-6), cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void* data) {
    if (s->into != nullptr) logged::faults.push_back("a function of the host inside a capture");
    logged::say("host function on " + logged::name(s));
    // Whatever waits for it is asked for by then.
    s->waiting.push_back([s, f, data] {
        f(data);
        s->time = std::max(s->time, logged::host_time);
    });
    return cudaSuccess;
}

inline cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
    if (s->into != nullptr) {
        logged::faults.push_back("a capture inside a capture");
        return cudaErrorIllegalState;
    }
    s->into = new logged_graph;
    logged::say("capture");
    return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g) {
    *g = std::exchange(s->into, nullptr);
    for (cudaStream_t other : (*g)->beside) {
        if (std::count((*g)->back.begin(), (*g)->back.end(), other) == 0) logged::faults.push_back("a branch of a capture does not come back");
        other->into = nullptr;
        other->beside = false;
    }
    return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t g, unsigned) {
    *to = new logged_graph(*g);
    logged::say("new graph");
    return cudaSuccess;
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t to, cudaGraph_t g, cudaGraphExecUpdateResultInfo*) {
    if (to->nodes != g->nodes) return cudaErrorGraphExecUpdateFailure;
    logged::say("updated graph");
    return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t g) { return delete g, cudaSuccess; }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g) { return delete g, cudaSuccess; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t g, cudaStream_t s) {
    std::string what = "graph of " + std::to_string(g->nodes.size()) + ":";
    for (const std::string& n : g->nodes) what += " " + n + ";";
    logged::queue(s, what, 2000 * static_cast<std::int64_t>(g->nodes.size()));
    return cudaSuccess;
}

inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void*, int threads, std::size_t) { return *n = 2048 / threads, cudaSuccess; }
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void*) { return cudaSuccess; }
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void**, std::size_t, cudaStream_t s) {
    std::string what = std::exchange(logged::note, {});
    if (const auto known = logged::kernels.find(kernel); known != logged::kernels.end()) what += ": " + known->second;
    logged::queue(s, "launch of " + std::to_string(grid.x) + " x " + std::to_string(block.x) + what, 2000);
    return cudaSuccess;
}

// What device code says; it is compiled and never runs.
inline const dim3 threadIdx, blockIdx, gridDim;
inline void __syncthreads() {}
inline void __syncwarp(unsigned) {}
inline void __threadfence() {}
template <class T> T __shfl_xor_sync(unsigned, T v, int) { return v; }
inline int atomicCAS(int* p, int expected, int v) { return *p == expected ? std::exchange(*p, v) : *p; }
inline unsigned atomicAdd(unsigned* p, unsigned v) { return std::exchange(*p, *p + v); }

#endif
