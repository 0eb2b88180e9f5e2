// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>

#include <croton/array/npz.hpp>

#include "files.hpp"

using namespace croton;
using files::folder;
using files::golden;
using files::read_all;
using files::write_all;

namespace {

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
    return files::error_of([&] { load(model, path); });
}

}  // namespace

TEST_CASE("a model written by NumPy is read") {
    network model;
    load(model, golden / "model.npz");
    CHECK(same(model, expected()));
}

TEST_CASE("a compressed model written by NumPy is read where zlib is there") {
    network model;
    const auto path = golden / "model_compressed.npz";
    if constexpr (has_zlib) {
        load(model, path);
        CHECK(same(model, expected()));
    } else {
        CHECK(error_of(model, path) == "hidden.weight.npy in " + path.string() +
                                           " is compressed, which croton reads where it is compiled with -DCROTON_HAS_ZLIB=1 and "
                                           "linked with -lz; numpy.savez does not compress");
    }
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
    CHECK(error_of(model, golden / "float_2x3.npy") ==
          (golden / "float_2x3.npy").string() + " is not a .npz file, or is cut short");
    CHECK(error_of(model, golden / "absent.npz").find("absent.npz cannot be opened: ") != std::string::npos);

    const folder f;
    save(expected().hidden, f.path / "layer.npz");
    CHECK(error_of(model, f.path / "layer.npz") == (f.path / "layer.npz").string() + " has no hidden.weight.npy");
}

TEST_CASE("no cut and no changed byte of an archive gives another model") {
    const folder f;
    const auto path = f.path / "model.npz";
    for (const char* name : {"model.npz", "model_compressed.npz"}) {
        const std::string whole = read_all(golden / name);
        write_all(path, whole);
        network model = expected();
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (int change : {0x01, 0x04, 0x20, 0x55, 0x80, 0xff}) {
                files::change(path, at, static_cast<char>(whole[at] ^ change));
                model.hidden.weight.fill(0);
                try {
                    load(model, path);
                } catch (const file_error&) {
                    REQUIRE(model.hidden.weight(0, 0) == 0);
                    model = expected();
                }
                REQUIRE(same(model, expected()));
            }
            files::change(path, at, whole[at]);
        }
        if (std::string_view(name) == "model.npz") {
            // The last element of hidden.weight.
            const std::size_t element = whole.find("hidden.weight.npy") + 17 + 20 + 128 + 20;
            files::change(path, element, static_cast<char>(whole[element] ^ 1));
            CHECK(error_of(model, path) == "hidden.weight.npy in " + path.string() + " is damaged: its check sum differs");
        }
        for (std::size_t size = whole.size(); size > 0;) {
            std::filesystem::resize_file(path, --size);
            REQUIRE_THROWS_AS(load(model, path), file_error);
        }
    }
}

TEST_CASE("a model that cannot be written is an error") {
    CHECK_THROWS_AS(save(expected(), golden / "no folder" / "model.npz"), file_error);
    CHECK_THROWS_AS(save(expected(), golden / "model.npz" / "folder"), file_error);
}
