// SPDX-License-Identifier: MIT
// The library that computes products has a name, and threads that can be set. blas_libraries.sh asks others.
#include <croton/device/cpu/cpu.hpp>

#include <doctest/doctest.h>

TEST_CASE("the BLAS of this program") {
    const std::string name = croton::blas_name();
    MESSAGE("products: ", name);
    CHECK(croton::cpu::product_library().starts_with(name));
    CHECK((name == "none") == !croton::has_cblas);
    CHECK(name != "unknown BLAS");
    CHECK(croton::detail::blas_library().name() == name);
    if (name.starts_with("OpenBLAS ")) {
        // Its version, and the kernels that it chose.
        CHECK(name.find_first_not_of("0123456789.", 9) == name.find(" ("));
        CHECK(name.ends_with(")"));
    }
}

TEST_CASE("set_threads sets the threads of the BLAS as well, where it tells them") {
    if (croton::detail::blas_threads() == 0) return;
    for (const int n : {1, 2, 1}) {
        croton::set_threads(n);
        CHECK(croton::threads() == n);
        CHECK(croton::detail::blas_threads() == n);
    }
    croton::set_threads(0);
}
