// SPDX-License-Identifier: MIT
// Memory that ends at the n-th allocation, for every n, while models are saved and loaded: an exception, and nothing else.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <new>

#include <croton/array/npz.hpp>

#include "files.hpp"

using namespace croton;

namespace {

// Allocations that still succeed; negative: all of them.
long left = -1;

void* give(std::size_t bytes, std::size_t alignment) {
    if (left == 0) throw std::bad_alloc();
    if (left > 0) --left;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) { return give(bytes, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) { return give(bytes, static_cast<std::size_t>(alignment)); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

template <template <class, int> class A> struct net {
    A<float, 2> a_weight_whose_name_is_longer_than_a_small_string;
    A<float, 1> b;
};
using network = net<on<cpu>::array>;

network filled(float value) {
    network n{array<float, 2>(3, 2), array<float, 1>(200)};
    for (float& v : n.a_weight_whose_name_is_longer_than_a_small_string) v = value;
    n.b.fill(value);
    return n;
}

bool same(const network& x, const network& y) {
    return x.b == y.b && x.a_weight_whose_name_is_longer_than_a_small_string == y.a_weight_whose_name_is_longer_than_a_small_string;
}

/// Lets every allocation of `call` fail in turn, and calls `check` after each; returns how many there were.
template <class Call, class Check> long fail_each(Call&& call, Check&& check) {
    for (long n = 0;; ++n) {
        bool failed = false;
        left = n;
        try {
            call();
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        left = -1;
        if (!failed) return n;
        check();
    }
}

}  // namespace

TEST_CASE("saving without memory leaves the old model and nothing else") {
    const files::folder f;
    const network old = filled(1);
    const network fresh = filled(2);
    for (const char* name : {"model.npz", "model"}) {
        const auto path = f.path / name;
        save(old, path);
        const auto names = f.names();
        const long allocations = fail_each([&] { save(fresh, path); }, [&] {
            network n;
            load(n, path);
            REQUIRE(same(n, old));
            REQUIRE(f.names() == names);
        });
        CHECK(allocations > 10);
        network n;
        load(n, path);
        CHECK(same(n, fresh));
    }
    const auto names = f.names();
    const auto absent = [&] { REQUIRE(f.names() == names); };
    CHECK(fail_each([&] { save(fresh, f.path / "new" / "model"); }, absent) > 10);
    std::filesystem::remove_all(f.path / "new");
    CHECK(fail_each([&] { save_npy(f.path / "transposed", fresh.a_weight_whose_name_is_longer_than_a_small_string.transpose()); }, absent) > 3);
}

TEST_CASE("loading without memory leaves the model as it was") {
    const files::folder f;
    for (const char* name : {"model.npz", "model"}) {
        const auto path = f.path / name;
        save(filled(2), path);
        network n;
        CHECK(fail_each([&] { load(n, path); }, [&] { REQUIRE(n.b.size() == 0); }) > 10);
        CHECK(same(n, filled(2)));
        n = filled(1);
        CHECK(fail_each([&] { load(n, path); }, [&] { REQUIRE(same(n, filled(1))); }) > 10);
        CHECK(same(n, filled(2)));
    }
}
