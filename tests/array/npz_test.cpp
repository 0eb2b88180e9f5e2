// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <croton/array/npz.hpp>

using namespace croton;

namespace {

// Written by NumPy: tests/golden/make_npy.py.
const std::filesystem::path golden = std::filesystem::path(__FILE__).parent_path().parent_path() / "golden" / "npy";

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct net {
    dense<A> hidden;
    std::array<dense<A>, 2> layers;
    A<double, 0> scale;
};
using network = net<on<cpu>::array>;

struct folder {
    folder() { std::filesystem::create_directories(path); }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("croton npz " + std::to_string(std::random_device()()));
};

std::string read_all(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_all(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

bool same(const network& a, const network& b) {
    bool equal = true;
    detail::for_each_leaf2(a, b, [&](const auto& x, const auto& y) { equal = equal && x == y; });
    return equal;
}

network expected() {
    network model;
    model.hidden.weight = {{1, -2.5, 3}, {4, 5, 1e-3f}};
    model.hidden.bias = {1, 2, 3};
    model.layers[0].weight = {{2, -5, 6}, {8, 10, 2e-3f}};
    model.layers[0].bias = {4};
    model.layers[1].bias = {5, 6};
    model.scale = 0.25;
    return model;
}

std::string error_of(network& model, const std::filesystem::path& path) {
    try {
        load(model, path);
    } catch (const file_error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

static_assert(detail::crc32("123456789") == 0xCBF43926U);

TEST_CASE("a model written by NumPy is read") {
    network model;
    load(model, golden / "model.npz");
    CHECK(same(model, expected()));
}

TEST_CASE("a model is written and read as an archive and as a folder") {
    const folder f;
    for (const char* name : {"model.npz", "model"}) {
        save(expected(), f.path / name);
        network model;
        load(model, f.path / name);
        CHECK(same(model, expected()));
    }
    CHECK(std::filesystem::exists(f.path / "model" / "hidden.weight.npy"));
    CHECK(std::filesystem::exists(f.path / "model" / "layers[1].bias.npy"));
    CHECK(!std::filesystem::exists(f.path / "model.npz.part"));
    const std::string first = read_all(f.path / "model.npz");
    save(expected(), f.path / "model.npz");
    CHECK(read_all(f.path / "model.npz") == first);
}

TEST_CASE("loading into a model of the same extents reuses its memory") {
    network model = expected();
    model.hidden.weight.fill(0);
    const float* data = model.hidden.weight.data();
    load(model, golden / "model.npz");
    CHECK(model.hidden.weight.data() == data);
    CHECK(same(model, expected()));
}

TEST_CASE("a failed load leaves the model as it was") {
    network model = expected();
    model.hidden.weight.fill(0);
    model.layers[0].bias = {1, 2};
    const network before = model;
    CHECK(error_of(model, golden / "model.npz") ==
          "layers[0].bias.npy in " + (golden / "model.npz").string() + " has shape [1] where the model has [2]");
    CHECK(same(model, before));

    const folder f;
    save(expected(), f.path / "model");
    std::filesystem::remove(f.path / "model" / "scale.npy");
    model.layers[0].bias = {4};
    const network again = model;
    CHECK(error_of(model, f.path / "model").find("scale.npy cannot be opened") != std::string::npos);
    CHECK(same(model, again));
}

TEST_CASE("a file that is not such a model says so") {
    network model;
    CHECK(error_of(model, golden / "model_compressed.npz") ==
          "hidden.weight.npy in " + (golden / "model_compressed.npz").string() +
              " is compressed; write the file with numpy.savez, not numpy.savez_compressed");
    CHECK(error_of(model, golden / "float_2x3.npy") ==
          (golden / "float_2x3.npy").string() + " is not a .npz file, or is cut short");
    CHECK(error_of(model, golden / "absent.npz").find("absent.npz cannot be opened: ") != std::string::npos);

    const folder f;
    save(expected().hidden, f.path / "layer.npz");
    CHECK(error_of(model, f.path / "layer.npz") == (f.path / "layer.npz").string() + " has no hidden.weight.npy");
}

TEST_CASE("damage is found") {
    const folder f;
    const auto path = f.path / "model.npz";
    const std::string whole = read_all(golden / "model.npz");
    const network before = expected();
    network model = before;
    // The last element of hidden.weight.
    std::string damaged = whole;
    const std::size_t element = whole.find("hidden.weight.npy") + 17 + 20 + 128 + 20;
    damaged[element] = static_cast<char>(damaged[element] ^ 1);
    write_all(path, damaged);
    CHECK(error_of(model, path) ==
          "hidden.weight.npy in " + path.string() + " is damaged: its check sum differs");
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        write_all(path, whole.substr(0, size));
        REQUIRE_THROWS_AS(load(model, path), file_error);
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        write_all(path, damaged);
        try {
            load(model, path);
        } catch (const file_error&) {
        }
        REQUIRE(same(model, before));
    }
}

TEST_CASE("a model that cannot be written is an error") {
    CHECK_THROWS_AS(save(expected(), golden / "no folder" / "model.npz"), file_error);
    CHECK_THROWS_AS(save(expected(), golden / "model.npz" / "folder"), file_error);
}

TEST_CASE("a folder is replaced as a whole or not at all") {
    const folder f;
    save(expected(), f.path / "model");
    network other = expected();
    other.hidden.weight.fill(7);
    other.scale = 8;
    // The last array cannot be written.
    std::filesystem::create_directory(f.path / "model" / "scale.npy.part");
    CHECK_THROWS_AS(save(other, f.path / "model"), file_error);
    network model;
    load(model, f.path / "model");
    CHECK(same(model, expected()));
    CHECK(!std::filesystem::exists(f.path / "model" / "hidden.weight.npy.part"));

    std::filesystem::remove(f.path / "model" / "scale.npy.part");
    save(other, f.path / "model");
    load(model, f.path / "model");
    CHECK(same(model, other));
}
