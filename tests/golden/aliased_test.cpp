// SPDX-License-Identifier: MIT
// What NumPy leaves in an array by statements that read the memory that they write, one for each way in which the parts can lie: values/part_aliased_*.npy,
// by make_aliased.py, whose functions stand in this order.
#include <span>
#include <string>

#include "golden/packed.hpp"

using namespace croton;

namespace {

using line = array<double, 1>;
using grid = array<double, 2>;

line counted(std::int64_t n) {
    line x(n);
    for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<double>((i * 7 + 3) % 11) - 4;
    return x;
}

/// The arrays of one file, each after a statement.
template <int Rank> class statements {
public:
    statements(const std::string& name, array<double, Rank> start) : want_("aliased_" + name), start_(std::move(start)) {}
    template <class Statement> void operator()(Statement statement) {
        array<double, Rank> y = start_;
        statement(y);
        want_.check(y);
    }
    void done() const { want_.done(); }

private:
    golden::packed want_;
    array<double, Rank> start_;
};

constexpr slice every, back(none, none, -1), but_first(1, none), but_last(none, -1);

void check_lines(std::int64_t n) {
    statements<1> after("line_" + std::to_string(n), counted(n));
    const slice half(0, (n + 1) / 2);
    after([](line& y) { y(but_first) = y(but_last) * 2; });
    after([](line& y) { y(but_last) = y(but_first) * 2; });
    after([](line& y) { y(but_first) += y(but_last); });
    after([](line& y) { y(but_last) -= y(but_first); });
    after([](line& y) { y(but_first) = y(but_last); });
    after([](line& y) { y(but_last) = y(but_first); });
    after([](line& y) { y(slice(1, -1)) = y(slice(none, -2)) - 2 * y(slice(1, -1)) + y(slice(2, none)); });
    after([](line& y) { y = y(back) * 3; });
    after([](line& y) { y(back) = y * 2; });
    after([](line& y) { y *= y(back); });
    after([](line& y) { y = y(back); });
    after([&](line& y) { y(slice(none, none, 2)) = y(half) + 1; });
    after([&](line& y) { y(half) = y(slice(none, none, 2)) + 1; });
    after([&](line& y) { y(slice(1, none, 2)) = y(slice(0, n / 2 * 2, 2)) * 3; });
    after([&](line& y) { y += view<double, 1>(y.data(), {n}, {0}); });
    after([](line& y) { y -= sum(y); });
    after([](line& y) { y = cumsum<0>(y) - y; });
    after([](line& y) { y = cumsum<0>(y(back)); });
    after([&](line& y) {
        const std::int64_t k = std::min<std::int64_t>(n, 3);
        y(slice(0, n - k + 1)) = sum<1>(view<double, 2>(y.data(), {n - k + 1, k}, {1, 1}));
    });
    after([](line& y) { y = roll<0>(y, constant<1>) - y; });
    after([](line& y) { y = where(y > 0, y(back), y); });
    after([&](line& y) { y = concatenate(y(slice(n / 2, none)), y(slice(none, n / 2))); });
    after([&](line& y) {
        array<int, 1> at(n);
        for (std::int64_t i = 0; i < n; ++i) at(i) = static_cast<int>((i * 3 + 1) % n);
        y = y(at) * 2;
    });
    after([](line& y) {
        const std::span<double> all = y.span();
        as_view(all.subspan(1)) = 5 + as_view(all.first(all.size() - 1));
    });
    after([](line& y) { y(back) += y.span(); });
    after.done();
}

void check_grids(std::int64_t n) {
    statements<2> after("grid_" + std::to_string(n), counted(n * n).reshape(n, n));
    after([](grid& y) { y = y.transpose() * 2; });
    after([](grid& y) { y += transpose(y); });
    after([](grid& y) { y.transpose() = y + 1; });
    after([](grid& y) { y = y.transpose(); });
    after([](grid& y) { y = y(back).transpose() + 0; });
    after([](grid& y) { y = y(back, back) + y; });
    after([](grid& y) { y(every, back) = y * y; });
    after([](grid& y) { y = y(0) * 1; });
    after([](grid& y) { y(every) = y(0); });
    after([](grid& y) { y -= y(-1); });
    after([](grid& y) { y = y * y(every, 0)(every, none); });
    after([](grid& y) { y += newaxis<1>(y(every, -1)); });
    after([](grid& y) { y(every, 0) = y(0) + 1; });
    after([](grid& y) { y(0) = y(every, 0) + y(-1); });
    after([](grid& y) { y(but_first, but_first) = y(but_last, but_last) + y(but_first, but_last); });
    after([](grid& y) { y(but_last, but_first) -= y(but_first, but_last); });
    after([](grid& y) { y = dot(y, y); });
    after([](grid& y) { y += dot(y, y); });
    after([](grid& y) { y = dot(y, transpose(y)) + y; });
    after([](grid& y) { y(0) = dot(y, y(0)); });
    after([](grid& y) { y(every, 0) -= dot(y, y(every, 0)); });
    after([](grid& y) { y(slice(0, 1)) = dot(y(slice(-1, none)), y); });
    after([](grid& y) { y = outer(y(0), y(every, 0)); });
    after([](grid& y) { y -= sum<0>(y); });
    after([](grid& y) { y = y - max<1>(y, keepdims); });
    after([](grid& y) { y(0) = sum<0>(y); });
    after([](grid& y) { y(every, -1) = sum<1>(y); });
    after([](grid& y) { y = sum<1>(y) + 0; });
    after([&](grid& y) { y = y + view<double, 1>(y.data(), {n}); });
    after([&](grid& y) { view<double, 1>(y.data(), {n}) = dot(y, y(every, -1)); });
    after([](grid& y) { y = tril(y) + transpose(triu(y)); });
    after([&](grid& y) { view<double, 1>(y.data(), {n}, {n + 1}) += y(0); });
    after.done();
}

}  // namespace

TEST_CASE("statements that read the line that they write") {
    for (const std::int64_t n : {2, 3, 8, 17, 64}) check_lines(n);
}

TEST_CASE("statements that read the matrix that they write") {
    for (const std::int64_t n : {1, 2, 5, 16}) check_grids(n);
}
