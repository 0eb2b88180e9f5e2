// SPDX-License-Identifier: MIT
#include "golden/norm_layers.hpp"

using namespace croton;

namespace {

struct over_last {
    using image = tensor<double, dynamic, dynamic, dynamic>;
    using parameter = vector<double>;
    static constexpr auto of(const auto& x, const auto& s, const auto& b) { return layer_norm(x, s, b); }
};
struct over_two {
    using image = tensor<double, dynamic, dynamic, dynamic>;
    using parameter = matrix<double>;
    static constexpr auto of(const auto& x, const auto& s, const auto& b) { return layer_norm<-2, -1>(x, s, b, {.epsilon = 1e-3}); }
};
struct in_groups {
    using image = tensor<double, dynamic, dim("channel"), dynamic, dynamic>;
    using parameter = vector<double, dim("channel")>;
    static constexpr auto of(const auto& x, const auto& s, const auto& b) { return group_norm<2>(x, s, b); }
};
struct in_instances {
    using image = tensor<double, dynamic, 3, dynamic, dynamic>;
    using parameter = vector<double, 3>;
    static constexpr auto of(const auto& x, const auto& s, const auto& b) { return instance_norm(x, s, b); }
};

}  // namespace

TEST_CASE("layer_norm") { norm_layers::check<cpu, 3, 1>("layer", over_last()); }
TEST_CASE("layer_norm over two axes, on the reference device") { norm_layers::check<reference, 3, 2>("layer_two", over_two()); }
TEST_CASE("group_norm") { norm_layers::check<cpu, 4, 1>("group", in_groups()); }
TEST_CASE("instance_norm") { norm_layers::check<cpu, 4, 1>("instance", in_instances()); }

TEST_CASE("rms_norm") {
    golden::packed want("norm_layers_rms");
    const auto x = want.take<double, 2>();
    const auto scale = want.take<double, 1>();
    const auto f = function<cpu>([](matrix<double> a, vector<double> s) {
        auto y = rms_norm(a, s);
        auto [ga, gs] = grad(norm_layers::weighed(y), a, s);
        return outputs(y, ga, gs, grad(sum(sqr(ga)), a));
    });
    want.check_near(f(x, scale), 1e-11);
    want.done();
}
