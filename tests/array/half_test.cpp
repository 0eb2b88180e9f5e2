// SPDX-License-Identifier: MIT
// Arrays and views of half and bfloat16: values, printing, files.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <croton/array/npz.hpp>
#include <croton/array/print.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct layer {
    A<half, 2> weight;
    A<float, 1> bias;
};

}  // namespace

TEST_CASE("arrays of 16 bits are arrays") {
    array<half, 2> x(2, 3);
    CHECK(sizeof(x(0, 0)) == 2);
    CHECK(x(1, 2) == 0);
    x(0, 1) = 0.1;
    CHECK(x(0, 1).bits == 0x2e66);
    CHECK(static_cast<float>(x(0, 1)) == 0x1.998p-4f);
    x.fill(2);
    const array<half, 2> y{{2, 2, 2}, {2, 2, 2}};
    CHECK(x == y);
    const std::vector<bfloat16> from{1, 2, 3};
    array<bfloat16, 1> z(from.begin(), from.end());
    CHECK(z == array<bfloat16, 1>{1, 2, 3});
    CHECK(array<bfloat16, 1>(std::span<const bfloat16>(from)) == z);
    const array<half, 2> matrix{{1, 2, 3}, {4, 5, 6}};
    CHECK(array<half, 2>(matrix.transpose()) == array<half, 2>{{1, 4}, {2, 5}, {3, 6}});
    auto part = x.as_view().slice(1, 0, 3, 2);
    part.copy_from(view<const half, 2>(matrix).slice(1, 1, 3));
    CHECK(x == array<half, 2>{{2, 2, 3}, {5, 2, 6}});
    array<half, 0> number(0.5);
    CHECK(static_cast<half>(number) == 0.5f);
    array<half, 2> moved = std::move(x);
    CHECK(x.size() == 0);
    CHECK(moved.size() == 6);
    CHECK(array<half, 2>(0, 3).size() == 0);
}

TEST_CASE("they are printed with the digits that they have") {
    CHECK(to_string(array<half, 1>{0.1, 0.2, -1.0 / 3, 1}) == "[ 0.1     0.2    -0.3333  1.    ]");
    CHECK(to_string(array<half, 1>{0.1, 3.14159, 65504}) == "[1.00e-01 3.14e+00 6.55e+04]");
    CHECK(to_string(array<bfloat16, 2>{{0.1, 2}, {3.3, -4}}) == "[[ 0.1  2. ]\n [ 3.3 -4. ]]");
    CHECK(to_string(array<half, 1>{NAN, HUGE_VAL, 6e-8}) == "[   nan    inf 6.e-08]");
    CHECK(to_string(array<half, 0>(0.1)) == "0.1");
    CHECK(to_string(array<half, 1>()) == "[]");
}

TEST_CASE("half goes through .npy and .npz files, any bits of it") {
    const auto folder = std::filesystem::temp_directory_path() / ("croton half " + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    array<half, 1> all(65536);
    for (int i = 0; i < 65536; ++i) all(i) = half::from_bits(static_cast<std::uint16_t>(i));
    save_npy(folder / "all.npy", all);
    const auto back = load_npy<array<half, 1>>(folder / "all.npy");
    int wrong = 0;
    for (int i = 0; i < 65536; ++i) wrong += back(i).bits != all(i).bits;
    CHECK(wrong == 0);
    CHECK_THROWS_AS((load_npy<array<float, 1>>(folder / "all.npy")), file_error);

    using network = layer<on<cpu>::array>;
    const network n{array<half, 2>{{1, 2}, {3, 4}}, array<float, 1>{5, 6}};
    save(n, folder / "model.npz");
    network read{array<half, 2>(2, 2), array<float, 1>(2)};
    load(read, folder / "model.npz");
    CHECK(read.weight == n.weight);
    CHECK(read.bias == n.bias);
    std::filesystem::remove_all(folder);
}
