// SPDX-License-Identifier: MIT
// A table that the standard library reads, an image of a program's own type and a solver of another library: each stays in its memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <croton/croton.hpp>

#if __has_include(<Eigen/Eigenvalues>)
#include <Eigen/Eigenvalues>

#include <croton/interop/eigen.hpp>
#endif

using namespace croton;

// Height in m, July mean and January mean in degrees of eight places.
const char* const weather = "place,height,july,january\n"
                            "Zugspitze,2964,4.8,-9.9\nWendelstein,1832,9.6,-3.6\nFeldberg,1490,11.6,-2.9\nBrocken,1134,11.7,-3.1\n"
                            "Munich,515,18.2,-0.4\nStuttgart,371,18.9,1.1\nPotsdam,81,19.2,0.8\nHelgoland,4,17.6,3.6\n";

// The numbers of a table with a head line and a first column of names, row by row.
std::vector<double> read_numbers(std::istream& in) {
    std::vector<double> numbers;
    std::string line, word;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::getline(words, word, ',');
        while (std::getline(words, word, ',')) numbers.push_back(std::stod(word));
    }
    return numbers;
}

// An image as any program has one, which knows nothing of croton.
struct image {
    int width, height;
    std::vector<std::uint8_t> pixels;
};

// Three lines make it an argument of functions and an operand of expressions.
template <> struct croton::other_array<image> {
    static constexpr bool owns_elements = true;
    static auto of(auto& x) { return view(x.pixels.data(), std::array<std::int64_t, 2>{x.height, x.width}); }
};

// The direction in which points lie furthest apart, from their covariances.
array<double, 1> main_axis(const array<double, 2>& covariances) {
    array<double, 1> axis(covariances.extent(0));
#if __has_include(<Eigen/Eigenvalues>)
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(as_eigen(covariances));
    axis = solver.eigenvectors().col(covariances.extent(0) - 1).eval();
#else
    const auto [values, vectors] = eigh(covariances);
    axis = vectors(slice(), -1);
#endif
    return axis * (axis(0) < 0 ? -1 : 1);  // one of the two ways along it
}

int main() {
    std::istringstream file(weather);
    std::vector<double> numbers = read_numbers(file);
    view<double, 2> table(numbers.data(), {static_cast<std::int64_t>(numbers.size()) / 3, 3});  // no copy

    // Degrees by height: a line through the points, by least squares.
    auto height = table(slice(), 0);
    for (const int month : {1, 2}) {
        auto degrees = table(slice(), month);
        const double slope = sum((height - mean(height)) * (degrees - mean(degrees))) / sum(sqr(height - mean(height)));
        std::cout << (month == 1 ? "July   " : "January") << "  " << std::lround(100'000 * slope) << " thousandths of a degree for 100 m\n";
    }

    // Each column in units of its own spread, where it lies.
    table -= mean<0>(table);
    table /= stddev<0>(table);
    const array<double, 2> covariances = dot(transpose(table), table) / static_cast<double>(table.extent(0));
    std::cout << "main axis " << round(main_axis(covariances) * 100) / 100 << '\n';

    // A column is a range.
    auto july = table(slice(), 1);
    std::cout << "warmer than the mean in July: " << std::ranges::count_if(july, [](double v) { return v > 0; }) << " of " << july.size() << "\n\n";

    // A bright disc, made soft by the mean of five neighbours, and drawn.
    image picture{32, 12, std::vector<std::uint8_t>(32 * 12)};
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
            if ((2 * y - 11) * (2 * y - 11) + (x - 16) * (x - 16) < 81) picture.pixels[static_cast<std::size_t>(y * picture.width + x)] = 250;
    auto soften = function<cpu>("soften", [](matrix<std::uint8_t> p) {
        auto x = pad(cast<float>(p), {{1, 1}, {1, 1}});
        auto all = slice(1, -1);
        auto five = x(all, all) + x(all, slice(0, -2)) + x(all, slice(2, none)) + x(slice(0, -2), all) + x(slice(2, none), all);
        return cast<std::uint8_t>(five / 5);
    });
    soften.call_into(picture, picture);
    for (auto row : as_view(picture).rows()) {
        std::string line;
        for (const std::uint8_t v : row) line += " .:+#@"[v / 50];
        line.erase(line.find_last_not_of(' ') + 1);
        std::cout << line << '\n';
    }
}
