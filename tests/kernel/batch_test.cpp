// SPDX-License-Identifier: MIT
// Which calls a batch of products becomes: as few as the strides allow, and together every product once.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <croton/kernel/batch.hpp>

using namespace croton;
using kernel::batch;
using kernel::matrix;
using kernel::operand;

namespace {

/// [.., m, k] x [.., k, n] -> [.., m, n] with strides behind those of rows and columns, as a product step has them.
struct product {
    std::int64_t m, k, n;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> a, b, c;  // strides: rows, columns, batch

    std::string calls() const {
        operand slots[3] = {};
        const std::vector<std::int64_t>* strides[] = {&a, &b, &c};
        for (int i = 0; i < 3; ++i)
            for (std::size_t s = 0; s < strides[i]->size(); ++s) slots[i].stride[s] = (*strides[i])[s];
        std::string text;
        const auto at = [](const std::int64_t* p) { return std::to_string(p - origin()); };
        kernel::for_each_batch<std::int64_t>(
            static_cast<int>(extents.size()), extents.data(), slots, matrix<const std::int64_t>{origin(), m, k, a[0], a[1]},
            matrix<const std::int64_t>{origin(), k, n, b[0], b[1]}, matrix<std::int64_t>{origin(), m, n, c[0], c[1]},
            [&](const auto& x, const auto& y, const auto& z, const batch& over) {
                CHECK((x.rows == z.rows && x.cols == y.rows && y.cols == z.cols));
                text += (text.empty() ? "" : "; ") + std::to_string(over.count) + " of " + std::to_string(x.rows) + " x " + std::to_string(x.cols) + " x " +
                        std::to_string(y.cols) + " at " + at(x.data) + " " + at(y.data) + " " + at(z.data);
                strides_of_last = {x.row_stride, y.col_stride, z.row_stride, z.col_stride, over.a, over.b, over.c};
            });
        return text;
    }

    static std::int64_t* origin() {
        static std::int64_t memory[4096];
        return memory + 2048;
    }
    inline static std::vector<std::int64_t> strides_of_last;
};

}  // namespace

TEST_CASE("one axis is one call") {
    CHECK(product{2, 3, 4, {5}, {3, 1, 6}, {4, 1, 12}, {4, 1, 8}}.calls() == "5 of 2 x 3 x 4 at 0 0 0");
    CHECK(product::strides_of_last == std::vector<std::int64_t>{3, 1, 4, 1, 6, 12, 8});
}

TEST_CASE("a matrix for all of a batch makes one product of it") {
    // [5,2,3] x [3,4]: the rows of all matrices.
    CHECK(product{2, 3, 4, {5}, {3, 1, 6}, {4, 1, 0}, {4, 1, 8}}.calls() == "1 of 10 x 3 x 4 at 0 0 0");
    // Rows that lie otherwise stay what they are.
    CHECK(product{2, 3, 4, {5}, {1, 2, 6}, {4, 1, 0}, {4, 1, 8}}.calls() == "5 of 2 x 3 x 4 at 0 0 0");
    CHECK(product{2, 3, 4, {5}, {3, 1, 7}, {4, 1, 0}, {4, 1, 8}}.calls() == "5 of 2 x 3 x 4 at 0 0 0");
    CHECK(product{2, 3, 4, {5}, {3, 1, 6}, {4, 1, 0}, {4, 1, 9}}.calls() == "5 of 2 x 3 x 4 at 0 0 0");
    // [2,3] x [5,3,4]: columns, where those of one matrix end where the next begins.
    CHECK(product{2, 3, 4, {5}, {3, 1, 0}, {4, 1, 12}, {4, 1, 8}}.calls() == "5 of 2 x 3 x 4 at 0 0 0");
    CHECK(product{2, 3, 4, {5}, {3, 1, 0}, {20, 1, 4}, {20, 1, 4}}.calls() == "1 of 2 x 3 x 20 at 0 0 0");
    // One row, or one column, may lie anywhere.
    CHECK(product{1, 3, 4, {5}, {0, 1, 7}, {4, 1, 0}, {0, 1, 9}}.calls() == "1 of 5 x 3 x 4 at 0 0 0");
    CHECK(product::strides_of_last == std::vector<std::int64_t>{7, 1, 9, 1, 0, 0, 0});
    CHECK(product{2, 3, 1, {5}, {3, 1, 0}, {1, 0, 3}, {1, 0, 2}}.calls() == "1 of 2 x 3 x 5 at 0 0 0");
    CHECK(product::strides_of_last == std::vector<std::int64_t>{3, 3, 1, 2, 0, 0, 0});
}

TEST_CASE("axes that move on alike are one, the longest of others is the inner one") {
    CHECK(product{2, 3, 4, {7, 5}, {3, 1, 30, 6}, {4, 1, 60, 12}, {4, 1, 40, 8}}.calls() == "35 of 2 x 3 x 4 at 0 0 0");
    CHECK(product{2, 3, 4, {7, 5, 6}, {3, 1, 180, 36, 6}, {4, 1, 0, 0, 0}, {4, 1, 240, 48, 8}}.calls() == "1 of 420 x 3 x 4 at 0 0 0");
    // [3,1,2,3] x [1,2,3,4]
    CHECK(product{2, 3, 4, {3, 2}, {3, 1, 6, 0}, {4, 1, 0, 12}, {4, 1, 16, 8}}.calls() == "3 of 2 x 3 x 4 at 0 0 0; 3 of 2 x 3 x 4 at 0 12 8");
    CHECK(product{2, 3, 4, {2, 3, 2}, {3, 1, 100, 6, 0}, {4, 1, 200, 0, 12}, {4, 1, 300, 16, 8}}.calls() ==
          "3 of 2 x 3 x 4 at 0 0 0; 3 of 2 x 3 x 4 at 0 12 8; 3 of 2 x 3 x 4 at 100 200 300; 3 of 2 x 3 x 4 at 100 212 308");
    CHECK(product{2, 3, 4, {1, 5, 1}, {3, 1, 9, 6, 9}, {4, 1, 9, 12, 9}, {4, 1, 9, 8, 9}}.calls() == "5 of 2 x 3 x 4 at 0 0 0");
}

TEST_CASE("nothing and one") {
    CHECK(product{2, 3, 4, {1, 1}, {3, 1, 6, 6}, {4, 1, 12, 12}, {4, 1, 8, 8}}.calls() == "1 of 2 x 3 x 4 at 0 0 0");
    CHECK(product{2, 3, 4, {5, 0}, {3, 1, 0, 6}, {4, 1, 0, 12}, {4, 1, 0, 8}}.calls().empty());
    CHECK(product{0, 3, 4, {5}, {3, 1, 0}, {4, 1, 12}, {4, 1, 0}}.calls().empty());
    CHECK(product{2, 3, 0, {5}, {3, 1, 6}, {0, 1, 0}, {0, 1, 0}}.calls().empty());
    // A sum of nothing is asked for: it is 0.
    CHECK(product{2, 0, 4, {5}, {0, 1, 0}, {4, 1, 0}, {4, 1, 8}}.calls() == "1 of 10 x 0 x 4 at 0 0 0");
}
