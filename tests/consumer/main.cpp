// SPDX-License-Identifier: MIT
// The smallest program of somebody who uses croton.
#include <croton/croton.hpp>
#include <croton/interop/dlpack.hpp>

#include <utility>

template <template <class, int> class A> struct net {
    A<float, 2> weight;
};

// Loading needs zlib where croton was told that it is there: it must be linked.
bool there_is_no_model() {
    net<croton::on<croton::cpu>::array> model;
    try {
        croton::load(model, "there is no such file.npz");
        return false;
    } catch (const croton::file_error&) {
        return true;
    }
}

int main() {
    auto line = croton::function<croton::cpu>(
        [](croton::matrix<float> m, croton::matrix<float> x, croton::matrix<float> b) { return dot(m, x) + b; });
    const croton::array<float, 2> m{{1, 2}, {3, 4}};
    const croton::array<float, 2> x{{1, 0}, {0, 1}};
    const croton::array<float, 2> b{{1, 1}, {1, 1}};
    const croton::array<float, 2> y = line(m, x, croton::from_dlpack<float, 2>(to_dlpack(croton::array<float, 2>(b))));
    return there_is_no_model() && y(0, 0) == 2 && y(0, 1) == 3 && y(1, 0) == 4 && y(1, 1) == 5 ? 0 : 1;
}
