// SPDX-License-Identifier: MIT
// Contractions as NumPy has them, of whole numbers, with few elements and with none: make_einsum.py.
#include "golden/packed.hpp"

using namespace croton;

namespace {

using cube = tensor<double, dynamic, dynamic, dynamic>;
using four = tensor<double, dynamic, dynamic, dynamic, dynamic>;

template <class Device, class F> void check(const std::string& kind, const F& f) {
    for (const std::string name : {"usual", "ones", "column", "none", "no_rows"}) {
        golden::packed of("einsum_of_" + name), want("einsum_" + kind + "_" + name);
        const auto x = of.take<double, 2>(), y = of.take<double, 2>(), s = of.take<double, 2>();
        const auto t = of.take<double, 3>(), u = of.take<double, 3>();
        const auto v = of.take<double, 1>();
        const auto q = of.take<double, 4>();
        of.done();
        want.check(f(x, y, s, t, u, v, q));
        want.done();
    }
}

template <class Device> void check_two() {
    check<Device>("two", function<Device>([](matrix<double> x, matrix<double> y, matrix<double> s, cube t, cube u, vector<double> v, four q) {
        unused(s);
        return std::tuple(einsum<"ij,jk->ik">(x, y), einsum<"ij,jk->ki">(x, y), einsum<"ij,jk">(x, y), einsum<"ij,j->i">(x, v), einsum<"j,jk">(v, y), einsum<"ij,ij->">(x, x),
                          einsum<"ij,ij->i">(x, x), einsum<"i,j->ij">(sum<1>(x), v), einsum<"bij,jk->bik">(t, y), einsum<"bij,bjk->bik">(t, u), einsum<"bij,bjk->ikb">(t, u),
                          einsum<"bij,bjk->ik">(t, u), einsum<"bij,kj->bik">(t, transpose(y)), einsum<"bij,cij->bc">(t, t), einsum<"bij,bij->j">(t, t), einsum<"bijk,jk->bi">(q, y),
                          einsum<"bijk,jk->ib">(q, y), einsum<"bijk,bi->jk">(q, sum<-1>(t)), einsum<"bijk,lj->blik">(q, x), einsum<"b...,b...->...">(t, t), einsum<"...ij,jk->...ik">(t, y),
                          einsum<"...j, j">(t, v), einsum<"ij,kl->ijkl">(x, y));
    }));
}

template <class Device> void check_one() {
    check<Device>("one", function<Device>([](matrix<double> x, matrix<double> y, matrix<double> s, cube t, cube u, vector<double> v, four q) {
        unused(y, u, v);
        return std::tuple(einsum<"ij->ji">(x), einsum<"ij->">(x), einsum<"ii">(s), einsum<"ii->i">(s), einsum<"ij->j">(x), einsum<"bij->ib">(t), einsum<"ba">(x), einsum<"...i->i...">(t),
                          einsum<"bijk->kb">(q), einsum<"Ba">(x), einsum<"i...">(t));
    }));
}

template <class Device> void check_many() {
    check<Device>("many", function<Device>([](matrix<double> x, matrix<double> y, matrix<double> s, cube t, cube u, vector<double> v, four q) {
        unused(u);
        const auto z = transpose(y);
        const auto r = sum<1>(x);
        return std::tuple(einsum<"ij,jk,kl->il">(x, y, z), einsum<"bij,jk,bik->b">(t, y, einsum<"bij,jk->bik">(t, y)), einsum<"ij,j,jk->ik">(x, v, y), einsum<"ab,bc,cd,de,ea->">(x, y, z, transpose(x), s),
                          einsum<"i,i,i->i">(r, r, r), multi_dot(x, y, z), multi_dot(v, y, z, v), multi_dot(x, y, z, v), tensordot<1>(t, y), tensordot(q, y), tensordot<0>(x, v),
                          tensordot(q, t, on_axes<0, 2>, on_axes<0, 2>), tensordot(t, q, on_axes<2, 0>, on_axes<-2, -4>), inner(t, x), inner(x, v), vdot(t, t), matrix_power<0>(s), matrix_power<1>(s), matrix_power<5>(s));
    }));
}

}  // namespace

TEST_CASE("einsum of two operands") { check_two<cpu>(); }
TEST_CASE("einsum of one operand") { check_one<cpu>(); }
TEST_CASE("einsum of more, chains, tensordot, powers") { check_many<cpu>(); }
