// SPDX-License-Identifier: MIT
// The stable forms are found in every spelling, below views, among other factors and where the parts are outputs too.
#include <doctest/doctest.h>

#include "rewrite/normal.hpp"

using namespace croton;
using rewrite_tests::normal;
using rewrite_tests::normal_free;

namespace {

using V = croton::vector<double, dim("n")>;
using M = matrix<double, dim("m"), dim("n")>;

}  // namespace

TEST_CASE("log of a sigmoid is a softplus") {
    for (const std::string& text : {normal([](V x) { return log(sigmoid(x)); }), normal([](V x) { return log(1 / (1 + exp(-x))); }),
                                    normal([](V x) { return log(1 / (exp(-x) + 1)); }), normal([](V x) { return log(exp(x) / (1 + exp(x))); }),
                                    normal([](V x) { return log(1 - 1 / (1 + exp(x))); }), normal([](V x) { return log(pow(1 + exp(-x), -1)); })})
        CHECK(text == "negative(softplus(negative(a)))");
    for (const std::string& text : {normal([](V x) { return log(1 - sigmoid(x)); }), normal([](V x) { return log(-sigmoid(x) + 1); }),
                                    normal([](V x) { return log1p(-sigmoid(x)); }), normal([](V x) { return log(1 - 1 / (1 + exp(-x))); }),
                                    normal([](V x) { return log(-(sigmoid(x) - 1)); })})
        CHECK(text == "negative(softplus(a))");
    for (const std::string& text : {normal([](V x) { return log1p(exp(x)); }), normal([](V x) { return log(1 + exp(x)); }),
                                    normal([](V x) { return log(exp(x) + 1); }), normal([](V x) { return -log(sigmoid(-x)); })})
        CHECK(text == "softplus(a)");
    CHECK(normal([](V x) { return log(1 + exp(-x)); }) == "softplus(negative(a))");
    CHECK(normal([](V x) { return log1p(exp(2 * x)); }) == "softplus(multiply(a, 2))");
}

TEST_CASE("a quotient of exponentials is a sigmoid, with signs and other factors kept") {
    for (const std::string& text : {normal([](V x) { return exp(x) / (1 + exp(x)); }), normal([](V x) { return exp(x) / (exp(x) + 1); }),
                                    normal([](V x) { return 1 / (1 + exp(-x)); }), normal([](V x) { return exp(x) * sigmoid(-x); }),
                                    normal([](V x) { return sigmoid(-x) * exp(x); }), normal([](V x) { return 1 - sigmoid(-x); })})
        CHECK(text == "sigmoid(a)");
    for (const std::string& text : {normal([](V x) { return 1 / (1 + exp(x)); }), normal([](V x) { return pow(1 + exp(x), -1); }),
                                    normal([](V x) { return exp(-x) / (1 + exp(-x)); }), normal([](V x) { return exp(-x) * sigmoid(x); }),
                                    normal([](V x) { return 1 - sigmoid(x); }), normal([](V x) { return -(sigmoid(x) - 1); }),
                                    normal([](V x) { return 1 - 1 / (1 + exp(-x)); })})
        CHECK(text == "sigmoid(negative(a))");
    for (const std::string& text : {normal([](V x) { return -exp(x) / (1 + exp(x)); }), normal([](V x) { return exp(x) / (-1 - exp(x)); }),
                                    normal([](V x) { return -1 / (1 + exp(-x)); }), normal([](V x) { return sigmoid(-x) - 1; }),
                                    normal([](V x) { return -1 + sigmoid(-x); })})
        CHECK(text == "negative(sigmoid(a))");
    CHECK(normal([](V x) { return 2 / (1 + exp(x)); }) == "multiply(sigmoid(negative(a)), 2)");
    CHECK(normal([](V x) { return 1 / (2 + 2 * exp(x)); }) == "multiply(sigmoid(negative(a)), 0.5)");
    CHECK(normal([](V x) { return 1 / sqr(1 + exp(x)); }) == "sqr(sigmoid(negative(a)))");
    CHECK(normal([](V x, V y) { return y / (1 + exp(x)); }) == "multiply(b, sigmoid(negative(a)))");
    CHECK(normal([](V x, V y) { return y * exp(x) * 2 / (1 + exp(x)); }) == "multiply(multiply(b, sigmoid(a)), 2)");
    CHECK(normal([](V x, V y, V z) { return y * exp(x) * z * sigmoid(-x); }) == "multiply(multiply(b, sigmoid(a)), c)");
    CHECK(normal([](V x, V y) { return exp(x - y) * sigmoid(y - x); }) == "sigmoid(subtract(a, b))");
    CHECK(normal([](V x, V y) { return exp(x) / (exp(x) + exp(y)); }) == "sigmoid(subtract(a, b))");
    CHECK(normal([](V x, V y) { return 1 - sigmoid(x) + y; }) == "add(sigmoid(negative(a)), b)");
    CHECK(normal([](V x) { return 2 - 2 * sigmoid(x); }) == "multiply(sigmoid(negative(a)), 2)");
}

TEST_CASE("sigmoids and logits cancel") {
    CHECK(normal([](V x) { return sigmoid(x) / (1 - sigmoid(x)); }) == "exp(a)");
    CHECK(normal([](V x) { return (1 - sigmoid(x)) / sigmoid(x); }) == "exp(negative(a))");
    CHECK(normal_free([](V x) { return sigmoid(log(x / (1 - x))); }) == "a");
    CHECK(normal_free([](V x) { return sigmoid(log(x) - log(1 - x)); }) == "a");
    CHECK(normal_free([](V x) { return log(sigmoid(x) / (1 - sigmoid(x))); }) == "a");
    CHECK(normal([](V x) { return softplus(x) - softplus(-x); }) == "a");
    CHECK(normal([](V x) { return softplus(x) - x; }) == "softplus(negative(a))");
}

TEST_CASE("differences and logarithms of what lies near 1") {
    for (const std::string& text : {normal([](V x) { return exp(x) - 1; }), normal([](V x) { return -1 + exp(x); }), normal([](V x) { return -(1 - exp(x)); })})
        CHECK(text == "expm1(a)");
    CHECK(normal([](V x) { return 2 * exp(x) - 2; }) == "multiply(expm1(a), 2)");
    CHECK(normal([](V x) { return 1 - exp(x); }) == "negative(expm1(a))");
    CHECK(normal_free([](V x, V y) { return y - 1 + exp(x); }) == "add(b, expm1(a))");
    CHECK(normal([](V x) { return (exp(x) - 1) / x; }) == "divide(expm1(a), a)");
    CHECK(normal([](V x) { return log(1 + x); }) == "log1p(a)");
    CHECK(normal([](V x) { return log(x + 1); }) == "log1p(a)");
    CHECK(normal([](V x) { return log(1 - x); }) == "log1p(negative(a))");
    CHECK(normal([](V x, V y) { return log(1 - x * y); }) == "log1p(negative(multiply(a, b)))");
    for (const std::string& text : {normal([](V x) { return log(1 - exp(x)); }), normal([](V x) { return log1p(-exp(x)); }), normal([](V x) { return log(-expm1(x)); })})
        CHECK(text == "log1mexp(a)");
}

TEST_CASE("logarithms of sums and products of exponentials") {
    CHECK(normal([](V x, V y) { return log(exp(x) + exp(y)); }) == "logaddexp(a, b)");
    CHECK(normal([](V x, V y, V z) { return log(exp(x) + exp(y) + exp(z)); }) == "logaddexp(logaddexp(a, b), c)");
    CHECK(normal([](V x, V y) { return log(exp(x) - exp(y)); }) == "where(equal(b, -inf), a, add(a, log1mexp(subtract(b, a))))");
    CHECK(normal_free([](V x) { return log(exp(x)); }) == "a");
    CHECK(normal([](V x) { return log(exp(x) + exp(x)); }) == "add(a, log(2))");
    CHECK(normal([](V x, V y) { return log(y * exp(x)); }) == "add(log(b), a)");
    CHECK(normal([](V x, V y) { return log(y / (1 + exp(x))); }) == "subtract(log(b), softplus(a))");
    CHECK(normal([](V x) { return log(1 / sigmoid(x)); }) == "softplus(negative(a))");
    CHECK(normal([](V x, V y, V z) { return log(y * z * sigmoid(x)); }) == "subtract(log(multiply(b, c)), softplus(negative(a)))");
    CHECK(normal([](V x) { return log(prod(exp(x))); }) == "view(sum(a))");
    CHECK(normal([](V x) { return log(prod(sigmoid(x))); }) == "negative(view(sum(softplus(negative(a)))))");
    CHECK(normal([](V x) { return log(prod(x)); }) == "log(view(prod(a)))");  // two negative factors have a logarithm
}

TEST_CASE("softmax and its family are found written out") {
    CHECK(normal([](M x) { return log(sum<1>(exp(x))); }) == "view(logsumexp(a))");
    CHECK(normal([](M x) { return log(sum<1>(exp(x), keepdims)); }) == "logsumexp(a)");
    CHECK(normal([](M x) { return log(sum(exp(x))); }) == "view(logsumexp(a))");
    CHECK(normal([](M x) { return log(mean<1>(exp(x))); }) == "subtract(view(logsumexp(a)), log(size))");
    for (const std::string& text : {normal([](M x) { return exp(x) / sum<1>(exp(x), keepdims); }), normal([](M x) { return exp(x) / newaxis<1>(sum<1>(exp(x))); }),
                                    normal([](M x) { return exp(x) / sum<0>(exp(x)); }), normal([](M x) { return exp(x) / sum(exp(x)); }),
                                    normal([](M x) { return exp(log_softmax(x)); }), normal([](M x) { return exp(x - logsumexp<1>(x, keepdims)); }),
                                    normal([](M x) { return exp(x - max<1>(x, keepdims)) / sum<1>(exp(x - max<1>(x, keepdims)), keepdims); })})
        CHECK(text == "softmax(a)");
    CHECK(normal([](M x) { return transpose(exp(transpose(x)) / sum<0>(exp(transpose(x)))); }) == "T(softmax(T(a)))");
    CHECK(normal([](M x, M y) { return 2 * exp(x) * y / sum<1>(exp(x), keepdims); }) == "multiply(multiply(softmax(a), 2), b)");
    for (const std::string& text : {normal([](M x) { return log(softmax(x)); }), normal([](M x) { return x - logsumexp<1>(x, keepdims); }),
                                    normal([](M x) { return x - newaxis<1>(logsumexp<1>(x)); }), normal([](M x) { return log(exp(x) / sum<1>(exp(x), keepdims)); }),
                                    normal([](M x) { return x - log(sum<1>(exp(x), keepdims)); })})
        CHECK(text == "log_softmax(a)");
}

TEST_CASE("rules match below views") {
    CHECK(normal([](M x) { return log(transpose(softmax(x))); }) == "T(log_softmax(a))");
    CHECK(normal([](M x) { return log(reshape<dynamic>(softmax(x))); }) == "reshape(log_softmax(a))");
    CHECK(normal([](M x) { return log(newaxis<0>(softmax(x))); }) == "view(log_softmax(a))");
    CHECK(normal([](M x) { return log(transpose(sigmoid(x))); }) == "negative(softplus(negative(T(a))))");
    CHECK(normal([](M x) { return log(1 - transpose(sigmoid(x))); }) == "negative(softplus(T(a)))");
    CHECK(normal([](M x) { return log(reshape<dynamic>(1 + exp(x))); }) == "softplus(reshape(a))");
    CHECK(normal([](M x) { return transpose(exp(x)) / (1 + exp(transpose(x))); }) == "sigmoid(T(a))");
    CHECK(normal([](V x) { return log(1 - newaxis<1>(sigmoid(x))); }) == "negative(softplus(view(a)))");
}

TEST_CASE("rules match where the parts are outputs too") {
    CHECK(normal([](V x) {
              auto p = sigmoid(x);
              return std::tuple(p, log(p), log(1 - p), log(1 - reshape<dynamic>(p)));
          }) == "sigmoid(a); negative(softplus(negative(a))); negative(softplus(a)); negative(softplus(a))");
    CHECK(normal([](M x) {
              auto p = softmax(x);
              return std::tuple(p, log(p), log(transpose(p)));
          }) == "softmax(a); log_softmax(a); T(log_softmax(a))");
    CHECK(normal([](M x) {
              auto p = sigmoid(x);
              return std::tuple(p, log(1 - transpose(p)));
          }) == "sigmoid(a); negative(softplus(T(a)))");
    CHECK(normal([](V x) {
              auto e = exp(x);
              return std::tuple(e, e / (1 + e), log(1 + e), e - 1);
          }) == "exp(a); sigmoid(a); softplus(a); expm1(a)");
}

TEST_CASE("cross-entropy is softplus(x) - x y however it is written") {
    for (const std::string& text : {normal([](V x, V y) { return -y * log(sigmoid(x)) - (1 - y) * log(1 - sigmoid(x)); }),
                                    normal([](V x, V y) { auto p = 1 / (1 + exp(-x)); return -(y * log(p) + (1 - y) * log(1 - p)); }),
                                    normal([](V x, V y) { return binary_cross_entropy(sigmoid(x), y); }),
                                    normal([](V x, V y) { return y * softplus(-x) + (1 - y) * softplus(x); })})
        CHECK(text == "subtract(softplus(a), multiply(b, a))");
    CHECK(normal([](V x, V y) { return grad(sum(binary_cross_entropy(sigmoid(x), y)), x); }) == "subtract(sigmoid(a), b)");
    CHECK(normal([](V x) { return std::tuple(sigmoid(x), grad(sum(sigmoid(x)), x)); }) ==
          "sigmoid(a); multiply(sigmoid(a), subtract(1, sigmoid(a)))");  // one exponential, not two
    CHECK(normal([](V x) { return std::tuple(sigmoid(x), 1 - sigmoid(x)); }) == "sigmoid(a); sigmoid(negative(a))");
}

// The same at compile time, after the whole pipeline.
template <class Op, class F> constexpr int uses(F) {
    int count = 0;
    for (const detail::node& n : detail::program_of<F, true>::get().nodes)
        count += n.what == detail::tag<detail::structure::apply> && n.fn == detail::code<Op> ? 1 : 0;
    return count;
}
constexpr auto log_sigmoid = [](V x) { return log(sigmoid(x)); };
static_assert(uses<op::softplus>(log_sigmoid) == 1 && uses<op::negative>(log_sigmoid) == 2 && uses<op::log>(log_sigmoid) == 0 && uses<op::sigmoid>(log_sigmoid) == 0);
constexpr auto loss_gradient = [](M x, croton::vector<int, dim("m")> label) { return grad(mean(cross_entropy(x, label)), x); };
static_assert(uses<op::log>(loss_gradient) == 0 && uses<op::divide>(loss_gradient) == 2, "softmax - onehot: one division for the row, one for the mean");
