// SPDX-License-Identifier: MIT
// A data set in small batches, in its order or in one that is random and new in each epoch.
#ifndef CROTON_RANDOM_MINIBATCHES_HPP
#define CROTON_RANDOM_MINIBATCHES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/core/later.hpp>
#include <croton/core/wrong.hpp>
#include <croton/random/order.hpp>

namespace croton::inline v0_1 {

/// What becomes of the examples that are left when no whole batch is: a shorter batch, or nothing.
enum class last_batch : std::uint8_t { shorter, dropped };

namespace detail {

/// One array of a data set, and a batch of it whose memory is used again.
template <class T, int Rank> class batched_array {
public:
    explicit batched_array(view<const T, Rank> all) : all_(all) {}

    std::int64_t size() const { return all_.extent(0); }
    view<const T, Rank> part(std::int64_t first, std::int64_t last) const { return all_.slice(0, first, last); }
    /// Copies what lies at these places; allocates where the batch is larger than any before.
    view<const T, Rank> gather(const std::int64_t* places, std::int64_t count) {
        extents_of<Rank> extents = all_.extents();
        extents[0] = count;
        if (room_.size() == 0 || room_.extent(0) < count) room_ = array<T, Rank>::uninitialized(extents);
        const view<T, Rank> to(room_.data(), extents);
        for (std::int64_t i = 0; i < count; ++i) {
            if constexpr (Rank == 1) to(i) = all_(places[i]);
            else to[i].copy_from(all_[places[i]]);
        }
        return to;
    }

private:
    view<const T, Rank> all_;
    array<T, Rank> room_;
};

template <class X>
concept data_set = requires(X& x) {
    typename std::remove_cvref_t<X>::value_type;
    x.extents();
} && (std::remove_cvref_t<X>::rank > 0);

template <data_set X> using data_view = view<const typename std::remove_cvref_t<X>::value_type, std::remove_cvref_t<X>::rank>;
template <data_set X> using batched_of = batched_array<typename std::remove_cvref_t<X>::value_type, std::remove_cvref_t<X>::rank>;

template <class... Arrays> class minibatch_range {
public:
    using batch = std::tuple<decltype(std::declval<Arrays&>().part(0, 0))...>;

    minibatch_range(std::int64_t count, const random::stream_of* seed, last_batch last, Arrays... arrays)
        : arrays_(std::move(arrays)...), count_(count), rows_(std::get<0>(arrays_).size()), shuffled_(seed != nullptr), last_(last) {
        if (shuffled_) seed_ = *seed;
        if (count <= 0) refuse<value_error>({"minibatches: a batch of ", count, " examples"});
        std::apply([&](const auto&... x) { (check(x.size()), ...); }, arrays_);
    }

    /// The number of batches of an epoch.
    std::int64_t size() const { return last_ == last_batch::shorter ? (rows_ + count_ - 1) / count_ : rows_ / count_; }
    /// The number of examples of all of them.
    std::int64_t examples() const { return last_ == last_batch::shorter ? rows_ : rows_ / count_ * count_; }

    /// Says which epoch comes next: what it was interrupted in begins anew. The first one is 0, and each pass is followed by the next.
    minibatch_range& epoch(std::int64_t number) & {
        epoch_ = number;
        return *this;
    }

    class iterator {
    public:
        using value_type = batch;
        using difference_type = std::ptrdiff_t;

        /// Views that hold until the next batch is asked for.
        batch operator*() const { return range_->at(number_); }
        iterator& operator++() {
            ++number_;
            return *this;
        }
        void operator++(int) { ++number_; }
        bool operator==(std::default_sentinel_t) const { return number_ == range_->size(); }

    private:
        friend minibatch_range;
        explicit iterator(minibatch_range& range) : range_(&range) {}
        minibatch_range* range_;
        std::int64_t number_ = 0;
    };

    /// Begins an epoch, with an order of its own where there is a seed.
    iterator begin() {
        if (shuffled_) {
            if (order_.size() != rows_) order_ = array<std::int64_t, 1>::uninitialized({rows_});
            draw_order(order_.span(), random::stream_of(seed_.key, 0xffff, seed_.calls + static_cast<std::uint64_t>(epoch_), seed_.turn));
        }
        ++epoch_;
        return iterator(*this);
    }
    std::default_sentinel_t end() const { return {}; }

private:
    std::tuple<Arrays...> arrays_;
    std::int64_t count_, rows_, epoch_ = 0;
    bool shuffled_;
    random::stream_of seed_;
    last_batch last_;
    array<std::int64_t, 1> order_;

    void check(std::int64_t rows) const {
        if (rows != rows_) refuse<shape_error>({"minibatches: one array has ", rows_, " examples, another one ", rows});
    }
    batch at(std::int64_t number) {
        const std::int64_t first = number * count_, last = std::min(first + count_, rows_);
        return std::apply([&](auto&... x) { return batch(shuffled_ ? x.gather(order_.data() + first, last - first) : x.part(first, last)...); }, arrays_);
    }
};

}  // namespace detail

/// A data set in batches of `count` examples, which lie along the first axis: `for (auto [x, y] : minibatches(images, labels, 100))`. Batches are
/// views: of the data, which must live as long, or with a seed of memory that every batch uses again, into which the examples are copied in a random
/// order; after the first batch nothing is allocated. Every pass over one range is an epoch with an order of its own, which depends on the seed and
/// on the number of the epoch alone; `epoch(n)` says which comes next. Throws `shape_error` where the arrays have different numbers of examples,
/// `value_error` where a batch has none.
template <detail::data_set X> auto minibatches(X&& x, std::int64_t count, last_batch last = last_batch::shorter) {
    return detail::minibatch_range(count, nullptr, last, detail::batched_of<X>(detail::data_view<X>(std::forward<X>(x))));
}
template <detail::data_set X> auto minibatches(X&& x, std::int64_t count, const random::stream_of& seed, last_batch last = last_batch::shorter) {
    return detail::minibatch_range(count, &seed, last, detail::batched_of<X>(detail::data_view<X>(std::forward<X>(x))));
}
template <detail::data_set X, detail::data_set Y> auto minibatches(X&& x, Y&& y, std::int64_t count, last_batch last = last_batch::shorter) {
    return detail::minibatch_range(count, nullptr, last, detail::batched_of<X>(detail::data_view<X>(std::forward<X>(x))),
                                   detail::batched_of<Y>(detail::data_view<Y>(std::forward<Y>(y))));
}
template <detail::data_set X, detail::data_set Y>
auto minibatches(X&& x, Y&& y, std::int64_t count, const random::stream_of& seed, last_batch last = last_batch::shorter) {
    return detail::minibatch_range(count, &seed, last, detail::batched_of<X>(detail::data_view<X>(std::forward<X>(x))),
                                   detail::batched_of<Y>(detail::data_view<Y>(std::forward<Y>(y))));
}
/// Without a count, or with one before the data: a compile-time error.
template <class First, class... X> requires (std::is_arithmetic_v<std::remove_cvref_t<First>> || !(std::is_arithmetic_v<std::remove_cvref_t<X>> || ...))
auto minibatches(const First&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: minibatches takes one array or two, and behind them how many examples a batch has: minibatches(x, y, 100)");
    using batch = std::tuple<detail::later<X, detail::wrong_result>...>;
    if constexpr (std::is_arithmetic_v<First>) return std::span<batch>();
    else return std::span<decltype(std::tuple_cat(std::tuple<detail::wrong_result>(), batch()))>();
}

}  // namespace croton::inline v0_1

#endif
