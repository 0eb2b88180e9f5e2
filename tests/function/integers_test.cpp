// SPDX-License-Identifier: MIT
// Integers besides int and int64 wherever a function meets one: arguments of every kind, models, parameters that are updated, literals, and
// arrays on the host.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <sstream>
#include <tuple>
#include <vector>

#include <croton/array/npy.hpp>
#include <croton/array/npz.hpp>
#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct masks {
    A<std::uint8_t, 2> image;
    A<std::int16_t, 0> level;
    A<std::uint64_t, 1> hash;
};

template <class T> void check_files(const std::filesystem::path& path) {
    using limits = std::numeric_limits<T>;
    const array<T, 2> x{{0, 1, limits::max()}, {limits::min(), 7, 100}};
    save_npy(path, x);
    CHECK(load_npy<array<T, 2>>(path) == x);
    CHECK(load_npy<array<double, 2>>(path, astype)(1, 2) == 100);
    CHECK_THROWS_AS((load_npy<array<float, 2>>(path)), file_error);
    save_npy(path, array<double, 1>{1.9, 100});
    CHECK(load_npy<array<T, 1>>(path, astype) == array<T, 1>{1, 100});
    save_npy(path, array<double, 1>{1e30});
    CHECK_THROWS_AS((load_npy<array<T, 1>>(path, astype)), file_error);
    std::ostringstream text;
    text << array<T, 1>{1, 100};
    CHECK(text.str() == "[  1 100]");
}

}  // namespace

TEST_CASE("files and printing") {
    const auto path = std::filesystem::temp_directory_path() / "croton_integers.npy";
    check_files<std::int8_t>(path);
    check_files<std::uint8_t>(path);
    check_files<std::int16_t>(path);
    check_files<std::uint16_t>(path);
    check_files<std::uint32_t>(path);
    check_files<std::uint64_t>(path);
    std::filesystem::remove(path);
}

TEST_CASE("arguments, literals and numbers") {
    auto f = function([](matrix<std::uint8_t> x, scalar<std::uint8_t> level, scalar<std::uint64_t> seed) { return std::tuple(where(x > level, x - level, 3), x * 2 + 1, seed ^ 0xff, 255 - x); });
    const array<std::uint8_t, 2> x{{1, 200}, {128, 129}};
    const auto [above, more, mixed, inverted] = f(x.transpose(), 128, 18446744073709551615u);
    CHECK(above == array<std::uint8_t, 2>{{3, 3}, {72, 1}});
    CHECK(more == array<std::uint8_t, 2>{{3, 1}, {145, 3}});
    CHECK(mixed() == 18446744073709551360u);
    CHECK(inverted == array<std::uint8_t, 2>{{254, 127}, {55, 126}});
    CHECK_THROWS_WITH_AS(f(x, 256, 0), doctest::Contains("0 to 255"), value_error);
    CHECK_THROWS_AS(f(x, -1, 0), value_error);
    auto g = function([](vector<std::uint8_t> v) { return v + v; });
    CHECK(g(std::vector<std::uint8_t>{250, 10}) == array<std::uint8_t, 1>{244, 20});
}

TEST_CASE("models and parameters that are updated") {
    masks<on<cpu>::array> m{{{1, 2}, {3, 200}}, {-5}, {1, 2}};
    auto f = function([](shared<masks<symbol>> net, scalar<std::uint8_t> more) {
        return outputs(sum(net.image)).updates(net.image += more, update(net.level, net.level - 32767), update(net.hash, net.hash << 63));
    });
    CHECK(f(m, 100)() == 206);
    CHECK(m.image == array<std::uint8_t, 2>{{101, 102}, {103, 44}});
    CHECK(m.level() == 32764);
    CHECK(m.hash == array<std::uint64_t, 1>{std::uint64_t{1} << 63, 0});
    const auto path = std::filesystem::temp_directory_path() / "croton_integers.npz";
    save(m, path);
    masks<on<cpu>::array> loaded;
    load(loaded, path);
    CHECK(loaded.image == m.image);
    CHECK(loaded.hash == m.hash);
    std::filesystem::remove(path);
}

TEST_CASE("arrays on the host") {
    array<std::uint8_t, 2> x(2, 3);
    x.fill(7);
    x(0, slice(1, none)).copy_from(array<std::uint8_t, 1>{255, 0});
    CHECK(x == array<std::uint8_t, 2>{{7, 255, 0}, {7, 7, 7}});
    CHECK(array<std::int8_t, 1>::full({2}, -3) == array<std::int8_t, 1>{-3, -3});
}
