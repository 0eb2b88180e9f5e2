// SPDX-License-Identifier: MIT
// W7: one training step of LeNet-5 on 100 images of 28 x 28 with Adam, 4 kernels of 1 x 128 over 4 signals of 255 numbers, and the 3 x 3
// layers of a residual network with both of their gradients. Beside them the products alone that have as many operations, on matrices of
// windows that nobody filled.
#include "common.hpp"

namespace {

using croton::array;

using images = croton::tensor<float, croton::dynamic, croton::dynamic, croton::dynamic, croton::dynamic>;

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, std::int64_t rows, std::int64_t columns, std::int64_t terms, const float* a, const float* b,
          float* c) {
    const int m = static_cast<int>(rows), n = static_cast<int>(columns), k = static_cast<int>(terms);
    cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, ta == CblasTrans ? m : k, b, tb == CblasTrans ? k : n, 0, c, n);
}

// LeNet-5

constexpr std::int64_t samples = 100, classes = 10;

template <template <class, int> class A> struct lenet {
    A<float, 4> kernel1;
    A<float, 1> of_kernel1;
    A<float, 4> kernel2;
    A<float, 1> of_kernel2;
    A<float, 2> weight3;
    A<float, 1> bias3;
    A<float, 2> weight4;
    A<float, 1> bias4;
    A<float, 2> weight5;
    A<float, 1> bias5;
};
using network = lenet<croton::on<croton::cpu>::array>;

auto croton_step() {
    using namespace croton;
    return function<cpu>("lenet", [](tensor<float, dynamic, 1, 28, 28> image, vector<int> label, shared<lenet<symbol>> net,
                                     shared<adam_state<lenet<symbol>>> state) {
        auto first = max_pool2d(relu(conv2d(image, net.kernel1, {.padding = 2}) + newaxis<1, 2>(net.of_kernel1)), {.kernel = 2});
        auto second = max_pool2d(relu(conv2d(first, net.kernel2) + newaxis<1, 2>(net.of_kernel2)), {.kernel = 2});
        auto third = relu(dot(reshape<dynamic, 400>(second), net.weight3) + net.bias3);
        auto fourth = relu(dot(third, net.weight4) + net.bias4);
        auto cost = mean(cross_entropy(dot(fourth, net.weight5) + net.bias5, label));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = 1e-3}));
    });
}

/// y(n, o, p, q) += x(n, i, p + r - padding, q + s - padding) w(o, i, r, s), y(o) starting from b(o).
void plain_convolution(const array<float, 4>& x, const array<float, 4>& w, const float* b, std::int64_t padding, array<float, 4>& y) {
    const std::int64_t height = x.extent(2), width = x.extent(3);
    for (std::int64_t n = 0; n < y.extent(0); ++n)
        for (std::int64_t o = 0; o < y.extent(1); ++o) {
            float* const to = &y(n, o, 0, 0);
            std::fill_n(to, y.extent(2) * y.extent(3), b != nullptr ? b[o] : 0);
            for (std::int64_t i = 0; i < x.extent(1); ++i)
                for (std::int64_t r = 0; r < w.extent(2); ++r)
                    for (std::int64_t s = 0; s < w.extent(3); ++s)
                        for (std::int64_t p = std::max<std::int64_t>(0, padding - r); p < std::min(y.extent(2), height + padding - r); ++p) {
                            const float of_kernel = w(o, i, r, s);
                            const float* const from = x.data() + ((n * x.extent(1) + i) * height + p + r - padding) * width + s - padding;
                            for (std::int64_t q = std::max<std::int64_t>(0, padding - s); q < std::min(y.extent(3), width + padding - s); ++q)
                                to[p * y.extent(3) + q] += of_kernel * from[q];
                        }
        }
}

array<float, 4> plain_relu_pool(const array<float, 4>& x) {
    array<float, 4> y(x.extent(0), x.extent(1), x.extent(2) / 2, x.extent(3) / 2);
    for (std::int64_t plane = 0; plane < y.extent(0) * y.extent(1); ++plane)
        for (std::int64_t p = 0; p < y.extent(2); ++p)
            for (std::int64_t q = 0; q < y.extent(3); ++q) {
                const float* const from = x.data() + (plane * x.extent(2) + 2 * p) * x.extent(3) + 2 * q;
                y.data()[(plane * y.extent(2) + p) * y.extent(3) + q] = std::max({0.0f, from[0], from[1], from[x.extent(3)], from[x.extent(3) + 1]});
            }
    return y;
}

array<float, 2> plain_dense(const float* x, const array<float, 2>& w, const array<float, 1>& b, bool last) {
    array<float, 2> y(samples, w.extent(1));
    gemm(CblasNoTrans, CblasNoTrans, samples, w.extent(1), w.extent(0), x, w.data(), y.data());
    for (std::int64_t n = 0; n < samples; ++n)
        for (std::int64_t i = 0; i < w.extent(1); ++i) y(n, i) = last ? y(n, i) + b(i) : std::max(0.0f, y(n, i) + b(i));
    return y;
}

/// The cost, without any derivative.
float plain_cost(const network& net, const array<float, 4>& image, const array<int, 1>& label) {
    array<float, 4> first(samples, 6, 28, 28), second(samples, 16, 10, 10);
    plain_convolution(image, net.kernel1, net.of_kernel1.data(), 2, first);
    plain_convolution(plain_relu_pool(first), net.kernel2, net.of_kernel2.data(), 0, second);
    const auto flat = plain_relu_pool(second);
    const auto third = plain_dense(flat.data(), net.weight3, net.bias3, false), fourth = plain_dense(third.data(), net.weight4, net.bias4, false);
    const auto logits = plain_dense(fourth.data(), net.weight5, net.bias5, true);
    double cost = 0;
    for (std::int64_t n = 0; n < samples; ++n) {
        double sum = 0;
        for (std::int64_t i = 0; i < classes; ++i) sum += std::exp(static_cast<double>(logits(n, i)));
        cost += std::log(sum) - static_cast<double>(logits(n, label(n)));
    }
    return static_cast<float>(cost / static_cast<double>(samples));
}

/// A layer of `outputs` kernels, each of `size` numbers, for `places` of all images: the product of its forward pass, and of its gradients.
struct products {
    std::int64_t outputs, size, places;
    array<float, 2> kernels{outputs, size}, windows{size, places}, results{outputs, places};
    products(std::int64_t of_outputs, std::int64_t of_size, std::int64_t of_places) : outputs(of_outputs), size(of_size), places(of_places) {
        bench::fill(kernels, -1, 1, 1);
        bench::fill(windows, -1, 1, 2);
        bench::fill(results, -1, 1, 3);
    }
    void forward() { gemm(CblasNoTrans, CblasNoTrans, outputs, places, size, kernels.data(), windows.data(), results.data()); }
    void of_image() { gemm(CblasTrans, CblasNoTrans, size, places, outputs, kernels.data(), results.data(), windows.data()); }
    void of_kernels() { gemm(CblasNoTrans, CblasTrans, outputs, size, places, results.data(), windows.data(), kernels.data()); }
};

void compare_lenet() {
    network net{array<float, 4>(6, 1, 5, 5),  array<float, 1>(6),   array<float, 4>(16, 6, 5, 5), array<float, 1>(16), array<float, 2>(400, 120),
                array<float, 1>(120), array<float, 2>(120, 84), array<float, 1>(84),          array<float, 2>(84, 10), array<float, 1>(10)};
    croton::random::initialise(net, 1, croton::random::he_uniform);
    auto state = croton::adam_state<network>::zeros_like(net);
    array<float, 4> image(samples, 1, 28, 28);
    bench::fill(image, 0, 1, 2);
    array<int, 1> label(samples);
    for (std::int64_t n = 0; n < samples; ++n) label(n) = static_cast<int>(n * 7 % classes);
    array<float, 0> cost, expected;
    auto step = croton_step();
    const auto run = [&] { step.call_into(std::tie(cost), image, label, net, state); };

    bench::table table("W7 lenet: one training step of LeNet-5 with Adam, 100 images of 28 x 28, float32");
    // The costs after the first steps depend on all gradients; each is that of the parameters that were left.
    for (int i = 0; i < 3; ++i) {
        *expected.data() = plain_cost(net, image, label);
        run();
        table.check("cost of step " + std::to_string(i + 1) + ": croton, plain", bench::max_difference(cost, expected), 1e-5);
    }
    products layers[] = {{6, 25, samples * 28 * 28}, {16, 150, samples * 10 * 10}, {120, 400, samples}, {84, 120, samples}, {10, 84, samples}};
    table.row("croton", 0, run);
    table.row("raw: cblas_sgemm, the products alone", 0, [&] {
        for (auto& layer : layers) {
            layer.forward();
            layer.of_kernels();
            if (&layer != layers) layer.of_image();
        }
    });
    table.measure();
}

// Layers

/// A layer, or its gradient for its argument `Of`: 0 the images, 1 the kernels.
template <int Padding> auto croton_layer() {
    return croton::function<croton::cpu>("layer", [](images x, images w) { return conv2d(x, w, {.padding = Padding}); });
}
template <int Padding, int Of> auto croton_gradient() {
    return croton::function<croton::cpu>("gradient", [](images x, images w, images c) {
        return grad(sum(conv2d(x, w, {.padding = Padding}) * c), std::get<Of>(std::tuple(x, w)));
    });
}

/// The gradient for the image, by the kernels turned around, of which the channels are the results.
void plain_of_image(const array<float, 4>& c, const array<float, 4>& w, std::int64_t padding, array<float, 4>& slope) {
    array<float, 4> turned(w.extent(1), w.extent(0), w.extent(2), w.extent(3));
    for (std::int64_t o = 0; o < w.extent(0); ++o)
        for (std::int64_t i = 0; i < w.extent(1); ++i)
            for (std::int64_t r = 0; r < w.extent(2); ++r)
                for (std::int64_t s = 0; s < w.extent(3); ++s) turned(i, o, w.extent(2) - 1 - r, w.extent(3) - 1 - s) = w(o, i, r, s);
    plain_convolution(c, turned, nullptr, w.extent(2) - 1 - padding, slope);
}
/// The gradient for the kernels, of square images.
void plain_of_kernels(const array<float, 4>& x, const array<float, 4>& c, std::int64_t padding, array<float, 4>& slope) {
    const std::int64_t height = x.extent(2), width = x.extent(3);
    for (std::int64_t o = 0; o < slope.extent(0); ++o)
        for (std::int64_t i = 0; i < slope.extent(1); ++i)
            for (std::int64_t r = 0; r < slope.extent(2); ++r)
                for (std::int64_t s = 0; s < slope.extent(3); ++s) {
                    double sum = 0;
                    for (std::int64_t n = 0; n < c.extent(0); ++n)
                        for (std::int64_t p = std::max<std::int64_t>(0, padding - r); p < std::min(c.extent(2), height + padding - r); ++p) {
                            const float* const from = x.data() + ((n * x.extent(1) + i) * height + p + r - padding) * width + s - padding;
                            const float* const of_c = &c(n, o, p, 0);
                            float row = 0;
                            for (std::int64_t q = std::max<std::int64_t>(0, padding - s); q < std::min(c.extent(3), width + padding - s); ++q)
                                row += of_c[q] * from[q];
                            sum += static_cast<double>(row);
                        }
                    slope(o, i, r, s) = static_cast<float>(sum);
                }
}

void compare_layer(std::int64_t batch, std::int64_t channels, std::int64_t extent) {
    array<float, 4> x(batch, channels, extent, extent), c(x.extents()), y(x.extents()), expected(x.extents());
    array<float, 4> w(channels, channels, 3, 3), slope(w.extents()), expected_slope(w.extents());
    bench::fill(x, -1, 1, 1);
    bench::fill(w, -1, 1, 2);
    bench::fill(c, -1, 1, 3);
    const double many = std::sqrt(static_cast<double>(9 * channels));
    const std::string count = std::to_string(channels), side = std::to_string(extent), size = count + " x " + side + " x " + side;
    const std::string number = std::to_string(batch);
    const std::string what = "W7 layer: " + count + " kernels of 3 x 3 over " + number + " images of " + size + ", padding 1, float32, ";
    products raw(channels, 9 * channels, batch * extent * extent);
    auto forward = croton_layer<1>();
    auto of_image = croton_gradient<1, 0>();
    auto of_kernels = croton_gradient<1, 1>();

    bench::table table(what + "forward");
    forward.call_into(std::tie(y), x, w);
    plain_convolution(x, w, nullptr, 1, expected);
    table.check("croton, plain", bench::max_difference(y, expected), 1e-6 * many);
    table.row("croton", 0, [&] { forward.call_into(std::tie(y), x, w); });
    table.row("raw: cblas_sgemm", 1.0, [&] { raw.forward(); });
    table.measure();

    bench::table image(what + "gradient of the images");
    of_image.call_into(std::tie(y), x, w, c);
    plain_of_image(c, w, 1, expected);
    image.check("croton, plain", bench::max_difference(y, expected), 1e-6 * many);
    image.row("croton", 0, [&] { of_image.call_into(std::tie(y), x, w, c); });
    image.row("raw: cblas_sgemm", 1.0, [&] { raw.of_image(); });
    image.measure();

    bench::table kernels(what + "gradient of the kernels");
    of_kernels.call_into(std::tie(slope), x, w, c);
    plain_of_kernels(x, c, 1, expected_slope);
    kernels.check("croton, plain", bench::max_difference(slope, expected_slope), 1e-4);
    kernels.row("croton", 0, [&] { of_kernels.call_into(std::tie(slope), x, w, c); });
    kernels.row("raw: cblas_sgemm", 1.0, [&] { raw.of_kernels(); });
    kernels.measure();
}

void compare_signals() {
    array<float, 4> x(4, 1, 1, 255), w(4, 1, 1, 128), y(4, 4, 1, 128), expected(y.extents());
    bench::fill(x, -1, 1, 1);
    bench::fill(w, -1, 1, 2);
    products raw(4, 128, 4 * 128);
    auto forward = croton_layer<0>();
    bench::table table("W7 signals: 4 kernels of 1 x 128 over 4 signals of 255 numbers, float32");
    forward.call_into(std::tie(y), x, w);
    plain_convolution(x, w, nullptr, 0, expected);
    table.check("croton, plain", bench::max_difference(y, expected), 1e-5);
    table.row("croton", 0, [&] { forward.call_into(std::tie(y), x, w); });
    table.row("raw: cblas_sgemm", 0, [&] { raw.forward(); });
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    compare_lenet();
    compare_signals();
    compare_layer(8, 64, 56);
    compare_layer(8, 128, 28);
    return bench::table::finish();
}
