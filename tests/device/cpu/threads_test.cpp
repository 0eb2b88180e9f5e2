// SPDX-License-Identifier: MIT
#include <croton/device/cpu/cpu.hpp>

#include "device/kernels.hpp"

#include <atomic>
#include <climits>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace test;

namespace {

struct with_threads {
    explicit with_threads(int n) { croton::set_threads(n); }
    ~with_threads() { croton::set_threads(0); }
};

template <class T> slot full(std::int64_t n, unsigned seed, std::initializer_list<std::int64_t> stride) {
    slot s{memory::of<T>(static_cast<std::size_t>(n), seed), 0, {}};
    std::size_t a = 0;
    for (std::int64_t v : stride) s.stride[a++] = v;
    return s;
}

}  // namespace

TEST_CASE("the number of threads") {
    CHECK(croton::threads() >= 1);
    with_threads three(3);
    CHECK(croton::threads() == 3);
    for (int nothing : {0, -1, INT_MIN}) {
        croton::set_threads(nothing);
        CHECK(croton::threads() == croton::detail::available_processors());
    }
    const int most = std::max(64, static_cast<int>(std::thread::hardware_concurrency()));
    for (int many : {100'000, INT_MAX}) {
        croton::set_threads(many);
        CHECK(croton::threads() == most);
    }
}

TEST_CASE("the number of threads until the end of a scope") {
    const with_threads three(3);
    const int blas = croton::detail::blas_threads();
    {
        const auto two = croton::threads(2);
        CHECK(croton::threads() == 2);
        if (blas > 0) CHECK(croton::detail::blas_threads() == 2);
        {
            const auto all = croton::threads(0);
            CHECK(croton::threads() == croton::detail::available_processors());
        }
        CHECK(croton::threads() == 2);
    }
    CHECK(croton::threads() == 3);
    CHECK(croton::detail::blas_threads() == blas);
}

TEST_CASE("every part runs once, also in nested jobs and with several callers") {
    for (int n : {1, 2, 4}) {
        with_threads some(n);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::atomic<int>> hits(7);
            croton::detail::parallel(7, [&](int part) {
                croton::detail::parallel(2, [&](int) { hits[static_cast<std::size_t>(part)]++; });
            });
            for (auto& h : hits) CHECK(h == 2);
        }
        std::atomic<int> all{0};
        std::vector<std::thread> callers;
        for (int c = 0; c < 3; ++c)
            callers.emplace_back([&] {
                for (int round = 0; round < 100; ++round) croton::detail::parallel(3, [&](int) { ++all; });
            });
        for (std::thread& c : callers) c.join();
        CHECK(all == 900);
    }
}

TEST_CASE("the number of threads may change while jobs run") {
    with_threads some(3);
    std::atomic<bool> ended{false};
    std::atomic<int> ran{0};
    int jobs = 0;
    std::thread caller([&] {
        for (; !ended; ++jobs) croton::detail::parallel(5, [&](int) { ++ran; });
    });
    for (int round = 0; round < 100; ++round) croton::set_threads(1 + round % 4);
    ended = true;
    caller.join();
    CHECK(ran == 5 * jobs);
    // A part of a job asks for it: it happens, and nobody waits for itself.
    croton::detail::parallel(3, [&](int part) {
        if (part == 1) croton::set_threads(2);
    });
    CHECK(croton::threads() == 2);
}

#ifdef __GLIBC__
TEST_CASE("where the system gives no thread, the caller runs the parts") {
    with_threads some(3);  // and the workers of other tests have ended
    pthread_attr_t before, huge;
    REQUIRE(pthread_getattr_default_np(&before) == 0);
    REQUIRE(pthread_attr_init(&huge) == 0);
    // A stack that no address space has room for.
    REQUIRE(pthread_attr_setstacksize(&huge, std::size_t{1} << 62) == 0);
    REQUIRE(pthread_setattr_default_np(&huge) == 0);
    CHECK_THROWS_AS(std::thread([] {}).join(), std::system_error);
    std::vector<int> ran(6);
    croton::detail::parallel(6, [&](int part) { ++ran[static_cast<std::size_t>(part)]; });
    CHECK(ran == std::vector<int>(6, 1));
    REQUIRE(pthread_setattr_default_np(&before) == 0);
    std::atomic<bool> other{false};
    const auto caller = std::this_thread::get_id();
    for (int round = 0; round < 1000 && !other; ++round)
        croton::detail::parallel(3, [&](int) {
            if (std::this_thread::get_id() != caller) other = true;
            std::this_thread::yield();
        });
    CHECK(other);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
}
#endif

TEST_CASE("an exception of a part reaches the caller after all parts ended") {
    with_threads some(3);
    std::atomic<int> ran{0};
    CHECK_THROWS_AS(croton::detail::parallel(3, [&](int part) {
        ++ran;
        if (part == 2) throw std::runtime_error("part 2");
    }), std::runtime_error);
    CHECK(ran == 3);
    croton::detail::parallel(3, [&](int) { ++ran; });
    CHECK(ran == 6);
}

TEST_CASE("large loops agree with the reference on any number of threads") {
    using elementwise = map<2, block<load<float, 0>, load<float, 1>, apply<mul, e<0, float>, e<1, float>>, store<float, 2, e<2, float>>>>;
    using rows = kernel_of<1, 1, block<>, block<>, phase<block<load<float, 0>>, block<reduce<test::max, float, e<0, float>>>, block<>>,
                           phase<block<load<float, 0>, apply<sub, e<0, float>, r<0, float>>, store<float, 1, e<1, float>>>, block<reduce<sum, float, e<1, float>>>,
                                 block<store<float, 2, r<1, float>>, accumulate<sum, float, 3, r<1, float>>>>>;
    using whole = kernel_of<0, 1, block<>, block<>,
                            phase<block<load<float, 0>, accumulate_inner<sum, float, 3, e<0, float>>>, block<reduce<test::max, float, e<0, float>>>, block<>>,
                            phase<block<load<float, 0>, apply<sub, e<0, float>, r<0, float>>, store<float, 1, e<1, float>>>, block<reduce<sum, float, e<1, float>>>,
                                  block<store<float, 2, r<1, float>>>>>;
    using columns = kernel_of<0, 2, block<>, block<>, phase<block<load<float, 0>, accumulate<sum, float, 1, e<0, float>>>, block<>, block<>>>;
    using row_columns = kernel_of<1, 1, block<>, block<>, phase<block<load<float, 0>, accumulate<sum, float, 1, e<0, float>>>, block<>, block<>>>;
    const std::int64_t m = 700, n = 1100, all = m * n;
    for (int t : {1, 2, 3, 5}) {
        CAPTURE(t);
        with_threads some(t);
        check_on<croton::cpu, elementwise, float, float, float>({m, n}, {full<float>(all, 1, {n, 1}), full<float>(all, 2, {n, 1}), full<float>(all, 3, {n, 1})});
        check_on<croton::cpu, elementwise, float, float, float>({m, n}, {full<float>(all, 1, {1, m}), full<float>(all, 2, {n, 1}), full<float>(all, 3, {n, 1})});
        check_on<croton::cpu, rows, float, float, float, float>({m, n}, {full<float>(all, 1, {n, 1}), full<float>(all, 2, {n, 1}), full<float>(m, 3, {1}), full<float>(1, 4, {})}, 3e-4);
        check_on<croton::cpu, whole, float, float, float, float>({all}, {full<float>(all, 1, {1}), full<float>(all, 2, {1}), full<float>(1, 3, {}), full<float>(1, 4, {})}, 3e-4);
        check_on<croton::cpu, columns, float, float>({m, n}, {full<float>(all, 1, {n, 1}), full<float>(n, 2, {0, 1})}, 1e-4);
        check_on<croton::cpu, row_columns, float, float>({m, n}, {full<float>(all, 1, {n, 1}), full<float>(n, 2, {0, 1})}, 1e-4);
    }
}

TEST_CASE("sums are the same on every run") {
    with_threads some(3);
    using whole = kernel_of<0, 1, block<>, block<>, phase<block<load<float, 0>>, block<reduce<sum, float, e<0, float>>>, block<store<float, 1, r<0, float>>>>>;
    std::int64_t n = 3'000'000;
    slot x = full<float>(n, 1, {1});
    float first = 0;
    for (int round = 0; round < 20; ++round) {
        float y = 0;
        const operand slots[] = {{x.m.data(), x.stride}, {reinterpret_cast<std::byte*>(&y), {}}};
        croton::cpu::run<whole>(&n, slots, nullptr);
        if (round == 0) first = y;
        CHECK(y == first);
    }
}
