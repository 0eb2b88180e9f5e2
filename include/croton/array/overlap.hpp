// SPDX-License-Identifier: MIT
// Whether strided elements share memory, decided for the elements themselves and not for the addresses between them.
#ifndef CROTON_ARRAY_OVERLAP_HPP
#define CROTON_ARRAY_OVERLAP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <croton/config.hpp>
#include <croton/core/extents.hpp>

namespace croton::inline v0_1::detail {

/// What the strides of a view may reach, in bytes: far beyond any memory, and three times it is still a number.
inline constexpr std::int64_t furthest_reach = std::int64_t{1} << 60;

/// Elements as a view names them; strides in elements.
struct strided_elements {
    const void* data = nullptr;
    const std::int64_t* extents = nullptr;
    const std::int64_t* strides = nullptr;
    int rank = 0;
    std::int64_t element_bytes = 1;

    bool empty() const {
        for (int a = 0; a < rank; ++a)
            if (extents[a] == 0) return true;
        return false;
    }
};

/// Sorts a few by their step. std::sort would be the larger part of what this header costs while compiling.
template <class Term> void sort_by_step(Term* terms, int count) {
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && terms[k].step < terms[k - 1].step; --k) std::swap(terms[k], terms[k - 1]);
}

constexpr std::int64_t common_divisor(std::int64_t a, std::int64_t b) { return b != 0 ? common_divisor(b, a % b) : a < 0 ? -a : a; }

/// Whether a number is a sum of one multiple, 0 to `last` times, of each of some steps. All numbers are at most three times
/// `furthest_reach`.
class bounded_sum {
public:
    void add(std::int64_t step, std::int64_t last) {
        if (step == 0 || last == 0) return;
        terms_[count_++] = {step, last};
    }

    /// Where that would take too long, which axes that are made to do so can bring about, the answer is that it is.
    bool gives(std::int64_t wanted) {
        simplify();
        std::int64_t all = 0, divisor = 0;
        for (int i = 0; i < count_; ++i) {
            term& t = terms_[i];
            t.below = all;
            all += t.step * t.last;
            // Multiples of `t` that leave a multiple of what divides all steps below it come every `period`.
            t.common = common_divisor(t.step, divisor);
            t.period = divisor / t.common;
            t.inverse = inverse(t.step / t.common, t.period);
            divisor = t.common;
        }
        return wanted >= 0 && wanted <= all && (count_ == 0 || search(count_ - 1, wanted));
    }

private:
    // A view of eight axes takes less than 256 of them.
    static constexpr int most_tries = 100'000;

    struct term {
        std::int64_t step = 0, last = 0;
        std::int64_t below = 0, common = 0, period = 0, inverse = 0;
    };

    /// Steps that differ, in their order, as few as say the same: 0 to 3 times 1 and 0 to 5 times 4 is 0 to 23 times 1.
    void simplify() {
        sort_by_step(terms_, count_);
        for (int i = 0; i < count_; ++i) {
            term& t = terms_[i];
            int kept = i + 1;
            for (int k = i + 1; k < count_; ++k) {
                const term next = terms_[k];
                if (next.step % t.step == 0 && next.step / t.step <= t.last + 1) t.last += next.step / t.step * next.last;
                else terms_[kept++] = next;
            }
            count_ = kept;
        }
    }

    /// Whether terms 0 to `k` give `wanted`, which is at most all of them.
    bool search(int k, std::int64_t wanted) {
        const term& t = terms_[k];
        if (wanted % t.common != 0) return false;
        if (k == 0) return wanted / t.step <= t.last;
        const std::int64_t least = wanted <= t.below ? 0 : (wanted - t.below + t.step - 1) / t.step;
        const std::int64_t most = std::min(t.last, wanted / t.step);
        std::int64_t times = product(wanted / t.common % t.period, t.inverse, t.period);
        if (times < least) times += (least - times + t.period - 1) / t.period * t.period;
        for (; times <= most; times += t.period)
            if (k == 1 || ++tries_ > most_tries || search(k - 1, wanted - times * t.step)) return true;
        return false;
    }

    /// `a b` modulo `m`.
    static std::int64_t product(std::int64_t a, std::int64_t b, std::int64_t m) {
#if CROTON_HAS_INT128
        __extension__ typedef __int128 wide;
        return static_cast<std::int64_t>(static_cast<wide>(a) * b % m);
#else
        // Digit by digit: every sum is of two numbers below `m`.
        const auto most = static_cast<std::uint64_t>(m);
        std::uint64_t sum = 0, power = static_cast<std::uint64_t>(a) % most;
        for (auto digits = static_cast<std::uint64_t>(b); digits != 0; digits >>= 1, power = 2 * power % most)
            if ((digits & 1) != 0) sum = (sum + power) % most;
        return static_cast<std::int64_t>(sum);
#endif
    }

    /// What times `a` is 1 modulo `m`, to which it has no common divisor: Euclid's algorithm. 0 where `m` is 0 or 1.
    static std::int64_t inverse(std::int64_t a, std::int64_t m) {
        if (m <= 1) return 0;
        std::int64_t r = m, next = a % m, x = 0, next_x = 1;
        while (next != 0) {
            const std::int64_t q = r / next;
            r = std::exchange(next, r - q * next);
            x = std::exchange(next_x, x - q * next_x);
        }
        return x < 0 ? x + m : x;
    }

    term terms_[2 * max_rank + 1];
    int count_ = 0, tries_ = 0;
};

/// Whether two indices name the same element.
inline bool repeats_elements(const strided_elements& x) {
    struct axis {
        std::int64_t step, last;
    };
    if (x.empty()) return false;
    axis axes[max_rank];
    int count = 0;
    for (int a = 0; a < x.rank; ++a) {
        if (x.extents[a] == 1) continue;
        if (x.strides[a] == 0) return true;
        axes[count++] = {x.strides[a] < 0 ? -x.strides[a] : x.strides[a], x.extents[a] - 1};
    }
    sort_by_step(axes, count);
    // Two indices differ by a sum of steps, each -last to last times, that is 0: its longest step is there, say forwards.
    std::int64_t reach = 0;
    for (int k = 0; k < count; ++k) {
        const axis& longest = axes[k];
        if (longest.step <= reach) {
            bounded_sum sum;
            sum.add(longest.step, longest.last - 1);
            for (int i = 0; i < k; ++i) sum.add(axes[i].step, 2 * axes[i].last);
            if (sum.gives(reach - longest.step)) return true;
        }
        reach += longest.step * longest.last;
    }
    return false;
}

/// Whether a byte belongs to an element of both.
inline bool share_memory(const strided_elements& x, const strided_elements& y) {
    if (x.empty() || y.empty()) return false;
    bounded_sum sum;
    std::int64_t low[2] = {}, high[2] = {};
    const strided_elements* const both[] = {&x, &y};
    for (int i = 0; i < 2; ++i)
        for (int a = 0; a < both[i]->rank; ++a) {
            const std::int64_t step = both[i]->strides[a] * both[i]->element_bytes, last = both[i]->extents[a] - 1;
            (step < 0 ? low : high)[i] += step * last;
            sum.add(step < 0 ? -step : step, last);
        }
    const auto at = [&](int i, std::int64_t offset) { return reinterpret_cast<std::uintptr_t>(both[i]->data) + static_cast<std::uintptr_t>(offset); };
    const std::uintptr_t first = at(0, low[0]), end = at(1, high[1] + y.element_bytes);
    if (first >= end || at(1, low[1]) >= at(0, high[0] + x.element_bytes)) return false;
    // Upwards from the lowest byte of x and downwards from the highest of y, one meets the other.
    sum.add(1, x.element_bytes + y.element_bytes - 2);
    return sum.gives(static_cast<std::int64_t>(end - 1 - first));
}

}  // namespace croton::inline v0_1::detail

#endif
