// SPDX-License-Identifier: MIT
// What W1 to W5 ask of a GPU with 132 processors, as text: the nodes of their graphs, grids and blocks, and the bytes that are on the way at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include "device/logged_cuda.hpp"

#include "../bench/workloads.hpp"

namespace {

namespace device = croton::detail::cuda_device;

/// A GPU whose launches say what they are.
struct described_gpu : device::gpu {
    /// The bytes that a thread asks for before it waits for some of them.
    template <class Kernel, int Width> struct flight;
    template <int O, int I, class U, class Row, class... Phases, int Width> struct flight<croton::kernel::kernel<O, I, U, Row, Phases...>, Width> {
        using type = croton::kernel::kernel<O, I, U, Row, Phases...>;
        template <class Args, class... Stream> static std::int64_t of(const Args& a, croton::kernel::block<Stream...>) {
            return (std::int64_t{0} + ... + (a.stride[Stream::slot][O + device::bound<I> - 1] == 0 ? 0 : Width * croton::kernel::memory_bytes<typename Stream::element>));
        }
        template <device::entry Entry, class Args> static std::int64_t of(const Args& a) {
            if constexpr (Entry == device::entry::held) {
                using held = device::held_row<type, Width>;
                return of(a, typename held::loads{}) * std::min<std::int64_t>(held::most, (a.pieces + a.group - 1) / a.group);
            } else {
                const std::int64_t piece = std::max({std::int64_t{0}, of(a, typename device::streams_of<croton::kernel::listed_t<typename device::parts<Phases>::element>>::loads{})...});
                if constexpr (Entry == device::entry::main) return piece * device::body<type, Width>::in_flight;
                else if constexpr (Entry == device::entry::columns) return piece * device::column_body<type, Width>::in_flight;
                else return 0;
            }
        }
    };
    static void say(const char* entry, std::int64_t blocks, std::int64_t bytes) {
        logged::note = std::string(": ") + entry;
        if (bytes == 0) return;
        // As many blocks as a processor has threads for, where registers allow it.
        const std::int64_t at_once = std::min<std::int64_t>(blocks, 8 * processors());
        logged::note += ", " + std::to_string(bytes) + " bytes a thread, at most " + std::to_string(at_once * threads * bytes / 1024) + " KiB on the way";
    }

    template <class Kernel, int Width, device::entry Entry, class Args> static void launch(std::int64_t blocks, const Args& a) {
        static constexpr const char* names[] = {"numbers first", "loop", "rows held", "squares", "columns", "end of sums"};
        say(names[static_cast<int>(Entry)], blocks, flight<Kernel, Width>::template of<Entry>(a));
        device::gpu::launch<Kernel, Width, Entry>(blocks, a);
    }
    template <class Kernel, int Width, device::entry Entry, class Args, class Keys, class Then> static void launch_closed(std::int64_t blocks, const Args& a, Keys keys, const Then& then) {
        static constexpr const char* names[] = {"", "loop", "rows held", "", "columns", ""};
        say((std::string(names[static_cast<int>(Entry)]) + (a.closes ? ", and numbers" : "")).c_str(), blocks, flight<Kernel, Width>::template of<Entry>(a));
        device::gpu::launch_closed<Kernel, Width, Entry>(blocks, a, keys, then);
    }
    template <class Kernel, int Width, class Joined> static void launch_joined(std::int64_t blocks, const Joined& all) {
        say(("loops of " + std::to_string(all.count)).c_str(), blocks, flight<Kernel, Width>::template of<device::entry::main>(all.member[0]));
        device::gpu::launch_joined<Kernel, Width>(blocks, all);
    }
};

struct described : croton::cuda {
    template <class Kernel> static void run(const std::int64_t* extents, const croton::kernel::operand* slots, const std::int64_t* scalars) {
        device::engine<described_gpu, Kernel>::run(extents, slots, scalars);
    }
    template <class Kernel, class... Then>
    static void run_closed(const std::int64_t* extents, const croton::kernel::operand* slots, const croton::kernel::operand* const* then, const std::int64_t* scalars) {
        device::engine<described_gpu, Kernel>::template run_closed<Then...>(extents, slots, then, scalars);
    }
    template <class Kernel, int Count>
    static void run_joined(const std::int64_t* extents, const croton::kernel::operand* slots, int slot_count, const std::int64_t* scalars) {
        device::engine<described_gpu, Kernel>::template run_joined<Count>(extents, slots, slot_count, scalars);
    }
};

}  // namespace

template <> struct croton::memory<described> : croton::memory<croton::cuda> {};

namespace {

using namespace croton;

template <class T, int R> using there = array<T, R, described>;

/// The graph of what `call` queues when it comes again.
template <class Call> std::string graph_of(const std::string& name, Call&& call) {
    call();
    logged::lines.clear();
    call();
    std::string nodes;
    for (const std::string& line : logged::lines)
        if (line.starts_with("node: ")) nodes += "  " + line.substr(6) + "\n";
    return name + ": " + std::to_string(std::count(nodes.begin(), nodes.end(), '\n')) + " nodes\n" + nodes;
}

std::string products(std::int64_t n) {
    const auto f = bench::gemm_bias<described>();
    const there<float, 2> m(n, n), x(n, n), b(n, n);
    there<float, 2> y(n, n);
    return graph_of("W1 gemm_bias, " + std::to_string(n) + " x " + std::to_string(n), [&] { f.call_into(y, m, x, b); });
}
std::string exponentials(std::int64_t n) {
    const auto f = bench::exponential<described>();
    const there<float, 1> x(n);
    there<float, 1> y(n);
    return graph_of("W2 exp, " + std::to_string(n), [&] { f.call_into(y, x); });
}
std::string logistic(std::int64_t n) {
    const auto f = bench::logistic<described>();
    const there<float, 2> x(n, 784);
    const there<float, 1> y(n);
    there<float, 1> w(784), error(n);
    there<float, 0> b;
    there<bool, 1> prediction(n);
    auto results = std::tie(prediction, error);
    return graph_of("W3 logistic, " + std::to_string(n) + " x 784", [&] { f.call_into(results, x, y, w, b); });
}
std::string network(const std::string& how = "") {
    const auto f = bench::network<described>();
    using model = bench::mlp<on<described>::array>;
    const auto layer = [](int from, int to) { return bench::dense<on<described>::array>{there<float, 2>(from, to), there<float, 1>(to)}; };
    model net{layer(784, 1000), layer(1000, 1000), layer(1000, 10)};
    auto state = adam_state<model>::zeros_like(net);
    const there<float, 2> x(100, 784);
    const there<int, 1> label(100);
    there<float, 0> cost;
    return graph_of("W4 mlp_adam, 784-1000-1000-10, 100 samples" + how, [&] { f.call_into(cost, x, label, net, state); });
}
std::string with_fused_activations() {
    cuda::allow_fused_activations(true);
    const std::string text = network(", relu by cuBLASLt");
    cuda::allow_fused_activations(false);
    return text;
}
std::string composites(std::int64_t n) {
    const auto f = bench::composite<described>();
    const there<float, 1> x(n);
    there<float, 1> y(n);
    return graph_of("W5 composite, " + std::to_string(n), [&] { f.call_into(y, x, x, x, x, x, x, x); });
}

}  // namespace

template <auto Kernel> void name(const char* what) { logged::kernels[reinterpret_cast<const void*>(Kernel)] = what; }

TEST_CASE("launches.txt is what the workloads ask for") {
    const std::filesystem::path path = std::filesystem::path(__FILE__).parent_path() / "launches.txt";
    name<&device::set_factors<float>>("factors of a product");
    name<&device::check_factors<device::look::before, float, float>>("an addend times 0");
    name<&device::check_factors<device::look::behind, float, float>>("a product times 0");
    name<&device::check_bounds<int>>("a look at labels");
    std::string wanted = "The graphs of W1 to W5 on a GPU with 132 processors: nodes, grid x block, and bytes on the way where 8 blocks fit a processor.\n"
                         "Written by launches_test.cpp: CROTON_WRITE_PAGE=1 writes it anew.\n\n";
    for (const std::string& each : {products(1000), products(4096), exponentials(230'400), exponentials(std::int64_t{16} << 20), logistic(400), logistic(4000),
                                    logistic(40'000), network(), with_fused_activations(), composites(1'000'000), composites(std::int64_t{8} << 20)})
        wanted += each + "\n";
    std::fputs(wanted.c_str(), stdout);
    if (std::getenv("CROTON_WRITE_PAGE") != nullptr) std::ofstream(path) << wanted;
    std::ostringstream found;
    found << std::ifstream(path).rdbuf();
    CHECK_MESSAGE(found.str() == wanted, "CROTON_WRITE_PAGE=1 test_device_logged_launches writes it");
    CHECK(logged::faults.empty());
}
