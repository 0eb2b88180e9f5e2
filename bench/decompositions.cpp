// SPDX-License-Identifier: MIT
// What is asked of matrices, beside LAPACK called by hand as its columns want it: tall ones, as least squares have them, and square ones.
#include "common.hpp"

#include <string>
#include <utility>
#include <vector>

extern "C" {
void dgeqrf_(const int* m, const int* n, double* a, const int* lead, double* tau, double* work, const int* size, int* wrong);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lead, const double* tau, double* work, const int* size, int* wrong);
void dgesdd_(const char* job, const int* m, const int* n, double* a, const int* lead, double* s, double* u, const int* lead_u, double* vt, const int* lead_vt, double* work, const int* size,
             int* places, int* wrong, std::size_t);
}

namespace {

using croton::array;

std::string sizes(const array<double, 2>& a) { return std::to_string(a.extent(0)) + " x " + std::to_string(a.extent(1)) + " float64"; }

/// A matrix by columns, and what LAPACK works in.
struct columns {
    int m, n;
    std::vector<double> a, apart, tau, s, work;
    std::vector<int> places;

    explicit columns(const array<double, 2>& x)
        : m(static_cast<int>(x.extent(0))), n(static_cast<int>(x.extent(1))), a(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)), apart(a.size()),
          tau(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)), s(static_cast<std::size_t>(n)),
          work(static_cast<std::size_t>(64 * (m + n) + 10 * n * n)), places(static_cast<std::size_t>(8 * n)) {}
    void read(const array<double, 2>& x) {
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) a[static_cast<std::size_t>(j * m + i)] = x.data()[i * n + j];
    }
    void write(const std::vector<double>& from, array<double, 2>& to) const {
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) to.data()[i * n + j] = from[static_cast<std::size_t>(j * m + i)];
    }
    int size() const { return static_cast<int>(work.size()); }
};

void qr(const array<double, 2>& x) {
    auto f = croton::function<croton::cpu>([](croton::matrix<double> a) {
        auto [q, r] = croton::qr(a);
        return croton::outputs(q, r);
    });
    array<double, 2> q(x.extent(0), x.extent(1)), r(x.extent(1), x.extent(1)), by_hand(x.extent(0), x.extent(1));
    columns c(x);
    const auto raw = [&] {
        const int size = c.size();
        int wrong = 0;
        c.read(x);
        dgeqrf_(&c.m, &c.n, c.a.data(), &c.m, c.tau.data(), c.work.data(), &size, &wrong);
        dorgqr_(&c.m, &c.n, &c.n, c.a.data(), &c.m, c.tau.data(), c.work.data(), &size, &wrong);
        c.write(c.a, by_hand);
    };
    raw();
    f.call_into(std::tie(q, r), x);
    bench::table table("qr of " + sizes(x));
    table.check("croton, raw", bench::max_difference(q, by_hand), 1e-12);
    table.row("croton", 0, [&] { f.call_into(std::tie(q, r), x); });
    table.row("raw: LAPACK", 1.1, raw);
    table.measure();
}

void svd(const array<double, 2>& x) {
    auto f = croton::function<croton::cpu>([](croton::matrix<double> a) {
        auto [u, s, vt] = croton::svd(a);
        return croton::outputs(u, s, vt);
    });
    array<double, 2> u(x.extent(0), x.extent(1)), vt(x.extent(1), x.extent(1)), by_hand(x.extent(0), x.extent(1));
    array<double, 1> s(x.extent(1)), s_by_hand(x.extent(1));
    columns c(x);
    const auto raw = [&] {
        const int size = c.size();
        int wrong = 0;
        c.read(x);
        dgesdd_("S", &c.m, &c.n, c.a.data(), &c.m, s_by_hand.data(), c.apart.data(), &c.m, c.tau.data(), &c.n, c.work.data(), &size, c.places.data(), &wrong, 1);
        c.write(c.apart, by_hand);
    };
    raw();
    f.call_into(std::tie(u, s, vt), x);
    bench::table table("svd of " + sizes(x));
    table.check("croton, raw", bench::max_difference(s, s_by_hand), 1e-11);
    table.row("croton", 0, [&] { f.call_into(std::tie(u, s, vt), x); });
    table.row("raw: LAPACK", 1.1, raw);
    table.measure();
}

/// What has peers only.
template <class F, class... X> void alone(const std::string& title, const F& f, const X&... x) {
    auto y = f(x...);
    bench::table table(title);
    table.row("croton", 0, [&] { f.call_into(y, x...); });
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    using namespace croton;
    for (const auto& [m, n] : {std::pair{500, 50}, {1000, 20}, {100, 100}}) {
        array<double, 2> x(m, n);
        array<double, 1> y(m);
        bench::fill(x, -1, 1, 1);
        bench::fill(y, -1, 1, 2);
        for (int i = 0; i < n; ++i) x(i, i) += 2;
        ::qr(x);
        ::svd(x);
        alone("least squares of " + sizes(x), function<cpu>([](matrix<double> a, vector<double> b) { return lstsq(a, b).x; }), x, y);
        alone("pseudo-inverse of " + sizes(x), function<cpu>([](matrix<double> a) { return pinv(a); }), x);
    }
    for (const int n : {60, 500}) {
        array<double, 2> x(n, n);
        bench::fill(x, -1, 1, 3);
        const auto a = eval(dot(x, transpose(x)) + 2 * eye(n));
        alone("slope through Cholesky's factor of " + sizes(a), function<cpu>([](matrix<double> b, matrix<double> w) { return grad(sum(croton::cholesky(b) * w), b); }), a, x);
    }
    return bench::table::finish();
}
