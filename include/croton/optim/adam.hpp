// SPDX-License-Identifier: MIT
// Adam.
#ifndef CROTON_OPTIM_ADAM_HPP
#define CROTON_OPTIM_ADAM_HPP

#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

struct adam_options {
    hyper learning_rate = 1e-3;
    hyper beta1 = 0.9;
    hyper beta2 = 0.999;
    hyper epsilon = 1e-8;
};

/// The moments of the gradient of every array of a model, and the number of steps taken.
template <class M> struct adam_state {
    M first_moment;
    M second_moment;
    typename detail::counter_of<M>::type steps;

    static adam_state zeros_like(const M& model) { return {croton::zeros_like(model), croton::zeros_like(model), {}}; }
};

/// Algorithm 1 of Kingma and Ba (2015): with t = steps + 1,
/// m <- beta1 m + (1 - beta1) g, v <- beta2 v + (1 - beta2) g^2,
/// w <- w - learning_rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon). The powers are taken in double.
template <traced C, class M, class S> constexpr auto adam(const C& cost, const M& model, const S& state, const adam_options& options = {}) {
    detail::update_sink<3 * detail::arrays_in<M> + 1> updates;
    const auto t = state.steps + std::int64_t(1);
    updates.add(update(state.steps, t));
    const auto correction = [&](const hyper& beta) {
        return 1 - pow(detail::scalar_of<double>(cost.graph, beta), cast<double>(t));
    };
    const auto correction1 = correction(options.beta1), correction2 = correction(options.beta2);
    detail::for_each_gradient(
        cost, model,
        [&](const auto& w, const auto& g, const auto& first, const auto& second) {
            using T = detail::number_in<std::remove_cvref_t<decltype(g)>>;
            const auto beta1 = detail::scalar_of<T>(cost.graph, options.beta1);
            const auto beta2 = detail::scalar_of<T>(cost.graph, options.beta2);
            const auto m = beta1 * first + (1 - beta1) * g;
            const auto v = beta2 * second + (1 - beta2) * sqr(g);
            const auto rate = cast<T>(detail::scalar_of<double>(cost.graph, options.learning_rate) / correction1);
            updates.add(update(first, m));
            updates.add(update(second, v));
            updates.add(w -= rate * m / (sqrt(v * cast<T>(1 / correction2)) + detail::scalar_of<T>(cost.graph, options.epsilon)));
        },
        state.first_moment, state.second_moment);
    return updates.list;
}

}  // namespace croton::inline v0_1

#endif
