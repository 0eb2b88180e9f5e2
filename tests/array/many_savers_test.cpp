// SPDX-License-Identifier: MIT
// Processes and threads that save to one path and load from it at the same time.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <croton/array/npz.hpp>

#include "files.hpp"

using namespace croton;

namespace {

template <template <class, int> class A> struct net {
    A<float, 1> a;
    A<float, 1> b;
    A<float, 1> c;
};
using network = net<on<cpu>::array>;

network filled(int value) {
    // Sizes differ too: pieces of two models do not even fit together.
    const int size = 1000 * value;
    network n{array<float, 1>(size), array<float, 1>(size), array<float, 1>(size)};
    for (auto* x : {&n.a, &n.b, &n.c}) x->fill(static_cast<float>(value));
    return n;
}

bool whole(const network& n) {
    const auto value = n.a.size() / 1000;
    bool same = n.a.size() % 1000 == 0 && value > 0;
    for (const auto* x : {&n.a, &n.b, &n.c}) {
        same = same && x->size() == n.a.size();
        for (float v : *x) same = same && v == static_cast<float>(value);
    }
    return same;
}

void save_often(const std::filesystem::path& path, int value) {
    for (int i = 0; i < 15; ++i) save(filled(value), path);
}

/// Loads until it is done, and says what was wrong.
std::string load_until(const std::filesystem::path& path, const std::atomic<bool>& done) {
    int loaded = 0;
    while (!done || loaded == 0) {
        network n;
        try {
            load(n, path);
        } catch (const file_error& error) {
            return error.what();
        }
        if (!whole(n)) return "a mixture of two models";
        ++loaded;
    }
    return "";
}

}  // namespace

TEST_CASE("processes that save to one path") {
    const files::folder f;
    for (const char* name : {"model.npz", "model"}) {
        const auto path = f.path / name;
        save(filled(1), path);
        const std::size_t before = f.names().size();
        std::vector<pid_t> savers;
        for (int value = 1; value <= 3; ++value) {
            const pid_t saver = ::fork();
            REQUIRE(saver >= 0);
            if (saver == 0) {
                int status = 0;
                try {
                    save_often(path, value);
                } catch (...) {
                    status = 1;
                }
                ::_exit(status);
            }
            savers.push_back(saver);
        }
        std::atomic<bool> done = false;
        std::string wrong;
        std::thread loader([&] { wrong = load_until(path, done); });
        for (const pid_t saver : savers) {
            int status = -1;
            CHECK(::waitpid(saver, &status, 0) == saver);
            CHECK(status == 0);
        }
        done = true;
        loader.join();
        CHECK(wrong == "");
        network n;
        load(n, path);
        CHECK(whole(n));
        CHECK(f.names().size() == before);
    }
}

TEST_CASE("threads that save to one path") {
    const files::folder f;
    for (const char* name : {"model.npz", "model"}) {
        const auto path = f.path / name;
        save(filled(1), path);
        std::atomic<bool> done = false;
        std::string wrong;
        std::thread loader([&] { wrong = load_until(path, done); });
        std::thread other([&] { save_often(path, 2); });
        save_often(path, 3);
        other.join();
        done = true;
        loader.join();
        CHECK(wrong == "");
    }
}
