// SPDX-License-Identifier: MIT
// Linear algebra where memory ends: a call that throws has changed nothing, and what its routines work in is there before the first step.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include <croton/croton.hpp>

#include "failing_calls.hpp"

using namespace croton;

namespace {

auto made_factors() {
    return function<cpu>("factors", [](matrix<float, dim("n"), dim("n")> x, shared<matrix<float, dim("n"), dim("n")>> a, shared<matrix<float, dim("n"), dim("n")>> b) {
        auto square = dot(x, transpose(x)) + eye<dim("n")>(x);
        auto [q, r] = qr(square);
        auto [u, s, vt] = svd(square);
        return outputs(s, eigh(square).w).updates(a -= solve(square, a), b -= dot(cholesky(square), q) + r);
    });
}

// Into arrays that are there. The matrix is diagonal: LAPACK rounds otherwise with another number of threads.
struct factors {
    static constexpr int allocates = 1;  // the results beside those of the caller
    decltype(made_factors()) f = made_factors();
    array<float, 2> x = test::numbers<2>(1, 20, 20), a = test::numbers<2>(2, 20, 20), b = test::numbers<2>(3, 20, 20);
    array<float, 1> s = test::numbers<1>(4, 20), w = test::numbers<1>(5, 20);

    factors() {
        for (int i = 0; i < 20; ++i)
            for (int j = 0; j < 20; ++j) x(i, j) = i == j ? static_cast<float>(i + 1) : 0;
    }
    void call() { f.call_into(std::tie(s, w), x, a, b); }
    std::string bits() const {
        std::string all;
        for (const auto* m : {&x, &a, &b}) test::append(all, *m);
        for (const auto* v : {&s, &w}) test::append(all, *v);
        return all;
    }
};

}  // namespace

TEST_CASE("factors") { test::each_allocation_fails<factors>(); }

TEST_CASE("from the second call on nothing is allocated") {
    factors story;
    story.call();
    {
        const test::failing_allocation failure(0);
        story.call();
    }
    CHECK_FALSE(test::has_failed);
}
