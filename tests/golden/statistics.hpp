// SPDX-License-Identifier: MIT
// Spreads, norms and quantiles as NumPy has them, also beside NaN and infinities, of arrays with few elements, with one and with none: make_statistics.py.
#ifndef CROTON_TESTS_GOLDEN_STATISTICS_HPP
#define CROTON_TESTS_GOLDEN_STATISTICS_HPP

#include "golden/packed.hpp"

namespace statistics {

using namespace croton;

template <class T, int Rank> array<T, Rank> matrix_of(const std::string& name) {
    return load_npy<array<T, Rank>>(std::filesystem::path(__FILE__).parent_path() / "values" / ("part_statistics_of_" + name + ".npy"), astype);
}

/// Checks what `f` makes of each matrix against the file of that function, matrix and element type.
template <class T, class F> void check(const std::string& function, const F& f, std::initializer_list<const char*> matrices, double ulps) {
    for (const std::string name : matrices) {
        golden::packed want("statistics_" + function + "_" + name + (std::is_same_v<T, float> ? "_float32" : "_float64"));
        want.check(f(matrix_of<T, 2>(name)), ulps);
        want.done();
    }
}

/// In the order of `spreads` in make_statistics.py.
template <class X> constexpr auto spreads(const X& x) {
    const auto y = x(0);
    return std::tuple(var(x), var<0>(x), var<1>(x, keepdims), var<0>(x, ddof(1)), stddev(x), stddev<1>(x, ddof(1)), stddev<0, 1>(x, keepdims), norm(x), norm<0>(x),
                      norm<1>(x, 1), norm<1>(x, 2), norm<1>(x, 3), norm<1>(x, 0.5), norm<1>(x, 0), count_nonzero(x), count_nonzero<0>(x), nansum<0>(x), nanprod<1>(x), nanmean<0>(x),
                      nanvar<1>(x), nanvar<0>(x, ddof(1)), nanstddev(x), cov(x), cov(x, ddof(0)), cov(y), corrcoef(x), corrcoef(y, y * y));
}

/// In the order of `norms` in make_statistics.py.
template <class X> constexpr auto norms(const X& x) {
    return std::tuple(norm<1>(x, INFINITY), norm<1>(x, -INFINITY), norm<1>(x, -1), norm(x, 1), norm(x, -1), norm(x, INFINITY), norm<0, 1>(x, -INFINITY), norm<1, 0>(x, 1),
                      norm<1, 0>(x, -INFINITY), ptp(x), ptp<0>(x), ptp<1>(x, keepdims), nanmax(x), nanmin<0>(x), nanmax<1>(x, keepdims),
                      average<1>(x, cumsum(ones_like(x(0)))), average(x, x * x + 1), average<0>(x, x * x + 1));
}
template <class X> constexpr auto quantiles(const X& x) {
    return std::tuple(median(x), median<0>(x), median<1>(x, keepdims), quantile<0>(x, 0), quantile<0>(x, 0.25), quantile<0>(x, 0.9), quantile<0>(x, 1), quantile(x, 0.7),
                      quantile<1>(x, 0.1, keepdims), nanmedian(x), nanmedian<0>(x), nanmedian<1>(x, keepdims), nanquantile<0>(x, 0.3), nanquantile<1>(x, 0.8));
}

}  // namespace statistics

#endif
