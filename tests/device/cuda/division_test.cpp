// SPDX-License-Identifier: MIT
// Into how many blocks the work of a call is cut, on a GPU of 132 processors: what is computed from sizes, and runs nowhere.
#include "device/emulated_cuda.hpp"

#include "device/kernels.hpp"

using namespace test;

namespace {

namespace device = croton::detail::cuda_device;

/// The sizes of an H100.
struct processors_132 {
    static constexpr int threads = 256;
    static int processors() { return 132; }
};
constexpr std::int64_t resident = 4 * 132;

struct divided {
    std::int64_t blocks, chunks, length;
    int group, span;
    bool by_columns;
    std::int64_t partial_bytes;  // of the sums of columns
};

/// How a kernel over arrays that lie densely, aligned to 256 bytes, is divided. `stride`: of each slot.
template <class Kernel> divided divided_as(std::vector<std::int64_t> extents, std::vector<std::array<std::int64_t, croton::max_rank>> stride, std::int64_t length = 0) {
    using engine = device::engine<processors_132, Kernel>;
    std::vector<operand> slots;
    for (const auto& s : stride) slots.push_back({nullptr, s});
    typename engine::args a{};
    const bool wide = engine::lay_out(a, extents.data(), slots.data(), nullptr);
    const auto how = wide ? engine::units::template arrange<engine::width>(a, resident, length) : engine::units::template arrange<1>(a, resident, length);
    std::int64_t bytes = 0;
    for (const auto& s : a.sum)
        if (how.by_columns && a.chunks > 1) bytes += a.chunks * s.count * 8;
    return {a.blocks, a.chunks, a.length, a.group, a.span, how.by_columns, bytes};
}

using exp_of = map<1, block<load<float, 0>, apply<power_of_e, e<0, float>>, store<float, 1, e<1, float>>>>;
using sum_of_rows = map<2, block<load<float, 0>, accumulate<sum, float, 1, e<0, float>>>>;
using sum_of_all = map<1, block<load<float, 0>, apply<power_of_e, e<0, float>>, accumulate<sum, float, 1, e<1, float>>>>;
template <class T> using softmax_like = kernel_of<1, 1, block<>, block<>, phase<block<load<T, 0>>, block<reduce<test::max, T, e<0, T>>>, block<>>,
                                                  phase<block<load<T, 0>, apply<sub, e<0, T>, r<0, T>>, store<T, 1, e<1, T>>>, block<>, block<>>>;

}  // namespace

TEST_CASE("elements are on all processors: one by one until two blocks for each have pieces of 16 bytes") {
    // 57,600 pieces of 16 bytes would be 225 blocks.
    const divided w2 = divided_as<exp_of>({230'400}, {{1}, {1}});
    CHECK(w2.blocks == resident);
    CHECK(w2.length == 437);
    const divided wide = divided_as<exp_of>({2 * 132 * 256 * 4}, {{1}, {1}});
    CHECK(wide.blocks == 2 * 132);
    CHECK(wide.length == 256);
    CHECK(divided_as<exp_of>({4}, {{1}, {1}}).blocks == 1);
    CHECK(divided_as<exp_of>({0}, {{1}, {1}}).blocks <= 1);
    CHECK(divided_as<exp_of>({1'000'000}, {{1}, {1}}).blocks > 2 * 132);
    CHECK(divided_as<exp_of>({1'000'000}, {{1}, {1}}).blocks <= resident);
    // Many: as many blocks as run at once, one unit after the other.
    const divided many = divided_as<exp_of>({1'000'000'000}, {{1}, {1}});
    CHECK(many.blocks == resident);
    CHECK(many.length == 1024);
}

TEST_CASE("the samples of a small regression are blocks, not a warp") {
    const divided w3 = divided_as<sum_of_all>({400}, {{1}, {}});
    CHECK(w3.group == 256);
    CHECK(w3.blocks == 2);
    CHECK(divided_as<sum_of_all>({40'000}, {{1}, {}}).blocks > 16);
}

TEST_CASE("column sums: tiles of 128 bytes, chunks where there are rows for every thread") {
    const divided bias = divided_as<sum_of_rows>({100, 1000}, {{1000, 1}, {0, 1}});
    CHECK(bias.by_columns);
    CHECK(bias.span == 8);
    CHECK(bias.blocks == 32);
    CHECK(bias.chunks == 1);
    CHECK(bias.partial_bytes == 0);
    const divided tall = divided_as<sum_of_rows>({4096, 1024}, {{1024, 1}, {0, 1}});
    CHECK(tall.by_columns);
    CHECK(tall.blocks >= 2 * 132);
    CHECK(tall.length / (256 / tall.span) >= 8);
    CHECK(tall.partial_bytes <= 128 * 1024);
    CHECK(divided_as<sum_of_rows>({1'000'000, 3}, {{3, 1}, {0, 1}}).blocks >= 2 * 132);
}

TEST_CASE("short rows share warps") {
    const auto rows = [](std::int64_t m, std::int64_t n) { return divided_as<softmax_like<float>>({m, n}, {{n, 1}, {n, 1}}); };
    CHECK(rows(100'000, 1).group == 1);
    CHECK(rows(100'000, 10).group == 4);
    CHECK(rows(100'000, 32).group == 2);  // 8 pieces of 16 bytes
    CHECK(rows(100'000, 64).group == 4);
    CHECK(rows(100'000, 128).group == 8);
    CHECK(rows(100'000, 256).group == 16);
    CHECK(rows(100'000, 512).group == 32);
    CHECK(rows(100, 10).group == 16);
    CHECK(rows(100, 33).group == 32);
    CHECK(rows(100, 1000).group == 256);
}

TEST_CASE("rows that fit stay in registers, between phases that do not write") {
    using engine = device::engine<processors_132, softmax_like<float>>;
    const auto held = [](std::int64_t m, std::int64_t n) {
        typename engine::args a{};
        const std::int64_t extents[] = {m, n};
        const operand slots[] = {{nullptr, {n, 1}}, {nullptr, {n, 1}}};
        const bool wide = engine::lay_out(a, extents, slots, nullptr);
        if (wide) engine::units::template arrange<engine::width>(a, resident);
        else engine::units::template arrange<1>(a, resident);
        return wide ? engine::units::template holds_rows<engine::width>(a) : engine::units::template holds_rows<1>(a);
    };
    for (const std::int64_t n : {1, 3, 10, 32, 100, 500, 1000, 1024}) {
        CAPTURE(n);
        CHECK(held(100'000, n));
    }
    CHECK(held(2000, 8192));
    CHECK(!held(2000, 100'000));
    CHECK(!held(4, 1'000'000));
    using stores_first = kernel_of<1, 1, block<>, block<>, phase<block<load<float, 0>, store<float, 1, e<0, float>>>, block<>, block<>>,
                                   phase<block<load<float, 2>, store<float, 3, e<0, float>>>, block<>, block<>>>;
    CHECK(!device::held_row<stores_first, 4>::possible);
}

TEST_CASE("a joint launch gives every member chunks of one length") {
    CHECK(divided_as<exp_of>({784'000}, {{1}, {1}}, 900).blocks == (196'000 + 899) / 900);
}
