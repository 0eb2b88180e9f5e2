// SPDX-License-Identifier: MIT
// The marginal likelihood of the regression of examples/06_gaussian_process.cpp, and its gradient by the three parameters. By hand the gradient is a closed form with the inverse of
// the covariance, which LAPACK makes of the factor; one half of the symmetric matrix is computed.
#include "common.hpp"

#include <array>
#include <string>

extern "C" {
void dpotrf_(const char* half, const int* n, double* a, const int* lead, int* wrong, std::size_t);
void dpotri_(const char* half, const int* n, double* a, const int* lead, int* wrong, std::size_t);
}

namespace {

using croton::array;

constexpr double at_length = -0.2, at_amplitude = -0.1, at_noise = -1.5;

using results = std::array<array<double, 0>, 4>;  // the cost, and its derivatives by the logarithms of length, amplitude and noise

auto croton_gradient() {
    using namespace croton;
    using samples = vector<double, dim("sample")>;
    return function<cpu>("likelihood", [](samples x, samples y, scalar<double> length, scalar<double> amplitude, scalar<double> noise) {
        auto covariance = exp(2 * amplitude - 0.5 * sqr((newaxis<1>(x) - newaxis<0>(x)) / exp(length)));
        auto l = cholesky(covariance + exp(2 * noise) * eye<dim("sample")>(x));
        auto cost = 0.5 * sum(sqr(solve_triangular(l, y, {.lower = true}))) + sum(log(diagonal(l)));
        auto [by_length, by_amplitude, by_noise] = grad(cost, length, amplitude, noise);
        return outputs(cost, by_length, by_amplitude, by_noise);
    });
}

class by_hand {
public:
    by_hand(const array<double, 1>& x, const array<double, 1>& y)
        : x_(x), y_(y), n_(static_cast<int>(x.size())), lead_((n_ + width - 1) / width * width), known_(whole()), inverse_(whole()), squares_(whole()),
          weights_(static_cast<std::size_t>(n_)), places_(static_cast<std::size_t>(lead_)) {
        std::ranges::copy(std::span(x.data(), static_cast<std::size_t>(n_)), places_.begin());
    }

    void operator()(double length, double amplitude, double noise, results& found) {
        const double by_square = std::exp(-2 * length), own = std::exp(2 * noise);
        for (int i = 0; i < n_; ++i) {
            const std::size_t row = at(i, 0);
            for (int j = 0; j <= i; j += width) {
                const auto column = static_cast<std::size_t>(j);
                const numbers off = numbers(x_(i)) - numbers::load_unaligned(&places_[column]), square = off * off * by_square;
                const numbers k = exp(numbers(2 * amplitude) - square * 0.5);
                square.store_unaligned(&squares_[row + column]);
                k.store_unaligned(&known_[row + column]);
                k.store_unaligned(&inverse_[row + column]);
            }
            inverse_[row + static_cast<std::size_t>(i)] += own;
        }
        int wrong = 0;
        dpotrf_("U", &n_, inverse_.data(), &lead_, &wrong, 1);  // rows are LAPACK's columns
        double logarithms = 0;
        for (int i = 0; i < n_; ++i) logarithms += std::log(inverse_[at(i, i)]);
        std::ranges::copy(std::span(y_.data(), static_cast<std::size_t>(n_)), weights_.begin());
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n_, inverse_.data(), lead_, weights_.data(), 1);
        double squares = 0;
        for (const double w : weights_) squares += w * w;
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n_, inverse_.data(), lead_, weights_.data(), 1);
        dpotri_("U", &n_, inverse_.data(), &lead_, &wrong, 1);
        // Half of the inverse less the product of the weights is the derivative by the covariance; what lies below the diagonal counts twice.
        double by_length = 0, by_amplitude = 0, by_noise = 0;
        for (int i = 0; i < n_; ++i) {
            const double weight = weights_[static_cast<std::size_t>(i)];
            for (int j = 0; j < i; ++j) {
                const double each = (inverse_[at(i, j)] - weight * weights_[static_cast<std::size_t>(j)]) * known_[at(i, j)];
                by_length += each * squares_[at(i, j)];
                by_amplitude += 2 * each;
            }
            const double each = inverse_[at(i, i)] - weight * weight;
            by_amplitude += each * known_[at(i, i)];
            by_noise += each * own;
        }
        const double all[]{0.5 * squares + logarithms, by_length, by_amplitude, by_noise};
        for (std::size_t k = 0; k < 4; ++k) *found[k].data() = wrong == 0 ? all[k] : std::numeric_limits<double>::quiet_NaN();
    }

private:
    using numbers = xsimd::batch<double>;
    static constexpr int width = static_cast<int>(numbers::size);

    std::vector<double> whole() const { return std::vector<double>(static_cast<std::size_t>(n_ * lead_)); }
    std::size_t at(int i, int j) const { return static_cast<std::size_t>(i * lead_ + j); }

    const array<double, 1>&x_, &y_;
    int n_, lead_;
    std::vector<double> known_, inverse_, squares_, weights_, places_;
};

template <class F> void measure(F& likelihood, int count) {
    array<double, 1> x(count), y(count);
    for (int i = 0; i < count; ++i) {
        x(i) = 6.0 * i / (count - 1);
        y(i) = std::sin(2 * x(i)) + 0.1 * std::sin(37.0 * i);
    }
    by_hand hand(x, y);
    results found, expected;
    const auto call = [&] { likelihood.call_into(std::tie(found[0], found[1], found[2], found[3]), x, y, at_length, at_amplitude, at_noise); };
    call();
    hand(at_length, at_amplitude, at_noise, expected);
    bench::table table("Gaussian process: likelihood of " + std::to_string(count) + " samples and 3 derivatives, float64");
    const char* const names[]{"cost", "slope by length", "slope by amplitude", "slope by noise"};
    for (std::size_t k = 0; k < 4; ++k) table.check(std::string(names[k]) + ": croton, raw", bench::max_difference(found[k], expected[k]), 1e-10);
    table.row("croton", 0, call);
    table.row("raw: LAPACK and closed forms", 0, [&] { hand(at_length, at_amplitude, at_noise, expected); });
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    auto likelihood = croton_gradient();
    measure(likelihood, 60);
    measure(likelihood, 500);
    return bench::table::finish();
}
