// SPDX-License-Identifier: MIT
// Convolutions and correlations of vectors, against those of NumPy.
#include <vector>

#include "along.hpp"
#include "message_of.hpp"

using namespace croton;

namespace {

constexpr auto all_modes = [](auto a, auto v) {
    return outputs(convolve(a, v), correlate<convolve_mode::full>(a, v), convolve<convolve_mode::same>(a, v), correlate<convolve_mode::same>(a, v), convolve<convolve_mode::valid>(a, v), correlate(a, v));
};

struct row {
    array<int, 1> v, full, full_turned, same, same_turned, valid, valid_turned;
};
/// Of 1, 2, 3, 4, 5 and v.
const std::vector<row>& rows() {
    static const std::vector<row> all{
        {{1, 0, -1}, {1, 2, 2, 2, 2, -4, -5}, {-1, -2, -2, -2, -2, 4, 5}, {2, 2, 2, 2, -4}, {-2, -2, -2, -2, 4}, {2, 2, 2}, {-2, -2, -2}},
        {{1, 2}, {1, 4, 7, 10, 13, 10}, {2, 5, 8, 11, 14, 5}, {1, 4, 7, 10, 13}, {2, 5, 8, 11, 14}, {4, 7, 10, 13}, {5, 8, 11, 14}},
        {{2, 3, 4, 5}, {2, 7, 16, 30, 44, 46, 40, 25}, {5, 14, 26, 40, 54, 38, 23, 10}, {7, 16, 30, 44, 46}, {14, 26, 40, 54, 38}, {30, 44}, {40, 54}},
        {{1, 2, 3, 4, 5, 6}, {1, 4, 10, 20, 35, 50, 58, 58, 49, 30}, {6, 17, 32, 50, 70, 55, 40, 26, 14, 5}, {10, 20, 35, 50, 58, 58}, {32, 50, 70, 55, 40, 26}, {35, 50}, {70, 55}},
        {{2, 1, 0, 3, 4, 5, 7}, {2, 5, 8, 14, 24, 27, 41, 60, 61, 53, 35}, {7, 19, 35, 54, 73, 51, 36, 22, 10, 13, 10}, {8, 14, 24, 27, 41, 60, 61}, {35, 54, 73, 51, 36, 22, 10}, {24, 27, 41}, {73, 51, 36}},
        {{3}, {3, 6, 9, 12, 15}, {3, 6, 9, 12, 15}, {3, 6, 9, 12, 15}, {3, 6, 9, 12, 15}, {3, 6, 9, 12, 15}, {3, 6, 9, 12, 15}},
    };
    return all;
}

void check_row(const auto& found, const row& want) {
    const auto [full, full_turned, same, same_turned, valid, valid_turned] = found;
    CHECK((full == want.full && full_turned == want.full_turned && same == want.same && same_turned == want.same_turned && valid == want.valid && valid_turned == want.valid_turned));
}

template <class Device> void check_all() {
    const auto f = function<Device>([](vector<int> a, vector<int> v) { return all_modes(a, v); });
    const array<int, 1> a{1, 2, 3, 4, 5};
    for (const row& each : rows()) check_row(f(a, each.v), each);
    // Of extents that are declared the shorter one is the kernel, whichever it is.
    check_row(function<Device>([](vector<int, 5> x, vector<int, 4> v) { return all_modes(x, v); })(a, rows()[2].v), rows()[2]);
    check_row(function<Device>([](vector<int, 5> x, vector<int, 6> v) { return all_modes(x, v); })(a, rows()[3].v), rows()[3]);
    check_row(function<Device>([](vector<int, 5> x, vector<int, 7> v) { return all_modes(x, v); })(a, rows()[4].v), rows()[4]);
}

}  // namespace

TEST_CASE("cpu") { check_all<cpu>(); }
TEST_CASE("reference") { check_all<reference>(); }

TEST_CASE("floats of many elements, half, and nothing") {
    const auto f = function<cpu>([](vector<float> a, vector<float> v) { return outputs(convolve(a, v), correlate<convolve_mode::same>(a, v)); });
    const auto g = function<reference>([](vector<float> a, vector<float> v) { return outputs(convolve(a, v), correlate<convolve_mode::same>(a, v)); });
    for (const auto& n : {extents_of<2>{1000, 31}, {31, 1000}, {40, 40}, {1, 1}}) {
        const auto a = support::numbers(3).fill<float, 1>({n[0]}), v = support::numbers(4).fill<float, 1>({n[1]});
        const auto [full, same] = f(support::placed<float, 1>(a, support::layout::stepped).get(), v);
        const auto [want_full, want_same] = g(a, v);
        along::check_same(full, want_full);
        along::check_same(same, want_same);
    }
    CHECK(function<cpu>([](vector<half> a, vector<half> v) { return convolve(a, v); })(array<half, 1>{half(1), half(2)}, array<half, 1>{half(3)}) == array<float, 1>{3, 6});
    CHECK(test::message_of<shape_error>([&] { (void)f(array<float, 1>{}, array<float, 1>{1}); }) != "");
    const auto message = test::message_of<shape_error>([&] { (void)f(array<float, 1>{1}, array<float, 1>{}); });
    CHECK_MESSAGE(message.find("a window of 1 does not fit into axis 0 of") != std::string::npos, message);
}

TEST_CASE("derivatives") {
    const auto a = support::numbers(3).fill<double, 1>({6}), v = support::numbers(5).fill<double, 1>({4});
    CHECK_NOTHROW(verify_grad([](vector<double> x, vector<double> w) { return std::tuple(convolve(sqr(x), w), correlate(x, w) * 2, convolve<convolve_mode::same>(w, x), correlate<convolve_mode::same>(w, sqr(x)), grad(sum(sqr(convolve(x, w))), w)); }, a, v));
}
