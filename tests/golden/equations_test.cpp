// SPDX-License-Identifier: MIT
// What NumPy and SciPy make of matrices: make_linear.py.
#include "golden/packed.hpp"

using namespace croton;

namespace {

template <class Device, class T> void check(double tolerance) {
    const auto f = function<Device>([](matrix<T> a, matrix<T> b, vector<T> v) {
        auto [sign, logabsdet] = slogdet(a);
        return outputs(cholesky(matmul(a, transpose(a))), solve(a, b), solve(a, v), inv(a), det(a), sign, logabsdet, solve_triangular(a, b), solve_triangular(a, b, {.lower = true}),
                       solve_triangular(a, b, {.transposed = true, .unit_diagonal = true}), solve_triangular(a, v, {.lower = true, .transposed = true}),
                       cho_solve(cholesky(matmul(a, transpose(a))), b));
    });
    for (const char* name : {"1x1", "4x4", "7x7", "12x12"}) {
        golden::packed file(std::string("linear_equations_") + name);
        const auto a = file.take<T, 2>();
        const auto b = file.take<T, 2>();
        const auto v = file.take<T, 1>();
        file.check_near(f(a, b, v), tolerance);
        file.done();
    }
}

}  // namespace

TEST_CASE("equations, of double") { check<cpu, double>(1e-12); }
TEST_CASE("equations, of float") { check<cpu, float>(2e-4); }
TEST_CASE("equations, by plain loops") { check<reference, double>(1e-12); }
