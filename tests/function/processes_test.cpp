// SPDX-License-Identifier: MIT
// Calls where a program begins and ends, and in processes that were forked: each story is a process of its own.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#if CROTON_HAS_FORK
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace croton;

// The allocator of the address sanitizer does not survive a fork while another thread is within it.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool allocator_forks = false;
#elif defined(__has_feature)
constexpr bool allocator_forks = !__has_feature(address_sanitizer);
#else
constexpr bool allocator_forks = true;
#endif

namespace {

auto made() {
    return function<cpu>("many", [](vector<float> x, matrix<float> m) { return std::tuple(sum(x * x), 2 * x, dot(m, m)); });
}

/// Whether a loop among threads, and a product of a matrix that BLAS does not take as it lies, give what they should.
template <class F> bool right(F& f) {
    constexpr std::int64_t n = 1'000'000;
    array<float, 1> x(n);
    x.fill(1);
    array<float, 2> wide(20, 40);
    wide.fill(1);
    auto [total, twice, product] = f(x, wide.slice(1, 0, 40, 2));
    return total == n && twice(n - 1) == 2 && product(19, 19) == 20;
}
bool right() {
    auto f = made();
    return right(f);
}

// Made before everything that a first call makes, and destroyed after it.
struct first_and_last {
    decltype(made()) f = made();
    bool early = right(f);
    bool ends = false;
    ~first_and_last() {
        if (ends && !right(f)) _exit(9);
    }
} outermost;

struct of_thread {
    bool ends = false;
    ~of_thread() {
        if (ends && !right()) _exit(8);
    }
};
thread_local of_thread innermost;

/// The exit status of a child that runs `f`; 100 where a signal ends it.
template <class F> int child(F&& f) {
    const pid_t p = fork();
    if (p == 0) {
        alarm(20);
        f();
        std::exit(0);
    }
    int status = 0;
    return p > 0 && waitpid(p, &status, 0) == p && WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}
void expect(bool fine) {
    if (!fine) _exit(7);
}

void story(std::string_view name) {
    set_threads(4);
    if (name != "first call in a child") expect(right());
    if (name == "a child exits") expect(child([] {}) == 0);
    if (name == "a child calls" || name == "first call in a child") expect(child([] { expect(right()); }) == 0);
    if (name == "a child changes the threads")
        expect(child([] {
            for (int n : {2, 1, 3}) {
                set_threads(n);
                expect(threads() == n && right());
            }
        }) == 0);
    if (name == "a child of a child calls")
        expect(child([] {
            expect(right());
            expect(child([] { expect(right()); }) == 0);
            expect(right());
        }) == 0);
    if (name == "a fork while other threads call") {
        std::atomic<bool> ended{false};
        std::thread caller([&] {
            // No product: what BLAS does to a fork is its own.
            auto f = function<cpu>([](vector<float> x) { return sum(exp(x)); });
            const array<float, 1> x(1'000'000);
            while (!ended) f(x);
        });
        int bad = 0;
        for (int round = 0; round < 10; ++round) {
            usleep(2000);
            bad += child([] {
                auto f = function<cpu>([](vector<float> x) { return sum(sqr(x)); });
                array<float, 1> x(1'000'000);
                x.fill(1);
                expect(f(x) == 1e6F);
                _exit(0);
            }) != 0;
        }
        ended = true;
        caller.join();
        expect(bad == 0);
    }
    if (name == "static and thread_local destructors call") {
        outermost.ends = innermost.ends = true;
        std::thread([] {
            innermost.ends = true;
            expect(right());
        }).join();
    }
    if (name == "the end while a thread calls") {
        std::thread([] {
            auto f = made();
            for (;;) right(f);
        }).detach();
        usleep(20'000);
    }
}

}  // namespace

TEST_CASE("a static constructor calls") { CHECK(outermost.early); }

TEST_CASE("processes begin, split and end without a crash, a hang or a wrong number") {
    for (const char* name : {"a child exits", "a child calls", "first call in a child", "a child changes the threads", "a child of a child calls",
                             "a fork while other threads call", "static and thread_local destructors call", "the end while a thread calls"}) {
        CAPTURE(std::string(name));
        if (!allocator_forks && std::string_view(name) == "a fork while other threads call") continue;
        const pid_t p = fork();
        if (p == 0) {
            execl("/proc/self/exe", "story", name, static_cast<char*>(nullptr));
            _exit(6);
        }
        int status = 0;
        REQUIRE(waitpid(p, &status, 0) == p);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
}

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[0], "story") == 0) {
        alarm(60);
        story(argv[1]);
        return 0;
    }
    return doctest::Context(argc, argv).run();
}
#else
int main() {}
#endif
