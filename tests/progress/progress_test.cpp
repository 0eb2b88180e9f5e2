// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include <croton/progress/progress.hpp>

using namespace croton;

namespace {

template <class F> std::string written(F&& f) {
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    f(file);
    std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
    std::rewind(file);
    REQUIRE(std::fread(text.data(), 1, text.size(), file) == text.size());
    std::fclose(file);
    return text;
}

/// What is written to a terminal.
template <class F> std::string on_terminal(F&& f) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(master >= 0);
    REQUIRE(grantpt(master) == 0);
    REQUIRE(unlockpt(master) == 0);
    std::FILE* terminal = std::fopen(ptsname(master), "w");
    REQUIRE(terminal != nullptr);
    f(terminal);
    std::string all;
    REQUIRE(fcntl(master, F_SETFL, O_NONBLOCK) == 0);
    char text[4096];
    for (auto count = read(master, text, sizeof text); count > 0; count = read(master, text, sizeof text))
        all.append(text, static_cast<std::size_t>(count));
    std::fclose(terminal);
    close(master);
    return all;
}

/// 1000 turns, of which the first half takes so long that there is a line of it.
void half_and_all(progress& bar) {
    for (int i = 0; i < 500; ++i) bar.advance();
    std::this_thread::sleep_for(std::chrono::milliseconds(110));
    bar.note("loss", 2);
    bar.advance(0);
    bar.advance(500);
}

}  // namespace

TEST_CASE("lines of text where there is no terminal") {
    std::int64_t turns = 0;
    const std::string text = written([&](std::FILE* file) {
        progress bar(40, "training", file);
        for (const std::int64_t i : bar) {
            CHECK(i == turns++);
            bar.note("loss", 1.5 - static_cast<double>(i));
            bar.note("rate", 0.25);
        }
        CHECK(bar.done() == 40);
    });
    CHECK(turns == 40);
    CHECK(std::count(text.begin(), text.end(), '\n') == 10);
    CHECK(text.starts_with("training   10 %  4/40  "));
    CHECK(text.find("  loss -1.5 rate") == std::string::npos);
    CHECK(text.find("  loss -1.5  rate 0.25\n") != std::string::npos);
    CHECK(text.find("100 %  40/40  ") != std::string::npos);
    CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("no turns, and more than were announced") {
    CHECK(written([](std::FILE* file) {
              progress bar(0, "", file);
              for ([[maybe_unused]] const auto i : bar) CHECK(false);
          }) == "100 %  0/0\n");
    const std::string text = written([](std::FILE* file) {
        progress bar(2, "", file);
        bar.advance(5);
        bar.finish();
        bar.finish();
    });
    CHECK(text.starts_with("100 %  5/2  "));
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("one line that is drawn again on a terminal") {
    const std::string all = on_terminal([](std::FILE* terminal) {
        progress bar(1000, "training", terminal);
        half_and_all(bar);
    });
    CHECK(all.find("\rtraining  [============            ]  50 %  500/1000  ") != std::string::npos);
    CHECK(all.find("left  loss 2") != std::string::npos);
    CHECK(all.find("\rtraining  [========================] 100 %  1000/1000  ") != std::string::npos);
    CHECK(std::count(all.begin(), all.end(), '\n') == 1);
    CHECK(std::count(all.begin(), all.end(), '\r') <= 6);
}

TEST_CASE("a line that does not stay") {
    const std::string all = on_terminal([](std::FILE* terminal) {
        progress bar(1000, "epoch 1/2", terminal, {.leave = false});
        half_and_all(bar);
    });
    CHECK(all.find("\repoch 1/2  [============            ]  50 %  500/1000  ") != std::string::npos);
    CHECK(all.ends_with("\r\x1b[K"));
    CHECK(std::count(all.begin(), all.end(), '\n') == 0);
    CHECK(written([](std::FILE* file) {
              progress bar(1000, "epoch 1/2", file, {.leave = false});
              half_and_all(bar);
          }) == "");
}
