// SPDX-License-Identifier: MIT
// The kernels of W1 to W5, for code.sh to look at their code; nothing of this runs. WORKLOAD: which of them.
#include "workloads.hpp"

#include <tuple>

using namespace croton;

template <class T, int R> using there = array<T, R, cuda>;

#if WORKLOAD == 1
void products(there<float, 2>& y, const there<float, 2>& m, const there<float, 2>& x, const there<float, 2>& b) { bench::gemm_bias<cuda>().call_into(y, m, x, b); }
#elif WORKLOAD == 2
void exponentials(there<float, 1>& y, const there<float, 1>& x) { bench::exponential<cuda>().call_into(y, x); }
#elif WORKLOAD == 3
void logistic(there<bool, 1>& p, there<float, 1>& e, const there<float, 2>& x, const there<float, 1>& y, there<float, 1>& w, there<float, 0>& b) {
    bench::logistic<cuda>().call_into(std::tie(p, e), x, y, w, b);
}
#elif WORKLOAD == 4
void network(there<float, 0>& cost, const there<float, 2>& x, const there<int, 1>& label, bench::mlp<on<cuda>::array>& net, adam_state<bench::mlp<on<cuda>::array>>& state) {
    bench::network<cuda>().call_into(cost, x, label, net, state);
}
#else
void composites(there<float, 1>& y, const there<float, 1>& x) { bench::composite<cuda>().call_into(y, x, x, x, x, x, x, x); }
#endif
