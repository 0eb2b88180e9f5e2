// SPDX-License-Identifier: MIT
// Products of the Hessians of loops with directions as JAX has them: make_loops.py.
#include "golden/loops.hpp"

using namespace loops;

TEST_CASE("powers, and a loop in a loop") {
    check<1, 1>("hvp_polynomial", function<cpu>([](vector<double> c, vector<double> x) { return curvature(polynomial(c, x), c, x); }));
    check<2, 1>("hvp_nested", function<cpu>([](matrix<double> x, vector<double> w) { return curvature(nested(x, w), x, w); }));
}

TEST_CASE("a recurrent network over a batch, whole and through the last turns only") {
    check<3, 2, 2, 2, 1>("hvp_rnn", function<cpu>([](cube x, matrix<double> h, matrix<double> w, matrix<double> u, vector<double> b) {
        return curvature(rnn(x, h, w, u, b), x, h, w, u, b);
    }));
    check<3, 2, 2, 2>("hvp_truncated", function<cpu>([](cube x, matrix<double> h, matrix<double> w, matrix<double> u) { return curvature(truncated(x, h, w, u), x, h, w, u); }));
}
