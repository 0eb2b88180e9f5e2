// SPDX-License-Identifier: MIT
// A picture of one sequence, as SVG: what came in and went out, and below where the heads were, turn by turn.
#ifndef NTM_PICTURE_HPP
#define NTM_PICTURE_HPP

#include "task.hpp"

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>

namespace ntm {

class picture {
public:
    picture(const learner& of, int length) {
        std::mt19937 random(static_cast<unsigned>(length));
        const sequences s = draw(length, random);
        const auto [logits, written, looked] = of.watch(s.x);
        turns_ = static_cast<int>(s.x.extent(0));
        panel("what comes in", inputs, 8, [&](int t, int i) { return s.x(t, 0, i); });
        panel("what goes out, where it is asked for", bits, 8, [&, &out = logits](int t, int i) { return t < length + 2 ? 0 : 1 / (1 + std::exp(-out(t, 0, i))); });
        panel("where it writes: turns to the right, slots of the memory down", slots, 3, [&, &at = written](int t, int n) { return at(t, 0, n); });
        panel("where it reads", slots, 3, [&, &at = looked](int t, int n) { return at(t, 0, n); });
    }

    void save(const std::string& path) const {
        std::ofstream file(path);
        const int width = margin * 2 + turns_ * cell, height = top_;
        file << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' ' << height
             << "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" << body_ << "</svg>\n";
        if (!file.flush()) throw std::runtime_error(path + " cannot be written");
    }

private:
    static constexpr int margin = 12, cell = 10;

    /// `rows` of cells, each `high`: the darker, the closer to 1.
    template <class Value> void panel(const std::string& title, int rows, int high, const Value& value) {
        const auto rectangle = [&](int x, int y, int broad, int tall, const std::string& paint) {
            body_ += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(broad) + "\" height=\"" +
                     std::to_string(tall) + "\" " + paint + "/>\n";
        };
        body_ += "<text x=\"" + std::to_string(margin) + "\" y=\"" + std::to_string(top_ + 10) + "\">" + title + "</text>\n";
        top_ += 16;
        rectangle(margin, top_, turns_ * cell, rows * high, "fill=\"#eef\"");
        for (int t = 0; t < turns_; ++t)
            for (int i = 0; i < rows; ++i)
                if (const double v = static_cast<double>(value(t, i)); v >= 0.02)
                    rectangle(margin + t * cell, top_ + i * high, cell, high, "fill=\"#125\" fill-opacity=\"" + std::to_string(v).substr(0, 4) + "\"");
        top_ += rows * high + margin;
    }

    int turns_ = 0, top_ = margin;
    std::string body_;
};

}  // namespace ntm

#endif
