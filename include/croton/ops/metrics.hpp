// SPDX-License-Identifier: MIT
// How good predictions are, of classes and of numbers. None of the numbers of classes has a gradient.
#ifndef CROTON_OPS_METRICS_HPP
#define CROTON_OPS_METRICS_HPP

#include <array>

#include <croton/ops/matrices.hpp>
#include <croton/ops/nn.hpp>
#include <croton/ops/scatter.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Class numbers, or the answers to a question, as class numbers.
template <traced L> constexpr auto as_classes(const L& labels) {
    constexpr bool classes = std::is_integral_v<element_in<L>>;
    static_assert(classes, "croton: metrics of classes take class numbers, of an integer type, or bools; of logits take argmax<-1>(x)");
    if constexpr (!classes) {
        labels.graph->stopped = true;
        return expr<std::int64_t, rank_of<L>>{labels.graph, labels.id};
    } else {
        return cast<std::int64_t>(labels);
    }
}

/// What was said to be so and what is, beside each other.
template <traced P, traced L> constexpr auto classes_of_both(const P& predicted, const L& labels) {
    constexpr bool ranks = rank_of<P> == rank_of<L>;
    static_assert(ranks, "croton: scores compare class numbers with labels one by one, in arrays of as many axes; of logits take argmax<-1>(x)");
    if constexpr (ranks) return std::array{as_classes(predicted), as_classes(labels)};
    else return labels.graph->stopped = true, std::array{as_classes(labels), as_classes(labels)};
}

/// The type of shares: that of the logits, if there are any.
template <traced X> using share_in = std::conditional_t<std::is_floating_point_v<number_in<X>>, number_in<X>, double>;

template <traced N> constexpr auto share(const N& part, const N& all) {
    const auto count = cast<double>(all);
    return where(count > 0, cast<double>(part) / maximum(count, 1), 0);
}

}  // namespace detail

/// The share of the samples whose largest logit is that of the label: [n,c] x [n] -> one number, of any number of leading axes. Or the share of
/// class numbers, or bools, that are equal to the labels. A label that is no class is never right. Of no samples it is NaN. Scikit-learn's
/// `accuracy_score`.
template <traced X, traced L> constexpr auto accuracy(const X& predicted, const L& labels) {
    constexpr int rank = detail::rank_of<L>;
    constexpr bool ranks = detail::rank_of<X> == rank || detail::rank_of<X> == rank + 1;
    static_assert(ranks, "croton: accuracy takes logits with one axis more than the labels, or class numbers beside labels");
    if constexpr (detail::rank_of<X> == rank + 1) {
        return mean(cast<detail::share_in<X>>(argmax<-1>(predicted) == detail::as_classes(labels)));
    } else {
        if constexpr (!ranks) labels.graph->stopped = true;
        return mean(cast<double>(detail::as_classes(predicted) == detail::as_classes(labels)));
    }
}

/// The share of the samples whose label is among the `K` largest logits, of equal ones the first: [n,c] x [n] -> one number.
template <int K, traced X, traced L> constexpr auto top_k_accuracy(const X& logits, const L& labels) {
    constexpr bool ranks = detail::rank_of<X> == detail::rank_of<L> + 1;
    static_assert(ranks, "croton: top_k_accuracy takes logits with one axis more than the labels: [n,c] and [n]");
    if constexpr (!ranks) {
        logits.graph->stopped = true;
        return mean(cast<detail::share_in<X>>(logits));
    } else {
        const auto x = detail::as_number(logits);
        using T = detail::number_in<X>;
        detail::arena& g = *x.graph;
        const expr<std::int64_t, 1> classes{x.graph, detail::structure::arange::of(g, element::int64, g[x.id].shape[detail::rank_of<X> - 1])};
        const auto label = newaxis<-1>(detail::as_classes(labels));
        const auto here = classes == label;
        const auto own = sum<-1>(where(here, x, T(0)), keepdims);
        const auto ahead = (!(x <= own)) | ((x == own) & (classes < label));
        return mean(cast<detail::share_in<X>>((sum<-1>(ahead) < K) & any<-1>(here)));
    }
}

/// How many samples of each class were said to be of each: [n] x [n] -> [Classes,Classes] of int64, a row for each label, a column for each
/// prediction. What is no class is left out. Scikit-learn's `confusion_matrix(labels, predicted)`.
template <extent_code Classes, traced P, traced L> constexpr auto confusion_matrix(const P& predicted, const L& labels) {
    static_assert(Classes > 0, "croton: confusion_matrix needs the number of classes, as in confusion_matrix<10>(predicted, labels)");
    if constexpr (Classes <= 0) labels.graph->stopped = true;
    constexpr extent_code n = Classes > 0 ? Classes : 1;
    constexpr bool vectors = detail::rank_of<L> == 1 || detail::rank_of<P> != detail::rank_of<L>;
    static_assert(vectors, "croton: confusion_matrix takes two vectors, [n] and [n]; flatten(x) makes one");
    const auto [said, is] = detail::classes_of_both(predicted, labels);
    const auto counts = (said >= 0) & (said < n) & (is >= 0) & (is < n);
    if constexpr (detail::rank_of<L> == 1) return reshape<n, n>(segment_sum<n * n>(cast<std::int64_t>(counts), where(counts, is * n + said, 0)));
    else return labels.graph->stopped = true, expr<std::int64_t, 2>{labels.graph, labels.id};
}

/// Of what was said to be so, the part that is: true positives / predicted positives, and 0 where nothing was. Bools, or numbers of which 1 is yes.
/// With a number of classes, `precision_score<10>(predicted, labels)`, one number for each: [n] x [n] -> [Classes]. Scikit-learn's, as are the next
/// two.
template <extent_code Classes = 0, traced P, traced L> constexpr auto precision_score(const P& predicted, const L& labels) {
    const auto [said, is] = detail::classes_of_both(predicted, labels);
    if constexpr (Classes == 0) {
        return detail::share(sum((said == 1) & (is == 1)), sum(said == 1));
    } else {
        const auto counts = confusion_matrix<Classes>(said, is);
        return detail::share(diagonal(counts), sum<0>(counts));
    }
}

/// Of what is so, the part that was said to be: true positives / positives, and 0 where there are none.
template <extent_code Classes = 0, traced P, traced L> constexpr auto recall_score(const P& predicted, const L& labels) {
    return precision_score<Classes>(labels, predicted);
}

/// The harmonic mean of both: 2 true positives / (predicted positives + positives).
template <extent_code Classes = 0, traced P, traced L> constexpr auto f1_score(const P& predicted, const L& labels) {
    const auto [said, is] = detail::classes_of_both(predicted, labels);
    if constexpr (Classes == 0) {
        return detail::share(2 * sum((said == 1) & (is == 1)), sum(said == 1) + sum(is == 1));
    } else {
        const auto counts = confusion_matrix<Classes>(said, is);
        return detail::share(2 * diagonal(counts), sum<0>(counts) + sum<1>(counts));
    }
}

/// e to the mean cross-entropy of logits and labels: as many equally likely choices would be as hard to guess among. [n,c] x [n], any number of
/// leading axes.
template <traced X, traced L> constexpr auto perplexity(const X& logits, const L& labels) {
    return exp(mean(cross_entropy(logits, labels)));
}

/// The mean cross-entropy of logits and labels in bits.
template <traced X, traced L> constexpr auto bits_per_character(const X& logits, const L& labels) {
    return mean(cross_entropy(logits, labels)) * 1.4426950408889634074;
}

/// The mean of (prediction - target)^2 over the named axes, or over all.
template <int... Axes, traced X, detail::operand Y> constexpr auto mean_squared_error(const X& prediction, const Y& target) {
    return mean<Axes...>(sqr(prediction - target));
}

/// The mean of |prediction - target| over the named axes, or over all.
template <int... Axes, traced X, detail::operand Y> constexpr auto mean_absolute_error(const X& prediction, const Y& target) {
    return mean<Axes...>(abs(prediction - target));
}

/// The part of the variance of the target that the prediction explains, over the named axes, or over all: 1 - sum((target - prediction)^2) /
/// sum((target - mean(target))^2). Of a target that is the same everywhere it is 1 where the prediction is right, and else 0.
template <int... Axes, traced X, traced Y> constexpr auto r2_score(const X& prediction, const Y& target) {
    const auto left = sum<Axes...>(sqr(target - prediction)), all = sum<Axes...>(sqr(target - mean<Axes...>(target, keepdims)));
    return where(all > 0, 1 - left / where(all > 0, all, 1), where(left > 0, 0, ones_like(left)));
}

}  // namespace croton::inline v0_1

#endif
