// SPDX-License-Identifier: MIT
// What NumPy and SciPy make of matrices: make_linear.py.
#include "golden/packed.hpp"

using namespace croton;

namespace {

template <class Device, class T> void check(double tolerance) {
    const auto f = function<Device>([](matrix<T> a, matrix<T> b) {
        auto [q, r] = qr(a);
        auto [w, v] = eigh(matmul(transpose(a), a));
        auto [u, s, vt] = svd(a);
        auto [x, residuals, rank, values] = lstsq(a, b);
        return outputs(q, r, w, sqr(v), sqr(u), s, sqr(vt), x, residuals, rank, values, pinv(a), cond(a));
    });
    for (const std::string name : {"1x1", "6x4", "3x5", "5x5", "15x11"}) {
        golden::packed file("linear_decompositions_" + name);
        const auto a = file.take<T, 2>();
        const auto b = file.take<T, 2>();
        const auto results = f(a, b);
        CAPTURE(name);
        const auto& [q, r, w, v, u, s, vt, x, residuals, rank, values, inverse, condition] = results;
        file.check_near(std::tie(q, r, w), tolerance);
        // Of eigenvalues that are nearly equal, and of what is left without full rank, the vectors are any that are orthogonal.
        file.check_near(v, name == "3x5" ? 2 : tolerance);
        file.check_near(u, tolerance);
        file.check_near(s, tolerance);
        file.check_near(vt, tolerance);
        file.check_near(x, tolerance);
        file.check_near(residuals, name != "1x1" && name != "3x5" ? tolerance : 1e30);
        file.check_near(std::tie(rank, values, inverse), tolerance);
        // Of a singular matrix it is a rounding error.
        file.check_near(condition, name != "5x5" ? tolerance : 1e30);
        file.done();
    }
}

}  // namespace

TEST_CASE("decompositions, of double") { check<cpu, double>(1e-11); }
TEST_CASE("decompositions, of float") { check<cpu, float>(2e-3); }
TEST_CASE("decompositions, by plain loops") { check<reference, double>(1e-11); }
