#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What croton costs while compiling: seconds of a processor, peak memory and, where Linux counts them, instructions of one compiler at -O2; medians
# of three, of large graphs one run. Instructions are the same on a machine that is busy or slow. Of a further expression: the 20th part of what 20 more take a unit, and the
# bytes of code and constants.
# Not in the report: it counts seconds and memory of compilers, for which no library is a peer.
# usage: bash bench/compile_time.sh [compiler...]      without an argument: g++ and clang++, those that are there
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- g++ clang++
compilers=()
for compiler; do
    if command -v "$compiler" >/dev/null; then compilers+=("$compiler"); else echo "no $compiler here"; fi
done
[ ${#compilers[@]} -gt 0 ] || exit 1

# GNU time is not everywhere and bash reports no memory: a program of our own runs a command and prints both.
cat >"$work/measure.cpp" <<'CPP'
#include <cstdint>
#include <cstdio>
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int, char** argv) {
    int counter = -1;
#ifdef __linux__
    perf_event_attr what{};
    what.type = PERF_TYPE_HARDWARE;
    what.size = sizeof what;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.inherit = what.exclude_kernel = what.exclude_hv = 1;
    counter = static_cast<int>(syscall(SYS_perf_event_open, &what, 0, -1, -1, 0));
#endif
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    // The largest process below the driver is the compiler proper.
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
#ifdef __APPLE__
    const double bytes = static_cast<double>(used.ru_maxrss);
#else
    const double bytes = 1024.0 * static_cast<double>(used.ru_maxrss);
#endif
    std::uint64_t instructions = 0;
    if (counter < 0 || read(counter, &instructions, sizeof instructions) != sizeof instructions) instructions = 0;
    std::printf("%.2f %.0f %.1f\n", static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec), bytes / (1 << 20), static_cast<double>(instructions) * 1e-9);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
CPP
"${compilers[0]}" -O1 "$work/measure.cpp" -o "$work/measure"

cat >"$work/empty.cpp" <<'CPP'
int main() {}
CPP
cat >"$work/include.cpp" <<'CPP'
#ifdef FUNCTIONS
#include <croton/functions.hpp>
#else
#include <croton/croton.hpp>
#endif
int main() {}
CPP
# What croton.hpp reads of others: a part of its cost that is not croton's own.
grep -rhoE --exclude-dir=cuda '^#include <[a-z_]+>' "$root/include" | sort -u >"$work/standard.cpp"
cp "$work/standard.cpp" "$work/others.cpp"
printf '#if __has_include(<xsimd/xsimd.hpp>)\n#include <xsimd/xsimd.hpp>\n#endif\n' >>"$work/others.cpp"
cat >"$work/logistic.cpp" <<'CPP'
#include <croton/croton.hpp>
using namespace croton;
int main() {
    auto train = function<cpu>([](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                  shared<vector<float, dim("feature")>> w, shared<scalar<float>> b) {
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
    array<float, 2> x(400, 784);
    array<float, 1> y(400), w(784);
    array<float, 0> b;
    auto [prediction, error] = train(x, y, w, b);
    return prediction(0) ? 1 : 0;
}
CPP
# The same that prints a profile, and what of both does not depend on their function.
sed 's|^int main() {|&\n    profile p("training", std::cout);|; 1i #include <iostream>' "$work/logistic.cpp" >"$work/profile.cpp"
printf '#define CROTON_IMPLEMENTATION\n#include <croton/croton.hpp>\n' >"$work/code.cpp"
# Units of one and of 21 expressions on arrays, each another one.
expressions() {
    printf '#include <croton/croton.hpp>\nusing namespace croton;\n'
    local at=0 expression
    while [ $at -lt "$1" ] && read -r expression; do
        echo "void f$((at++))(const array<float, 1>& a, const array<float, 1>& b, array<float, 1>& y) { y = $expression; }"
    done <<'LIST'
a * exp(b) + 1
a + b * 2
sqrt(a) - b
(a + 1) * (b - 2)
a / (b + 3)
tanh(a) * b
a * a + b * b
log(a) + b
abs(a - b)
maximum(a, b) * 2
a * b - a
sigmoid(a) + b
sqr(a) * 3 + b
(a - b) / (a + b)
exp(a) - exp(b)
a * 2 + b * 3 + 4
minimum(a, b) + a
a * sin(b)
cos(a) + b * b
relu(a) - b
a - b / 4
LIST
}
expressions 1 >"$work/expression.cpp"
expressions 21 >"$work/expressions.cpp"

# A layer of these two nets is 10 nodes: 3 forward (product, sum, tanh) and 7 backward.
# elementwise: everything fuses into one loop. recurrent: products of a matrix keep the layers apart.
net() {
    cat <<CPP
#include <croton/croton.hpp>
using namespace croton;
int main() {
    auto f = function<cpu>([]($2 w, vector<float, dim("n")> b, vector<float, dim("n")> h) {
        expr<float, 1> state = h;
        for (int layer = 0; layer < LAYERS; ++layer) state = tanh($3 + b);
        auto cost = sum(sqr(state));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(cost, gw, gb);
    });
    array<float, $1> w($4);
    array<float, 1> b(8), h(8);
    auto [cost, gw, gb] = f(w, b, h);
    return gb(0) > 0 ? 1 : 0;
}
CPP
}
net 1 'vector<float, dim("n")>' 'w * state' '8' >"$work/elementwise.cpp"
net 2 'matrix<float, dim("n"), dim("n")>' 'dot(w, state)' '8, 8' >"$work/recurrent.cpp"

# What users write and the two nets have not: an LSTM unrolled over its steps, with a gate for each product, a cost at each step
# and Adam, alone or with all gradients as results as well; a net with two parameters for each layer, one more step of Adam each.
cat >"$work/lstm.cpp" <<'CPP'
#include <croton/croton.hpp>
using namespace croton;
template <template <class, int> class A> struct gate { A<float, 2> wx, wh; A<float, 1> b; };
template <template <class, int> class A> struct lstm { gate<A> i, f, g, o; A<float, 2> wo; A<float, 1> bo; };
int main() {
    auto train = function<cpu>([](tensor<float, STEPS, dynamic, 5> x, tensor<float, STEPS, dynamic, 5> y, vector<int> times, matrix<float> h0,
                                  shared<lstm<symbol>> m, shared<adam_state<lstm<symbol>>> s) {
        expr<float, 2> h = h0, c = h0;
        expr<float, 0> cost;
        for (int t = 0; t < STEPS; ++t) {
            auto now = reshape<STEPS, 1, 1>(times == t);
            auto xt = sum<0>(where(now, x, 0)), yt = sum<0>(where(now, y, 0));
            auto lin = [&](const gate<symbol>& g) { return dot(xt, g.wx) + dot(h, g.wh) + g.b; };
            c = sigmoid(lin(m.f)) * c + sigmoid(lin(m.i)) * tanh(lin(m.g));
            h = sigmoid(lin(m.o)) * tanh(c);
            auto e = -mean(sum<1>(yt * log_softmax<1>(dot(h, m.wo) + m.bo)));
            cost = t == 0 ? e : cost + e;
        }
#ifdef GRADIENTS
        return outputs(cost, grad(cost, m)).updates(adam(cost, m, s));
#else
        return outputs(cost).updates(adam(cost, m, s));
#endif
    });
    array<float, 3> x(STEPS, 2, 5), y(STEPS, 2, 5);
    array<int, 1> times(STEPS);
    array<float, 2> h0(2, 3);
    lstm<on<cpu>::array> m;
    auto s = adam_state<lstm<on<cpu>::array>>::zeros_like(m);
    train(x, y, times, h0, m, s);
}
CPP
cat >"$work/layers.cpp" <<'CPP'
#include <croton/croton.hpp>
using namespace croton;
template <template <class, int> class A> struct layer { A<float, 2> w; A<float, 1> b; };
template <template <class, int> class A> struct deep { std::array<layer<A>, LAYERS> layers; };
int main() {
    auto train = function<cpu>([](matrix<float> x, vector<int> label, shared<deep<symbol>> net, shared<adam_state<deep<symbol>>> s) {
        expr<float, 2> h = x;
        for (const auto& l : net.layers) h = relu(dot(h, l.w) + l.b);
        auto cost = mean(cross_entropy(h, label));
        return outputs(cost).updates(adam(cost, net, s));
    });
    array<float, 2> x(2, 3);
    array<int, 1> label(2);
    deep<on<cpu>::array> net;
    auto s = adam_state<deep<on<cpu>::array>>::zeros_like(net);
    train(x, label, net, s);
}
CPP

# The LSTM of W9: a loop over 100 letters of 32 texts, its gradient and Adam. HEADER: all of croton, or what functions need.
cat >"$work/loop.cpp" <<'CPP'
#include HEADER
#include "w9_step.hpp"
int main() {
    using network = bench::lstm<croton::on<croton::cpu>::array>;
    using matrix = croton::array<float, 2>;
    using vector = croton::array<float, 1>;
    network net{matrix(64, 256), matrix(256, 1024), matrix(256, 1024), vector(1024), matrix(256, 64), vector(64)};
    auto state = croton::adam_state<network>::zeros_like(net);
    croton::array<int, 2> read(STEPS, 32), next(STEPS, 32);
    return bench::lstm_step<STEPS, 32>()(read, next, net, state)() > 0 ? 0 : 1;
}
CPP

# The neural Turing machine of W6, its gradient through all turns and RMSProp.
cat >"$work/turing.cpp" <<'CPP'
#include "w6_step.hpp"
int main() {
    auto net = ntm::empty_network<ntm::neighbours>();
    auto state = croton::rmsprop_momentum_state<ntm::network>::zeros_like(net);
    croton::array<float, 3> x(bench::ntm_turns, bench::ntm_batch, ntm::inputs), wanted(bench::ntm_length, bench::ntm_batch, ntm::bits);
    return bench::ntm_step<ntm::neighbours>()(x, wanted, net, state)() > 0 ? 0 : 1;
}
CPP

. "$root/tests/limits.sh"

failed=0
# compiler, source, what it is, target in seconds or -, options
row() {
    local compiler=$1 source=$2 name=$3 target=$4 samples=3 seconds mebibytes instructions
    shift 4
    [[ $name == *1000* || $name == *Adam* || $name == W6* ]] && samples=1
    : >"$work/samples"
    for ((sample = 0; sample < samples; ++sample)); do
        # shellcheck disable=SC2046
        if ! "$work/measure" "$compiler" -std=c++20 -O2 -DNDEBUG $(limits "$compiler") -I"$root/include" "$@" \
            -c "$work/$source.cpp" -o "$work/object.o" >>"$work/samples" 2>"$work/errors"; then
            printf '%-44s %-10s failed: %s\n' "$name" "$compiler" \
                "$(grep -m 1 error "$work/errors" || head -n 1 "$work/errors")"
            failed=1
            return
        fi
    done
    read -r seconds mebibytes instructions < <(sort -n "$work/samples" | sed -n $(((samples + 1) / 2))p)
    printf '%-44s %-10s %10.2f %10d %14s %10s\n' "$name" "$compiler" "$seconds" "$mebibytes" \
        "$([ "$instructions" = 0.0 ] && echo - || echo "$instructions")" "$target"
}

# The target of 1,000 nodes: nodes, compiler, that of g++, that of clang++
of_1000() {
    if [ "$1" != 1000 ]; then echo -
    elif [[ $2 == *clang* ]]; then echo "$4"
    else echo "$3"; fi
}

# What one more expression takes a unit, seconds and bytes.
further() {
    local compiler=$1 unit sample seconds=() bytes=()
    for unit in expression expressions; do
        : >"$work/samples"
        for ((sample = 0; sample < 3; ++sample)); do
            # shellcheck disable=SC2046
            "$work/measure" "$compiler" -std=c++20 -O2 -DNDEBUG $(limits "$compiler") -I"$root/include" -c "$work/$unit.cpp" -o "$work/object.o" >>"$work/samples"
        done
        seconds+=("$(sort -n "$work/samples" | sed -n 2p | cut -d' ' -f1)")
        bytes+=("$(size "$work/object.o" | awk 'NR == 2 { print $1 + $2 }')")
    done
    printf '%-44s %-10s %10s %10s %14s %10s\n' "a further expression; bytes, 20,000" "$compiler" \
        "$(awk -v a="${seconds[0]}" -v b="${seconds[1]}" 'BEGIN { printf "%.3f", (b - a) / 20 }')" - $(((bytes[1] - bytes[0]) / 20)) 0.25
}

# What a file then says to read croton that has been read once: what target_precompile_headers(program PRIVATE <croton/croton.hpp>) does.
precompiled() {
    local compiler=$1
    shift
    local form=("$compiler" -std=c++20 -O2 -DNDEBUG "$@")
    # shellcheck disable=SC2207
    form+=($(limits "$compiler") -I"$root/include" -x c++-header "$root/include/croton/croton.hpp")
    rm -rf "$work/precompiled"
    mkdir "$work/precompiled"
    if "$compiler" --version | grep -q clang; then
        "${form[@]}" -o "$work/precompiled/croton.pch" && echo "-include-pch $work/precompiled/croton.pch"
    else
        "${form[@]}" -o "$work/precompiled/all.hpp.gch" && echo "-I$work/precompiled -include all.hpp"
    fi
}

separate=-DCROTON_SEPARATE_COMPILATION=1
printf '%-44s %-10s %10s %10s %14s %10s\n' "compile time" "" "seconds" "peak MiB" "G instructions" "target"
for compiler in "${compilers[@]}"; do
    row "$compiler" empty "nothing" -
    row "$compiler" standard "the standard headers that croton.hpp reads" -
    row "$compiler" others "those and xsimd" -
    row "$compiler" include "include <croton/croton.hpp>" 1.0
    row "$compiler" include "include <croton/functions.hpp>" 1.0 -DFUNCTIONS
    # shellcheck disable=SC2046
    row "$compiler" empty "include <croton/croton.hpp>, precompiled" 1.0 $(precompiled "$compiler" 2>/dev/null)
    further "$compiler"
    row "$compiler" logistic "logistic regression" 2.2
    # shellcheck disable=SC2046
    row "$compiler" logistic "logistic regression, croton.hpp precompiled" - $(precompiled "$compiler" 2>/dev/null)
    row "$compiler" logistic "logistic regression, separate compilation" 2.2 "$separate"
    # shellcheck disable=SC2046
    row "$compiler" logistic "the same, croton.hpp precompiled" 2.2 "$separate" $(precompiled "$compiler" "$separate" 2>/dev/null)
    row "$compiler" profile "logistic regression with a profile" -
    row "$compiler" profile "the same, separate compilation" - "$separate"
    row "$compiler" code "what is compiled separately" - "$separate"
    for nodes in 10 100 1000; do
        row "$compiler" elementwise "elementwise net and its gradient, $nodes nodes" "$(of_1000 "$nodes" "$compiler" 12 8)" -DLAYERS=$((nodes / 10))
    done
    for nodes in 10 100 1000; do
        row "$compiler" recurrent "recurrent net and its gradient, $nodes nodes" "$(of_1000 "$nodes" "$compiler" 14 -)" -DLAYERS=$((nodes / 10))
    done
    for steps in 5 20; do
        row "$compiler" lstm "LSTM of $steps steps with Adam" "$([ $steps = 20 ] && echo 30 || echo -)" -DSTEPS=$steps
    done
    row "$compiler" lstm "LSTM of 20 steps with Adam, gradients" - -DSTEPS=20 -DGRADIENTS
    for steps in 100 1000; do
        row "$compiler" loop "W9, an LSTM that loops over $steps letters" 8 -I"$root/bench" -DSTEPS=$steps "-DHEADER=<croton/croton.hpp>"
        row "$compiler" loop "W9 of $steps letters by functions.hpp" 8 -I"$root/bench" -DSTEPS=$steps "-DHEADER=<croton/functions.hpp>"
    done
    row "$compiler" turing "W6, a neural Turing machine" 15 -I"$root/bench"
    row "$compiler" turing "W6 with -march=native" 15 -I"$root/bench" -march=native
    for layers in 10 100; do
        row "$compiler" layers "$((2 * layers)) parameters with Adam" - -DLAYERS=$layers
    done
done
for compiler in "${compilers[@]}"; do "$compiler" --version | head -n 1; done
grep -m 1 'model name' /proc/cpuinfo 2>/dev/null | sed 's/.*: //' || true
exit $failed
