// SPDX-License-Identifier: MIT
// The whole text that explain gives for two functions, and the lines that matter of two more.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace croton;

namespace {

bool has(const std::string& text, const std::string& line) {
    const bool found = text.find(line + "\n") != std::string::npos;
    if (!found) MESSAGE("no line `", line, "` in\n", text);
    return found;
}

/// Which library computes products depends on the machine.
std::string without_library(std::string text) {
    const std::string library = "; BLAS: " + cpu::product_library() + "\n";
    const std::size_t at = text.find(library);
    if (at == text.npos) return "the BLAS is not named";
    return text.erase(at, library.size() - 1);
}

const char* const gemm_text = R"(function "line" on cpu

  arguments
    arg1   float [n1, n2]
    arg2   float [n2, n3]
    arg3   float [n1, n3]
    n1, n2, n3 are dynamic: what the call brings

  graph as traced: 5 nodes
    output 1 = dot(arg1, arg2) + arg3   float [n1, n3]

  rewrites
    1 sum taken into a matrix product

  graph as it runs: 4 nodes
    output 1 = dot(arg1, arg2) + arg3   float [n1, n3]

  plan: 1 step
    step 1  sgemm  output 1 = arg1 arg2 + arg3
              [n1, n2] x [n2, n3], after copying arg3 to output 1

  through memory
    no temporary arrays
)";

const char* const logistic_text = R"(function "train" on cpu

  arguments
    x   float [sample, feature]
    y   float [sample]
    w   float [feature]           shared, updated
    b   float                     shared, updated

  graph as traced: 43 nodes
    %1 = dot(x, w)                                    float [sample]
    %2 = 1 / (1 + exp(-%1 - b))                       float [sample]
    %3 = 1 / sample                                   float
    %4 = -%3 * y + %3 * sigmoid(%1 + b)               float [sample]
    output 1 = %2 > 0.5                               bool [sample]
    output 2 = -y * log(%2) - (1 - y) * log(1 - %2)   float [sample]
    w <- w - 0.1 * (0.01 * 2 * w + dot(x^T, %4))      float [feature]
    b <- b - 0.1 * sum(%4)                            float

  rewrites
    1 sum simplified
        1  a x + b x is (a + b) x
    5 expressions replaced by ones that neither overflow nor cancel
        1  1 - sigmoid(x) is sigmoid(-x)
        1  a softplus(-x) + b softplus(x) is (a + b) softplus(x) - a x
        1  1 / (1 + exp(x)) is sigmoid(-x)
        2  log(x) where x is a sigmoid, a softmax, a sum or a product
    3 factors, transpositions or reductions moved to where they cost less
        1  sum(c x) is c sum(x)
        1  dot(c x, y) is c dot(x, y)
        1  c x - c y is c (x - y)
    1 sum taken into a matrix product

  graph as it runs: 33 nodes
    %1 = dot(x, w) + b                                               float [sample]
    %2 = sigmoid(%1) - y                                             float [sample]
    output 1 = sigmoid(%1) > 0.5                                     bool [sample]
    output 2 = softplus(-abs(%1)) + %1 * (where(%1 > 0, 1, 0) - y)   float [sample]
    w <- -0.1 / sample * dot(x^T, %2) + 0.998 * w                    float [feature]
    b <- b - 0.1 * (sum(%2) * (1 / sample))                          float

  plan: 4 steps
    step 1  sgemv  t1 = x w
              [sample, feature] x [feature]
    step 2  loop over [sample]; reads b, t1, y; 13 operations
              v1 = t1 + b
              t2 = sigmoid(v1) - y
              t3 = sum(t2)
              output 1 = sigmoid(v1) > 0.5
              output 2 = softplus(-abs(v1)) + v1 * (where(v1 > 0, 1, 0) - y)
    step 3  single numbers; reads t3, b; 4 operations
              b <- b - 0.1 * (t3 * (1 / sample))
    step 4  sgemv  w <- 0.998 w + (-0.1 / sample) x^T t2
              [feature, sample] x [sample], in place
    steps 1, 2 and 4 in one pass over x, a block of its rows at a time, where it has 100 kB or more

  through memory
    t1   float [sample]   step 1 -> 2   a matrix product makes it
    t2   float [sample]   step 2 -> 4   a matrix product reads it
    t3   float [1]        step 2 -> 3   complete only when the loop over [sample] has ended
    3 temporary arrays
)";

}  // namespace

TEST_CASE("a product with a bias is one call, and explain says so") {
    const auto line = croton::function<cpu>("line", [](matrix<float> m, matrix<float> x, matrix<float> b) { return dot(m, x) + b; });
    CHECK(without_library(explain(line)) == gemm_text);
}

TEST_CASE("the logistic regression: names, extents, formulas, reasons") {
    const auto train = croton::function<cpu>("train", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                                         shared<vector<float, dim("feature")>> w, shared<scalar<float>> b) {
        named(x, "x");
        named(y, "y");
        named(w, "w");
        named(b, "b");
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
    CHECK(without_library(explain(train)) == logistic_text);

    const detail::plan_facts facts(detail::view_of(train.program(), train.plan()));
    CHECK(detail::step_formula(facts, 0) == "t1 = x w");
    CHECK(detail::step_formula(facts, 3) == "w <- 0.998 w + (-0.1 / sample) x^T t2");
    CHECK(detail::step_formula(facts, 1).size() <= 72 + 10);
}

TEST_CASE("softmax cross-entropy: the passes over a row") {
    const auto loss = croton::function<cpu>("loss", [](matrix<double, dim("sample"), 10> logits, vector<int, dim("sample")> label) {
        named(logits, "logits");
        named(label, "label");
        auto cost = mean(cross_entropy(logits, label));
        return std::tuple(cost, grad(cost, logits));
    });
    const std::string text = explain(loss);
    CHECK(has(text, "    label    int [sample]          class numbers below 10, checked"));
    CHECK(has(text, "    step 1  rows of [10] for each of [sample], 3 passes; reads logits, label; 18 operations"));
    CHECK(has(text, "              pass 1: max1 = max(logits)"));
    CHECK(has(text, "              pass 2: sum1 = sum(exp(logits - v2))"));
    CHECK(has(text, "    t1   double [1, 1]   step 1 -> 2   complete only when the loop over [sample, 10] has ended"));
}

TEST_CASE("a swap: one of the two values waits in a temporary, and the reason is given") {
    const auto swap = croton::function<cpu>("swap", [](shared<vector<float>> a, shared<vector<float>> b) {
        named(a, "a");
        named(b, "b");
        return updates(update(a, b), update(b, a));
    });
    const std::string text = explain(swap);
    CHECK(text.substr(0, text.find('\n')) == "function \"swap\" on cpu");
    CHECK(has(text, "    a <- b   float [n1]"));
    CHECK(has(text, "    step 3  copy  b <- t1"));
    CHECK(has(text, "    t1   float [n1]   step 1 -> 3   step 2 reads the old b first"));
}
