// SPDX-License-Identifier: MIT
// Runs graphs node by node and plans instruction by instruction, at run time and with every access checked: thousands of
// programs can be compared without compiling one.
#ifndef CROTON_TESTS_RANDOM_INTERPRETER_HPP
#define CROTON_TESTS_RANDOM_INTERPRETER_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <croton/plan/emit.hpp>
#include <croton/plan/memory.hpp>

#include "random/routines.hpp"

namespace random_programs {

using namespace croton::detail;
using croton::element;
using croton::max_rank;

inline void demand(bool holds, const char* what) {
    if (!holds) throw std::logic_error(what);
}

/// The element that an index names, or the nearest one; -1 where there is none.
inline std::int64_t place_of(double index, std::int64_t extent) {
    const double from_start = index < 0 ? index + static_cast<double>(extent) : index;
    return extent == 0 ? -1 : std::clamp<std::int64_t>(static_cast<std::int64_t>(from_start), 0, extent - 1);
}

template <class Op> double value_of_op(double a, double b, double c) {
    if constexpr (Op::kind == croton::op::typing::logical) {
        if constexpr (Op::arity == 1) return Op::value(a != 0) ? 1 : 0;
        else return Op::value(a != 0, b != 0) ? 1 : 0;
    } else if constexpr (Op::kind == croton::op::typing::integral) {
        const auto i = static_cast<std::int64_t>(a), j = static_cast<std::int64_t>(b);
        if constexpr (Op::arity == 1) return static_cast<double>(Op::value(i));
        else return static_cast<double>(Op::value(i, j));
    } else if constexpr (Op::kind == croton::op::typing::selection) {
        return Op::value(a != 0, b, c);
    } else if constexpr (Op::arity == 1) {
        return Op::value(a);
    } else if constexpr (Op::arity == 2) {
        return static_cast<double>(Op::value(a, b));
    } else {
        return Op::value(a, b, c);
    }
}

using op_function = double (*)(double, double, double);
template <class... Op> std::vector<op_function> functions_of(type_list<Op...>) { return {&value_of_op<Op>...}; }
inline double run_op(int fn, double a, double b, double c) {
    static const std::vector<op_function> table = functions_of(operators{});
    return table[static_cast<std::size_t>(fn)](a, b, c);
}

template <class R>
inline constexpr bool is_logical = std::is_same_v<R, croton::reduction::all> || std::is_same_v<R, croton::reduction::any>;

template <class R> double combine_with(double a, double b) {
    if constexpr (is_logical<R>) return R::combine(a != 0, b != 0) ? 1 : 0;
    else return R::combine(a, b);
}
template <class R> double identity_of() {
    if constexpr (is_logical<R>) return R::template identity<bool>() ? 1 : 0;
    else return R::template identity<double>();
}
template <class... R> double combine(type_list<R...>, int fn, double a, double b) {
    static const std::vector<double (*)(double, double)> table{&combine_with<R>...};
    return table[static_cast<std::size_t>(fn)](a, b);
}
template <class... R> double identity(type_list<R...>, int fn) {
    static const std::vector<double (*)()> table{&identity_of<R>...};
    return table[static_cast<std::size_t>(fn)]();
}

inline double literal_number(const node& n) {
    return croton::is_floating(n.type) ? std::bit_cast<double>(n.bits) : static_cast<double>(n.bits);
}
inline double convert_number(element to, double v) {
    switch (to) {
    case element::boolean: return v != 0 ? 1 : 0;
    case element::int32: return static_cast<double>(croton::wrapped(to, static_cast<std::int64_t>(v)));
    case element::int64: return static_cast<double>(static_cast<std::int64_t>(v));
    case element::float32: return static_cast<float>(v);
    case element::int8:
    case element::uint8:
    case element::int16:
    case element::uint16:
    case element::uint32: return static_cast<double>(croton::wrapped(to, static_cast<std::int64_t>(v)));
    default: return v;
    }
}

/// What an operator makes of integers wraps around as their type does.
inline double wrapped_number(element type, double v) { return croton::is_floating(type) || type == element::boolean || type == element::uint64 ? v : convert_number(type, v); }

/// An array of numbers, whatever its element type.
struct values {
    std::vector<std::int64_t> extent;
    std::vector<double> at;
};

/// Part `at` of an array along its first axis.
inline values row_of(const values& all, std::int64_t at) {
    values one{{all.extent.begin() + 1, all.extent.end()}, {}};
    std::ptrdiff_t count = 1;
    for (const std::int64_t e : one.extent) count *= static_cast<std::ptrdiff_t>(e);
    const auto from = all.at.begin() + static_cast<std::ptrdiff_t>(at) * count;
    one.at.assign(from, from + count);
    return one;
}

inline std::int64_t size_number(size_ref s, const std::vector<std::int64_t>& sizes) {
    return s >= 0 ? s : sizes[static_cast<std::size_t>(-1 - s)];
}

/// The table of sizes for these leaves, by the rules of `resolve_sizes`.
template <class Sizes> std::vector<std::int64_t> find_sizes(const Sizes& table, const std::vector<values>& leaves) {
    std::vector<std::int64_t> out;
    for (const size_entry& e : table) {
        switch (e.what) {
        case size_entry::origin::argument: out.push_back(leaves[static_cast<std::size_t>(e.leaf)].extent[static_cast<std::size_t>(e.axis)]); break;
        case size_entry::origin::product: out.push_back(size_number(e.a, out) * size_number(e.b, out)); break;
        case size_entry::origin::sum: out.push_back(size_number(e.a, out) + size_number(e.b, out)); break;
        case size_entry::origin::difference: out.push_back(std::max<std::int64_t>(0, size_number(e.a, out) - size_number(e.b, out))); break;
        case size_entry::origin::minimum: out.push_back(std::min(size_number(e.a, out), size_number(e.b, out))); break;
        case size_entry::origin::rounded_up: out.push_back((size_number(e.a, out) + size_number(e.b, out) - 1) / size_number(e.b, out)); break;
        case size_entry::origin::remainder: out.push_back(size_number(e.b, out) == 0 ? 0 : size_number(e.a, out) % size_number(e.b, out)); break;
        case size_entry::origin::root: out.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(size_number(e.a, out))))))); break;
        case size_entry::origin::quotient: out.push_back(size_number(e.b, out) == 0 ? 0 : size_number(e.a, out) / size_number(e.b, out)); break;
        }
    }
    return out;
}

/// Calls f(index) for every index of these extents, the last axis fastest.
template <class F> void for_each_index(const std::vector<std::int64_t>& extent, F&& f) {
    std::vector<std::int64_t> index(extent.size(), 0);
    for (const std::int64_t e : extent)
        if (e == 0) return;
    for (;;) {
        f(index);
        std::size_t axis = extent.size();
        for (;;) {
            if (axis == 0) return;
            --axis;
            if (++index[axis] < extent[axis]) break;
            index[axis] = 0;
        }
    }
}

/// Every node by its definition and nothing else: the oracle.
class graph_evaluator {
public:
    graph_evaluator(const arena& graph, const std::vector<values>& leaves) : g(graph), leaves_(leaves), sizes_(find_sizes(graph.sizes, leaves)), memo_(static_cast<std::size_t>(graph.nodes.size())), done_(memo_.size(), 0) {}

    bool finite = true;  // of everything computed so far

    /// From now on each operation rounds to a number that is off by as much as `by` of it, and by a unit where it is subnormal.
    void blur(double by, unsigned seed) {
        blur_ = by;
        state_ += seed;
    }

    const values& of(int id) {
        evaluate(id);
        return memo_[static_cast<std::size_t>(id)];
    }

private:
    const arena& g;
    const std::vector<values>& leaves_;
    std::vector<std::int64_t> sizes_;
    std::vector<values> memo_;
    std::vector<char> done_;
    double blur_ = 0;
    std::uint64_t state_ = 99;

    /// What a loop has carried: by value, before the first turn and after each.
    struct turns_of_loop {
        std::vector<std::vector<values>> carried;
        std::int64_t all = 0, had = 0, skipped = 0;
    };
    std::map<int, turns_of_loop> loops_;  // by node
    vec<croton::detail::loop_mask> masks_;

    void evaluate(int id) {
        // Arguments come before their users.
        std::vector<char> needed(done_.size(), 0);
        needed[static_cast<std::size_t>(id)] = 1;
        for (int i = id; i >= 0; --i)
            if (needed[static_cast<std::size_t>(i)] != 0 && done_[static_cast<std::size_t>(i)] == 0)
                each_argument(i, [&](int a) { needed[static_cast<std::size_t>(a)] = 1; });
        for (int i = 0; i <= id; ++i)
            if (needed[static_cast<std::size_t>(i)] != 0 && done_[static_cast<std::size_t>(i)] == 0) {
                if (g[i].what == tag<structure::repeat>) run_loop(i);
                else memo_[static_cast<std::size_t>(i)] = g[i].what == tag<structure::turn_part> ? part_of_loop(g[i]) : compute(g[i]);
                if (blur_ != 0 && (g[i].what == tag<structure::reduce> || g[i].what == tag<structure::dot> || (g[i].what == tag<structure::apply> && croton::is_floating(g[i].type))))
                    for (double& v : memo_[static_cast<std::size_t>(i)].at) v = blurred(i, v);
                for (const double v : memo_[static_cast<std::size_t>(i)].at) finite = finite && std::isfinite(v);
                done_[static_cast<std::size_t>(i)] = 1;
            }
    }

    /// What must be known before a node; of a loop what it begins with and walks along, not what its turns compute.
    template <class F> void each_argument(int id, F&& f) const {
        const node& n = g[id];
        demand(n.what != tag<structure::turn_value>, "graph: a value of a turn outside of its loop");
        if (n.what == tag<structure::repeat>) {
            vec<int> items;
            croton::detail::list_bundled(g, id, items);
            const croton::detail::loop_facts& facts = g.loops.at[static_cast<int>(n.bits)];
            for (int k = 0; k < facts.carried; ++k) f(items[2 * k]);
            for (int j = 0; j < facts.sequences; ++j) f(items[2 * facts.carried + j]);
            if (n.in[1] >= 0) f(n.in[1]);
        } else if (n.what == tag<structure::turn_part>) {
            f(n.in[0]);
        } else {
            for (const int a : n.in)
                if (a >= 0) f(a);
        }
    }

    /// Where turn `turn` lies in sequences.
    std::int64_t position(int loop, const turns_of_loop& t, std::int64_t turn) const {
        return g.loops.at[loop].reverse ? t.all - 1 - turn - t.skipped : turn + t.skipped;
    }

    /// Forgets what the turn before had, and notes what this one is given.
    void enter(int repeat, const turns_of_loop& t, std::int64_t turn) {
        const int loop = static_cast<int>(g[repeat].bits);
        vec<int> items;
        croton::detail::list_bundled(g, repeat, items);
        if (masks_.empty()) croton::detail::find_regions(g, masks_);
        for (int id = 0; id < static_cast<int>(done_.size()); ++id) {
            if ((masks_[id] & croton::detail::bit_of_loop(loop)) == 0) continue;
            const auto i = static_cast<std::size_t>(id);
            done_[i] = 0;
            const node& n = g[id];
            if (n.what != tag<structure::turn_value> || croton::detail::loop_of(n.bits) != loop) continue;
            done_[i] = 1;
            const int index = croton::detail::index_of_turn(n.bits);
            switch (croton::detail::role_of(n.bits)) {
            case croton::detail::turn_role::carried: memo_[i] = t.carried[static_cast<std::size_t>(index)][static_cast<std::size_t>(turn)]; break;
            case croton::detail::turn_role::element:
                memo_[i] = row_of(memo_[static_cast<std::size_t>(items[2 * g.loops.at[loop].carried + index])], position(loop, t, turn));
                break;
            default: memo_[i] = {{}, {static_cast<double>(position(loop, t, turn))}};
            }
            demand(memo_[i].extent == extents(n.shape), "graph: a value of a turn has another shape");
        }
    }

    void run_loop(int id) {
        const node& n = g[id];
        const croton::detail::loop_facts& facts = g.loops.at[static_cast<int>(n.bits)];
        vec<int> items;
        croton::detail::list_bundled(g, id, items);
        turns_of_loop& t = loops_[id] = {};
        std::int64_t most = t.all = size_number(g.find(facts.turns), sizes_);
        if (n.in[1] >= 0) {
            const auto wanted = static_cast<std::int64_t>(memo_[static_cast<std::size_t>(n.in[1])].at[0]);
            most = std::max<std::int64_t>(0, facts.unbounded || wanted < most ? wanted : most);
        }
        if (facts.retraces) t.skipped = t.all - most;
        if (facts.at_most > 0) most = std::min<std::int64_t>(most, facts.at_most);
        for (int k = 0; k < facts.carried; ++k) t.carried.push_back({memo_[static_cast<std::size_t>(items[2 * k])]});
        for (bool stop = false; t.had < most && !stop; ++t.had) {
            enter(id, t, t.had);
            for (int k = 0; k < facts.carried; ++k) evaluate(items[2 * k + 1]);
            for (int k = 0; k < facts.carried; ++k) t.carried[static_cast<std::size_t>(k)].push_back(memo_[static_cast<std::size_t>(items[2 * k + 1])]);
            if (n.in[2] >= 0) {
                evaluate(n.in[2]);
                stop = memo_[static_cast<std::size_t>(n.in[2])].at[0] != 0;
            }
        }
    }

    values part_of_loop(const node& n) {
        const int repeat = n.in[0], loop = static_cast<int>(g[repeat].bits), k = croton::detail::part_index(n.bits);
        const turns_of_loop t = loops_.at(repeat);
        values out;
        out.extent = extents(n.shape);
        std::size_t count = 1, row = 1;
        for (std::size_t i = 0; i < out.extent.size(); ++i) {
            count *= static_cast<std::size_t>(out.extent[i]);
            if (i > 0) row *= static_cast<std::size_t>(out.extent[i]);
        }
        out.at.assign(count, 0);
        const auto put = [&](std::int64_t at, const values& one) {
            demand(one.at.size() == row && at >= 0 && at < out.extent[0], "graph: a turn leaves something else");
            std::copy(one.at.begin(), one.at.end(), out.at.begin() + static_cast<std::ptrdiff_t>(at) * static_cast<std::ptrdiff_t>(row));
        };
        switch (croton::detail::part_role(n.bits)) {
        case croton::detail::loop_result::last:
            demand(t.carried[static_cast<std::size_t>(k)].back().extent == out.extent, "graph: what is carried has another shape");
            return t.carried[static_cast<std::size_t>(k)].back();
        case croton::detail::loop_result::turns: out.at[0] = static_cast<double>(t.had); break;
        case croton::detail::loop_result::trajectory:
            for (std::int64_t turn = 0; turn <= t.had; ++turn)
                put(g.loops.at[loop].reverse ? position(loop, t, turn) + 1 : position(loop, t, turn), t.carried[static_cast<std::size_t>(k)][static_cast<std::size_t>(turn)]);
            break;
        default:
            for (std::int64_t turn = 0; turn < t.had; ++turn) {
                enter(repeat, t, turn);
                evaluate(n.in[1]);
                put(position(loop, t, turn), memo_[static_cast<std::size_t>(n.in[1])]);
            }
        }
        return out;
    }

    double blurred(int id, double v) {
        const node& n = g[id];
        if (n.what == tag<structure::apply> && (n.fn == code<croton::op::negative> || n.fn == code<croton::op::where> || n.fn == code<croton::op::absolute>)) return v;
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        const double off = static_cast<double>(state_ >> 40) / (1 << 23) - 1;
        // No order of a sum says which sign its zero has.
        if (v == 0 && n.what != tag<structure::apply>) return off < 0 ? -0.0 : 0.0;
        double size = v;
        // The terms of a sum may be larger than it is.
        if (n.what == tag<structure::reduce> && std::isfinite(v))
            for (const double x : memo_[static_cast<std::size_t>(n.in[0])].at)
                if (std::isfinite(x)) size = std::max(std::fabs(size), std::fabs(x));
        const double made = v + size * blur_ * off;
        return v != 0 && std::fabs(v) < std::numeric_limits<double>::min() ? made + (off < 0 ? -5e-324 : 5e-324) : made;
    }

    std::vector<std::int64_t> extents(const shape& s) const {
        std::vector<std::int64_t> out;
        for (int i = 0; i < s.rank; ++i) out.push_back(size_number(g.find(s[i]), sizes_));
        return out;
    }

    /// The element of `v` that NumPy's rule gives index `index`.
    static double pick(const values& v, const std::vector<std::int64_t>& index) {
        std::size_t at = 0;
        const std::size_t shift = index.size() - v.extent.size();
        for (std::size_t i = 0; i < v.extent.size(); ++i) {
            demand(v.extent[i] == 1 || index[i + shift] < v.extent[i], "graph: an argument is too small for its user");
            at = at * static_cast<std::size_t>(v.extent[i]) + static_cast<std::size_t>(v.extent[i] == 1 ? 0 : index[i + shift]);
        }
        return v.at[at];
    }

    values compute(const node& n) {
        values out;
        out.extent = extents(n.shape);
        const auto arg = [&](int i) -> const values& { return memo_[static_cast<std::size_t>(n.in[static_cast<unsigned>(i)])]; };
        const auto each = [&](auto&& f) { for_each_index(out.extent, [&](const std::vector<std::int64_t>& i) { out.at.push_back(f(i)); }); };
        switch (n.what) {
        case tag<structure::input>: return leaves_[static_cast<std::size_t>(n.bits)];
        case tag<structure::literal>: out.at.push_back(literal_number(n)); break;
        case tag<structure::size>: out.at.push_back(static_cast<double>(size_number(g.find(n.bits), sizes_))); break;
        case tag<structure::arange>: each([&](const auto& i) { return static_cast<double>(i[0]); }); break;
        case tag<structure::apply>:
            each([&](const auto& i) {
                double x[3] = {};
                for (int k = 0; k < 3; ++k)
                    if (n.in[static_cast<unsigned>(k)] >= 0) x[k] = pick(arg(k), i);
                return wrapped_number(n.type, run_op(n.fn, x[0], x[1], x[2]));
            });
            break;
        case tag<structure::cast>: each([&](const auto& i) { return convert_number(n.type, pick(arg(0), i)); }); break;
        case tag<structure::broadcast>: each([&](const auto& i) { return pick(arg(0), i); }); break;
        case tag<structure::reshape>: out.at = arg(0).at; break;
        case tag<structure::stand_in>:
            out.at = arg(0).at;
            // With a slope of its own it stands for the derivative alone.
            for (std::size_t i = 0; n.in[2] < 0 && i < out.at.size(); ++i)
                demand(!finite || !std::isfinite(out.at[i]) || std::fabs(out.at[i] - arg(1).at[i]) <= 1e-9 * (1 + std::fabs(out.at[i])), "graph: what stands in has another value");
            break;
        case tag<structure::view>:
            each([&](const auto& i) {
                std::vector<std::int64_t> from(arg(0).extent.size(), 0);
                for (int k = 0; k < n.shape.rank; ++k)
                    if (const int s = view_axis(n.bits, k); s != new_axis) from[static_cast<std::size_t>(s)] = i[static_cast<std::size_t>(k)];
                return pick(arg(0), from);
            });
            break;
        case tag<structure::slice>:
            each([&](std::vector<std::int64_t> i) {
                std::int64_t& at = i[static_cast<std::size_t>(slice_axis(n.bits))];
                at = size_number(g.find(slice_start(n.bits)), sizes_) + at * slice_step(n.bits);
                demand(at >= 0, "graph: a slice begins before its argument");
                return pick(arg(0), i);
            });
            break;
        case tag<structure::gather>:
            each([&](const auto& i) {
                const int rank = static_cast<int>(arg(1).extent.size());
                std::vector<std::int64_t> index, from;
                for (int k = 0; k < rank; ++k) index.push_back(i[static_cast<std::size_t>(structure::gather::axis_of_argument(n, rank, 1, k))]);
                const std::int64_t place = place_of(pick(arg(1), index), arg(0).extent[static_cast<std::size_t>(structure::gather::axis_of(n))]);
                finite = finite && place >= 0;
                if (place < 0) return std::numeric_limits<double>::quiet_NaN();
                for (int k = 0; k < static_cast<int>(arg(0).extent.size()); ++k) {
                    const int axis = structure::gather::axis_of_argument(n, rank, 0, k);
                    from.push_back(axis < 0 ? place : i[static_cast<std::size_t>(axis)]);
                }
                return pick(arg(0), from);
            });
            break;
        case tag<structure::scatter>: {
            out.at = arg(0).at;
            const auto axis = static_cast<std::size_t>(croton::kernel::axis_of(n.bits));
            for_each_index(arg(2).extent, [&](const std::vector<std::int64_t>& i) {
                std::vector<std::int64_t> to = i;
                to[axis] = place_of(structure::scatter::is_aligned(n) ? pick(arg(1), i) : pick(arg(1), {i[axis]}), out.extent[axis]);
                finite = finite && to[axis] >= 0;
                if (to[axis] < 0) return;
                std::size_t at = 0;
                for (std::size_t k = 0; k < to.size(); ++k) at = at * static_cast<std::size_t>(out.extent[k]) + static_cast<std::size_t>(to[k]);
                out.at[at] = pick(arg(2), i) + (structure::scatter::puts(n) ? 0 : out.at[at]);
            });
            break;
        }
        case tag<structure::concatenate>:
            each([&](std::vector<std::int64_t> i) {
                std::int64_t& at = i[static_cast<std::size_t>(n.bits)];
                const std::int64_t first = arg(0).extent[static_cast<std::size_t>(n.bits)];
                if (at < first) return pick(arg(0), i);
                at -= first;
                return pick(arg(1), i);
            });
            break;
        case tag<structure::reduce>:
        case tag<structure::softmax>:
        case tag<structure::log_softmax>:
        case tag<structure::logsumexp>: rows(n, arg(0), out); break;
        case tag<structure::dot>:
            each([&](const auto& i) {
                // Rows of the left and columns of the right, behind the batch axes of the result that each has.
                const std::size_t batch = i.size() < 2 ? 0 : i.size() - 2;
                const auto front = [&](const values& x) {
                    const std::size_t own = x.extent.size() < 2 ? 0 : x.extent.size() - 2;
                    return std::vector<std::int64_t>(i.begin() + static_cast<std::ptrdiff_t>(batch - own), i.begin() + static_cast<std::ptrdiff_t>(batch));
                };
                long double sum = 0;
                for (std::int64_t k = 0; k < arg(0).extent.back(); ++k) {
                    std::vector<std::int64_t> left = front(arg(0)), right = front(arg(1));
                    left.push_back(i[batch]);
                    left.push_back(k);
                    right.push_back(k);
                    if (i.size() >= 2) right.push_back(i.back());
                    sum += static_cast<long double>(pick(arg(0), left)) * pick(arg(1), right);
                }
                return static_cast<double>(sum);
            });
            break;
        default:
            if (g.structure_of(n).routine == nullptr || g.structure_of(n).routine(n)->of_matrices) matrices(n, out);
            else along(n, out);
        }
        return out;
    }

    /// Matrix number `n` of an array.
    static matrix_of_numbers matrix_at(const values& v, std::size_t n) {
        const std::size_t rank = v.extent.size();
        matrix_of_numbers m{v.extent[rank - 2], v.extent[rank - 1], {}};
        const auto count = static_cast<std::ptrdiff_t>(m.rows * m.columns), from = static_cast<std::ptrdiff_t>(n) * count;
        m.at.assign(v.at.begin() + from, v.at.begin() + from + count);
        return m;
    }

    /// Equations, determinants and factors, matrix after matrix.
    void matrices(const node& n, values& out) {
        const std::string_view name = g.structure_of(n).name;
        const values& a = memo_[static_cast<std::size_t>(n.in[0])];
        std::size_t count = 1;
        for (std::size_t i = 0; i + 2 < a.extent.size(); ++i) count *= static_cast<std::size_t>(a.extent[i]);
        for (std::size_t k = 0; k < count; ++k) {
            std::vector<matrix_of_numbers> in;
            for (const int argument : n.in)
                if (argument >= 0) in.push_back(matrix_at(memo_[static_cast<std::size_t>(argument)], k));
            matrix_of_numbers made;
            if (g.structure_of(n).routine != nullptr) {
                const std::size_t rank = out.extent.size();
                made = matrix_by_routine(name, croton::kernel::attributes_of(n.bits), out.extent[rank - 2], out.extent[rank - 1], in);
            } else if (name == "solve") {
                matrix_of_numbers m = in[0];
                for (std::int64_t i = 0; (n.bits & croton::kernel::lu_solve::transposed) != 0 && i < m.rows; ++i)
                    for (std::int64_t j = 0; j < m.rows; ++j) m(i, j) = in[0](j, i);
                made = in[1];
                (void)eliminate(m, made);
            } else {
                const double determinant = eliminate(in[0], made);
                demand(name == "det" || name == "logabsdet" || name == "sign of det", "graph: a node that no user makes");
                made.at.push_back(name == "det" ? determinant : name == "logabsdet" ? std::log(std::fabs(determinant)) : determinant > 0 ? 1 : determinant < 0 ? -1 : determinant);
            }
            out.at.insert(out.at.end(), made.at.begin(), made.at.end());
        }
    }

    /// A routine along an axis: row after row.
    void along(const node& n, values& out) {
        demand(g.structure_of(n).routine != nullptr, "graph: a node that no user makes");
        const auto axis = static_cast<std::size_t>(croton::kernel::axis_of(n.bits));
        const auto routine = g.structure_of(n).routine(n);
        std::vector<std::int64_t> starts = out.extent;
        std::int64_t step = 1;
        for (std::size_t i = axis + 1; i < starts.size(); ++i) step *= out.extent[i];
        std::size_t count = 1;
        for (const std::int64_t e : out.extent) count *= static_cast<std::size_t>(e);
        out.at.assign(count, 0);
        if (count == 0) return;
        starts[axis] = 1;
        for_each_index(starts, [&](std::vector<std::int64_t> i) {
            std::vector<row_of_numbers> in(static_cast<std::size_t>(routine->arguments));
            std::size_t first = 0;
            for (std::size_t k = 0; k < i.size(); ++k) first = first * static_cast<std::size_t>(out.extent[k]) + static_cast<std::size_t>(i[k]);
            for (std::int64_t k = 0; k < out.extent[axis]; ++k) {
                i[axis] = k;
                for (std::size_t a = 0; a < in.size(); ++a) in[a].push_back(pick(memo_[static_cast<std::size_t>(n.in[a])], i));
            }
            const row_of_numbers made = row_by_routine(routine->name, croton::kernel::attributes_of(n.bits), in);
            for (std::size_t k = 0; k < made.size(); ++k) out.at[first + k * static_cast<std::size_t>(step)] = made[k];
        });
    }

    void rows(const node& n, const values& x, values& out) {
        std::vector<std::int64_t> kept = x.extent;
        for (std::size_t i = 0; i < kept.size(); ++i)
            if ((n.bits >> i) & 1) kept[i] = 1;
        const auto reduce = [&](double start, auto&& f) {
            values r;
            r.extent = kept;
            std::size_t count = 1;
            for (const std::int64_t e : kept) count *= static_cast<std::size_t>(e);
            r.at.assign(count, start);
            for_each_index(x.extent, [&](const auto& i) {
                std::size_t at = 0;
                for (std::size_t k = 0; k < kept.size(); ++k) at = at * static_cast<std::size_t>(kept[k]) + static_cast<std::size_t>(kept[k] == 1 ? 0 : i[k]);
                r.at[at] = f(r.at[at], pick(x, i), i);
            });
            return r;
        };
        if (n.what == tag<structure::reduce>) {
            out = reduce(identity(reductions{}, n.fn), [&](double a, double b, const auto&) { return combine(reductions{}, n.fn, a, b); });
            return;
        }
        values m = reduce(-std::numeric_limits<double>::infinity(), [](double a, double b, const auto&) { return a > b ? a : b; });
        for (double& most : m.at)
            most = croton::op::clip::value(most, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
        const values s = reduce(0, [&](double a, double b, const auto& i) { return a + std::exp(b - pick(m, i)); });
        if (n.what == tag<structure::logsumexp>) for_each_index(kept, [&](const auto& i) { out.at.push_back(pick(m, i) + std::log(pick(s, i))); });
        else
            for_each_index(x.extent, [&](const auto& i) {
                const double shifted = pick(x, i) - pick(m, i);
                out.at.push_back(n.what == tag<structure::softmax> ? std::exp(shifted) / pick(s, i) : shifted - std::log(pick(s, i)));
            });
    }
};

/// A region of a program with loops, and its plan.
template <class Program, class Plan> struct planned_region {
    std::unique_ptr<Program> program;
    std::unique_ptr<Plan> plan;
};

/// Runs a plan. Memory starts as NaN, so that what is read before it is written shows.
template <class Plan, class Program> class plan_runner {
public:
    using regions_of_loops = std::vector<planned_region<Program, Plan>>;  // by region

    plan_runner(const Plan& target, const Program& program, const std::vector<values>& leaves, const regions_of_loops* regions = nullptr)
        : plan_runner(target, program, leaves, regions, find_sizes(program.sizes, leaves)) {}
    plan_runner(const Plan& target, const Program& program, const std::vector<values>& leaves, const regions_of_loops* regions, std::vector<std::int64_t> sizes)
        : p(target), program_(program), regions_(regions), routines_(program.routines.begin()), sizes_(std::move(sizes)) {
        for (int b = 0; b < p.buffers.size(); ++b) {
            const buffer_facts& f = p.buffers[b];
            std::int64_t count = 1;
            for (int i = 0; i < f.shape.rank; ++i) count *= size_number(f.shape[i], sizes_);
            counts_.push_back(count);
            if (f.what == buffer_kind::leaf) {
                memory_.push_back(leaves[static_cast<std::size_t>(f.index)].at);
                place_.push_back(static_cast<int>(memory_.size()) - 1);
            } else if (f.what == buffer_kind::temporary) {
                place_.push_back(-1);
            } else {
                memory_.emplace_back(static_cast<std::size_t>(count), std::numeric_limits<double>::quiet_NaN());
                place_.push_back(static_cast<int>(memory_.size()) - 1);
            }
        }
        base_.assign(counts_.size(), 0);
        std::vector<lifetime> temporaries;
        for (int b = 0; b < p.buffers.size(); ++b) {
            const buffer_facts& f = p.buffers[b];
            if (f.what != buffer_kind::temporary || f.index < 0) continue;
            demand(f.index < p.temporaries, "plan: a temporary that is not counted");
            temporaries.push_back({counts_[static_cast<std::size_t>(b)] * number_bytes, f.first, f.last, b});
        }
        const std::int64_t total = place_lifetimes(temporaries.data(), static_cast<int>(temporaries.size()));
        for (const lifetime& t : temporaries) {
            base_[static_cast<std::size_t>(t.index)] = static_cast<std::size_t>(t.offset / number_bytes);
            place_[static_cast<std::size_t>(t.index)] = static_cast<int>(memory_.size());
        }
        memory_.emplace_back(static_cast<std::size_t>(total / number_bytes), std::numeric_limits<double>::quiet_NaN());
    }

    void run() {
        for (int i = 0; i < p.steps.size(); i += std::max(1, p.steps[i].together)) {
            const int together = p.steps[i].together;
            demand(together >= 1, "plan: a step that no launch runs");
            // Steps of one launch may run in any order.
            check_apart(i, i + together);
            for (int s = i + together - 1; s >= i; --s) run_step(p.steps[s]);
        }
    }

    int ran = 0;  // steps that were begun

    /// Of what is no temporary.
    const std::vector<double>& buffer(int b) const { return memory_[static_cast<std::size_t>(place_[static_cast<std::size_t>(b)])]; }

private:
    const Plan& p;
    const Program& program_;
    const regions_of_loops* regions_;
    const croton::kernel::routine_facts* const* routines_;
    std::vector<std::int64_t> sizes_, counts_;
    std::vector<std::vector<double>> memory_;
    std::vector<int> place_;         // by buffer: which memory
    std::vector<std::size_t> base_;  // and where in it
    static constexpr std::int64_t number_bytes = sizeof(double);
    const step* now_ = nullptr;
    std::vector<double> uniform_, row_, element_;
    double factors_[2] = {};

    void run_step(const step& s) {
        now_ = &s;
        ++ran;
        if (s.what == step_kind::kernel) kernel();
        else if (s.what == step_kind::copy) copy(s.outer, extents(s.outer), 0, 1);
        else if (s.what == step_kind::routine && routines_[s.routine]->arguments == 3) scatter();
        else if (s.what == step_kind::routine && routines_[s.routine]->of_matrices) matrices(*routines_[s.routine]);
        else if (s.what == step_kind::routine) along(*routines_[s.routine]);
        else if (s.what == step_kind::repeat) repeat();
        else product();
    }

    /// A loop: each turn is a plan that is run with what it is given.
    void repeat() {
        using croton::detail::loop_result;
        const step& s = *now_;
        int entry = 0;
        while (program_.loops[entry].region != static_cast<int>(s.bits)) ++entry;
        const croton::detail::loop_entry& l = program_.loops[entry];
        const auto& region = (*regions_)[static_cast<std::size_t>(s.bits)];
        const auto node_of = [&](int i) -> const node& { return program_.nodes[program_.loop_nodes[l.from + i]]; };
        const auto over = [&](int i) {
            std::vector<std::int64_t> out;
            for (int k = 0; k < node_of(i).shape.rank; ++k) out.push_back(size_number(node_of(i).shape[k], sizes_));
            return out;
        };
        const auto read = [&](int i) {
            values v{over(i), {}};
            for_each_index(v.extent, [&](const auto& index) { v.at.push_back(cell(i, index)); });
            return v;
        };
        const int arguments = l.arguments(), given = l.carried + l.sequences + l.captured;
        // What is written while turns read has memory of its own.
        for (int i = arguments; i < arguments + l.parts; ++i) {
            const loop_result what = part_role(node_of(i).bits);
            for (int k = l.carried; k < arguments; ++k)
                demand(what == loop_result::last || what == loop_result::turns || !same_memory(i, over(i), k, over(k)), "plan: a loop writes over what its turns read");
            for (int k = arguments; k < i; ++k) demand(!same_memory(i, over(i), k, over(k)), "plan: two results of a loop share memory");
        }
        std::vector<values> in;
        for (int i = 0; i < arguments; ++i) in.push_back(read(i));
        const std::int64_t all = size_number(l.turns, sizes_);
        std::int64_t most = all;
        if (l.limited) {
            const auto wanted = static_cast<std::int64_t>(in[static_cast<std::size_t>(given)].at[0]);
            most = std::max<std::int64_t>(0, l.unbounded || wanted < most ? wanted : most);
        }
        const std::int64_t skipped = l.retraces ? all - most : 0;
        if (l.at_most > 0) most = std::min<std::int64_t>(most, l.at_most);
        const auto put = [&](int i, std::int64_t at, const std::vector<double>& made) {
            std::vector<std::int64_t> one = over(i);
            if (one[0] == 0) return;
            one[0] = 1;
            std::size_t from = 0;
            for_each_index(one, [&](std::vector<std::int64_t> index) {
                index[0] = at;
                cell(i, index) = made[from++];
            });
        };
        for (int i = arguments; i < arguments + l.parts; ++i) for_each_index(over(i), [&](const auto& index) { cell(i, index) = 0; });
        std::vector<values> carried(in.begin(), in.begin() + l.carried);
        const auto keep = [&](std::int64_t turn) {
            for (int i = arguments; i < arguments + l.parts; ++i)
                if (part_role(node_of(i).bits) == loop_result::trajectory)
                    put(i, l.reverse ? all - turn - skipped : turn + skipped, carried[static_cast<std::size_t>(croton::detail::part_index(node_of(i).bits))].at);
        };
        keep(0);
        std::int64_t turn = 0;
        for (bool stop = false; turn < most && !stop; ++turn) {
            const std::int64_t position = l.reverse ? all - 1 - turn - skipped : turn + skipped;
            std::vector<values> leaves = carried;
            for (int j = l.carried; j < l.carried + l.sequences; ++j) leaves.push_back(row_of(in[static_cast<std::size_t>(j)], position));
            for (int c = l.carried + l.sequences; c < given; ++c) leaves.push_back(in[static_cast<std::size_t>(c)]);
            if (l.counts) leaves.push_back({{}, {static_cast<double>(position)}});
            demand(static_cast<int>(leaves.size()) == region.program->leaves.size(), "plan: a turn is given something else");
            plan_runner one(*region.plan, *region.program, leaves, regions_, sizes_);
            one.run();
            int output = 0;
            while (region.plan->buffers[output].what != buffer_kind::output) ++output;
            for (int k = 0; k < l.carried; ++k) carried[static_cast<std::size_t>(k)].at = one.buffer(output++);
            for (int i = arguments; i < arguments + l.parts; ++i)
                if (part_role(node_of(i).bits) == loop_result::stack) {
                    // Of so many turns it is kept, the last ones.
                    const std::int64_t kept = over(i)[0];
                    put(i, l.reverse ? std::min(position, kept - 1) : std::max<std::int64_t>(position - (all - kept), 0), one.buffer(output++));
                }
            if (l.stops) stop = one.buffer(output)[0] != 0;
            keep(turn + 1);
        }
        for (int i = arguments; i < arguments + l.parts; ++i) {
            const loop_result what = part_role(node_of(i).bits);
            if (what == loop_result::turns) cell(i, {}) = static_cast<double>(turn);
            if (what != loop_result::last) continue;
            std::size_t from = 0;
            for_each_index(over(i), [&](const auto& index) { cell(i, index) = carried[static_cast<std::size_t>(croton::detail::part_index(node_of(i).bits))].at[from++]; });
        }
    }

    /// A routine of matrices, which lie along the last two axes of the step.
    void matrices(const croton::kernel::routine_facts& routine) {
        std::vector<std::int64_t> starts = extents(now_->outer);
        const std::int64_t rows = starts[starts.size() - 2], columns = starts.back();
        starts[starts.size() - 2] = starts.back() = 1;
        for_each_index(starts, [&](const std::vector<std::int64_t>& start) {
            const auto each = [&](std::int64_t m, std::int64_t n, auto&& f) {
                std::vector<std::int64_t> i = start;
                for (i[i.size() - 2] = 0; i[i.size() - 2] < m; ++i[i.size() - 2])
                    for (i.back() = 0; i.back() < n; ++i.back()) f(i);
            };
            std::vector<matrix_of_numbers> in;
            for (int k = 0; k < routine.arguments; ++k) {
                const auto [m, n] = matrix_argument(routine.name, k, rows, columns);
                in.push_back({m, n, {}});
                each(m, n, [&](const auto& i) { in.back().at.push_back(cell(k, i)); });
            }
            const matrix_of_numbers made = matrix_by_routine(routine.name, croton::kernel::attributes_of(now_->bits), rows, columns, in);
            auto from = made.at.begin();
            each(rows, columns, [&](const auto& i) { cell(routine.arguments, i) = *from++; });
        });
    }

    /// A routine along an axis, which is the last of the step's.
    void along(const croton::kernel::routine_facts& routine) {
        const std::vector<std::int64_t> all = extents(now_->outer);
        std::vector<std::int64_t> starts = all;
        starts.back() = 1;
        for (const std::int64_t e : all)
            if (e == 0) return;
        for (int k = 0; k < routine.arguments; ++k) demand(!same_memory(k, all, routine.arguments, all), "plan: a routine is written over what it reads");
        for_each_index(starts, [&](std::vector<std::int64_t> i) {
            std::vector<row_of_numbers> in(static_cast<std::size_t>(routine.arguments));
            for (std::int64_t k = 0; k < all.back(); ++k) {
                i.back() = k;
                for (std::size_t a = 0; a < in.size(); ++a) in[a].push_back(cell(static_cast<int>(a), i));
            }
            const row_of_numbers made = row_by_routine(routine.name, croton::kernel::attributes_of(now_->bits), in);
            for (std::int64_t k = 0; k < all.back(); ++k) {
                i.back() = k;
                cell(routine.arguments, i) = made[static_cast<std::size_t>(k)];
            }
        });
    }

    bool is_written(int from, int to, int buffer) const {
        for (int s = from; s < to; ++s)
            for (int k = p.steps[s].instruction_from; k < p.steps[s].instruction_from + p.steps[s].instruction_count; ++k)
                if (const instruction& i = p.instructions[k]; i.what == code_of::store &&
                    share_memory(static_cast<std::size_t>(p.slots[p.steps[s].slot_from + i.slot].buffer), static_cast<std::size_t>(buffer)))
                    return true;
        return false;
    }

    /// Nothing that a step of a launch writes is touched by another one.
    void check_apart(int from, int to) {
        const auto used = [&](int s, bool only_writes) {
            std::vector<int> slots;
            const step& t = p.steps[s];
            for (int k = t.instruction_from; k < t.instruction_from + t.instruction_count; ++k) {
                const instruction& i = p.instructions[k];
                const bool writes = i.what == code_of::store || i.what == code_of::accumulate;
                demand(i.what != code_of::gather || from + 1 == to || !is_written(from, to, p.slots[t.slot_from + i.slot].buffer), "plan: a launch gathers what it writes");
                if (writes || (i.what == code_of::load && !only_writes)) slots.push_back(i.slot);
            }
            return slots;
        };
        const auto addresses = [&](int s, int slot) {
            now_ = &p.steps[s];
            std::vector<std::int64_t> over = extents(now_->outer + now_->inner);
            for (unsigned k = 0; k < over.size(); ++k)
                if (p.slots[now_->slot_from + slot].axis.at[k] < 0) over[k] = std::min<std::int64_t>(over[k], 1);
            std::vector<const double*> out;
            for_each_index(over, [&](const auto& index) { out.push_back(&cell(slot, index)); });
            return out;
        };
        const auto meet = [&](int a, int slot_a, int b, int slot_b) {
            const auto buffer = [&](int s, int slot) { return static_cast<std::size_t>(p.slots[p.steps[s].slot_from + slot].buffer); };
            if (!share_memory(buffer(a, slot_a), buffer(b, slot_b))) return false;
            const std::vector<const double*> written = addresses(a, slot_a);
            for (const double* at : addresses(b, slot_b))
                if (std::find(written.begin(), written.end(), at) != written.end()) return true;
            return false;
        };
        for (int a = from; a < to; ++a)
            for (int b = from; b < to; ++b)
                for (const int written : used(a, true))
                    for (const int other : used(b, false)) demand(a == b || !meet(a, written, b, other), "plan: steps of one launch share memory");
        for (int a = from + 1; a < to; ++a) {
            demand(p.steps[a].together == 0 && p.steps[a].inner == p.steps[from].inner, "plan: a launch of unlike steps");
            demand(p.steps[a].instruction_count == p.steps[from].instruction_count, "plan: a launch of unlike steps");
            for (int k = 0; k < p.steps[a].instruction_count; ++k)
                demand(p.instructions[p.steps[a].instruction_from + k] == p.instructions[p.steps[from].instruction_from + k], "plan: a launch of unlike steps");
        }
    }

    std::vector<std::int64_t> extents(int n) const {
        std::vector<std::int64_t> out;
        for (int i = 0; i < n; ++i) out.push_back(size_number(now_->extent[static_cast<unsigned>(i)], sizes_));
        return out;
    }
    const croton::detail::access& slot(int i) const { return p.slots[now_->slot_from + i]; }

    std::size_t offset(const croton::detail::access& a, const std::vector<std::int64_t>& index, std::int64_t place) const {
        const buffer_facts& f = p.buffers[a.buffer];
        const shape& s = a.layout >= 0 ? p.layouts[a.layout] : f.shape;
        std::int64_t stride[max_rank + 1] = {}, step = 1, start[max_rank] = {}, by[max_rank], index_of[max_rank] = {};
        for (int i = s.rank; i-- > 0;) {
            stride[i] = step;
            step *= size_number(s[i], sizes_);
            by[i] = 1;
        }
        for (int w = a.window; w >= 0; w = p.windows[w].next) {
            const croton::detail::window& part = p.windows[w];
            demand(part.axis >= 0 && part.axis < s.rank, "plan: a window along an axis that is not there");
            start[part.axis] += by[part.axis] * size_number(part.start, sizes_);
            by[part.axis] *= part.step;
        }
        for (unsigned k = 0; k < max_rank; ++k)
            if (a.axis.at[k] >= 0) {
                demand(k < index.size() && a.axis.at[k] < s.rank, "plan: a slot varies along a loop that is not there");
                index_of[a.axis.at[k]] = index[k];
            }
        if (a.along >= 0) {
            demand(index_of[a.along] == 0, "plan: a loop and an index along one axis");
            index_of[a.along] = place;
        }
        std::int64_t at = 0;
        for (int i = 0; i < s.rank; ++i) {
            const std::int64_t here = start[i] + by[i] * index_of[i];
            demand(here >= 0 && here < size_number(s[i], sizes_), "plan: a slot is shorter than the loop over it");
            at += here * stride[i];
        }
        demand(at >= 0 && at < counts_[static_cast<std::size_t>(a.buffer)], "plan: an access outside of its buffer");
        return static_cast<std::size_t>(at);
    }
    double& cell(int i, const std::vector<std::int64_t>& index, std::int64_t place = 0) {
        const croton::detail::access& a = slot(i);
        if (p.buffers[a.buffer].what == buffer_kind::number) return factors_[p.buffers[a.buffer].index];
        demand(place_[static_cast<std::size_t>(a.buffer)] >= 0, "plan: a temporary without memory");
        return memory_[static_cast<std::size_t>(place_[static_cast<std::size_t>(a.buffer)])][base_[static_cast<std::size_t>(a.buffer)] + offset(a, index, place)];
    }

    double value(const value_ref& v) const {
        const std::vector<double>& from = v.at == level::uniform ? uniform_ : v.at == level::row ? row_ : element_;
        demand(v.index >= 0 && v.index < static_cast<int>(from.size()), "plan: a value is used before it is made");
        return from[static_cast<std::size_t>(v.index)];
    }

    unsigned varies(int i) const {
        unsigned mask = 0;
        for (unsigned k = 0; k < max_rank; ++k)
            if (slot(i).axis.at[k] >= 0) mask |= 1u << k;
        return mask;
    }

    /// Runs a block at an index whose inner part is 0 outside of element blocks.
    void block(int number, std::vector<double>& into, const std::vector<std::int64_t>& index) {
        const bool element_block = number >= 2 && number % 3 == 2;
        for (int k = 0; k < now_->instruction_count; ++k) {
            const instruction& i = p.instructions[now_->instruction_from + k];
            if (i.block != number) continue;
            if (i.what == code_of::load || i.what == code_of::store || i.what == code_of::accumulate) {
                const unsigned mask = varies(i.slot);
                if (!element_block) demand(mask >> (number == 0 ? 0 : now_->outer) == 0, "plan: a row reads what varies inside it");
                else if (i.what != code_of::store) demand(i.fixed == (((mask >> (now_->outer + now_->inner - 1)) & 1u) == 0), "plan: fixed is wrong");
                else demand(((mask >> (now_->outer + now_->inner - 1)) & 1u) != 0, "plan: an element store does not vary along its run");
            }
            double made = std::numeric_limits<double>::quiet_NaN();
            switch (i.what) {
            case code_of::load: made = cell(i.slot, index); break;
            case code_of::gather: {
                const bool run = element_block && i.in[0].at != level::element && ((varies(i.slot) >> (now_->outer + now_->inner - 1)) & 1u) != 0;
                demand(i.fixed == run, "plan: a gather takes its index for another one");
                const std::int64_t place = place_of(value(i.in[0]), size_number(slot(i.slot).limit, sizes_));
                if (place >= 0) made = cell(i.slot, index, place);
                break;
            }
            case code_of::literal: made = croton::is_floating(i.type) ? std::bit_cast<double>(i.bits) : static_cast<double>(i.bits); break;
            case code_of::size: made = static_cast<double>(sizes_[static_cast<std::size_t>(i.slot)]); break;
            case code_of::arange: made = static_cast<double>(index[static_cast<std::size_t>(i.slot)]); break;
            case code_of::apply: {
                double x[3] = {};
                for (unsigned a = 0; a < 3; ++a)
                    if (i.in[a].index >= 0) x[a] = value(i.in[a]);
                made = wrapped_number(i.type, run_op(i.fn, x[0], x[1], x[2]));
                break;
            }
            case code_of::convert: made = convert_number(i.type, value(i.in[0])); break;
            case code_of::store: cell(i.slot, index) = value(i.in[0]); break;
            case code_of::accumulate: {
                double& c = cell(i.slot, index);
                c = combine(reductions{}, i.fn, c, value(i.in[0]));
                break;
            }
            case code_of::reduce: demand(false, "plan: a reduction outside of its block"); break;
            }
            into.push_back(made);
        }
    }

    void kernel() {
        const std::vector<std::int64_t> all = extents(now_->outer + now_->inner);
        demand(now_->inner >= 1 || now_->phases == 0, "plan: phases without an inner axis");
        const std::vector<std::int64_t> outer(all.begin(), all.begin() + now_->outer), inner(all.begin() + now_->outer, all.end());
        for (int k = 0; k < now_->instruction_count; ++k) {
            const instruction& i = p.instructions[now_->instruction_from + k];
            if (i.what != code_of::accumulate) continue;
            const double start = identity(reductions{}, i.fn);
            const unsigned mask = varies(i.slot);
            std::vector<std::int64_t> over = all;
            for (std::size_t a = 0; a < over.size(); ++a)
                if (((mask >> a) & 1u) == 0) over[a] = 1;
            for_each_index(over, [&](const auto& index) { cell(i.slot, index) = start; });
        }
        uniform_.clear();
        row_.clear();
        element_.clear();
        block(0, uniform_, std::vector<std::int64_t>(all.size(), 0));
        for_each_index(outer, [&](const std::vector<std::int64_t>& o) {
            row_.clear();
            std::vector<std::int64_t> index(all.size(), 0);
            for (std::size_t k = 0; k < o.size(); ++k) index[k] = o[k];
            block(1, row_, index);
            for (int phase = 0; phase < now_->phases; ++phase) {
                std::vector<const instruction*> reduces;
                std::vector<double> totals;
                for (int k = 0; k < now_->instruction_count; ++k)
                    if (const instruction& i = p.instructions[now_->instruction_from + k]; i.block == 3 + 3 * phase) {
                        demand(i.what == code_of::reduce, "plan: a reduce block holds something else");
                        reduces.push_back(&i);
                        totals.push_back(identity(reductions{}, i.fn));
                    }
                for_each_index(inner, [&](const std::vector<std::int64_t>& in) {
                    std::vector<std::int64_t> here = index;
                    for (std::size_t k = 0; k < in.size(); ++k) here[static_cast<std::size_t>(now_->outer) + k] = in[k];
                    element_.clear();
                    block(2 + 3 * phase, element_, here);
                    for (std::size_t k = 0; k < reduces.size(); ++k) totals[k] = combine(reductions{}, reduces[k]->fn, totals[k], value(reduces[k]->in[0]));
                });
                for (const double t : totals) row_.push_back(t);
                element_.clear();
                block(4 + 3 * phase, row_, index);
            }
        });
    }

    void copy(int rank, const std::vector<std::int64_t>& over, int from, int to) {
        demand(rank == static_cast<int>(over.size()), "plan: a copy of another rank");
        for_each_index(over, [&](const auto& index) { cell(to, index) = cell(from, index); });
    }

    void scatter() {
        const std::vector<std::int64_t> over = extents(now_->outer);
        const std::int64_t length = size_number(now_->length, sizes_), attributes = croton::kernel::attributes_of(now_->bits);
        std::vector<std::int64_t> of_values = over, rows = over;
        of_values.back() = length;
        rows.back() = std::min<std::int64_t>(1, over.back());
        demand(!same_memory(2, of_values, 3, over), "plan: a scatter is written over its values");
        bool apart = false;
        for_each_index(over, [&](const auto& index) { apart = apart || &cell(0, index) != &cell(3, index); });
        demand(!apart || !same_memory(0, over, 3, over), "plan: a scatter lies partly over what it changes");
        if (apart) copy(now_->outer, over, 0, 3);
        for_each_index(rows, [&](const std::vector<std::int64_t>& row) {
            for (std::int64_t q = 0; q < length; ++q) {
                std::vector<std::int64_t> from = row, to = row;
                from.back() = q;
                to.back() = place_of((attributes & 2) != 0 ? cell(1, from) : cell(1, {q}), over.back());
                double& out = cell(3, to);
                out = cell(2, from) + ((attributes & 1) != 0 ? 0 : out);
            }
        });
    }

    /// Whether a slot touches an element of another one, both walked over these extents.
    bool same_memory(int a, const std::vector<std::int64_t>& over_a, int b, const std::vector<std::int64_t>& over_b) {
        if (!share_memory(static_cast<std::size_t>(slot(a).buffer), static_cast<std::size_t>(slot(b).buffer))) return false;
        std::vector<const double*> touched;
        for_each_index(over_a, [&](const auto& index) { touched.push_back(&cell(a, index)); });
        bool same = false;
        for_each_index(over_b, [&](const auto& index) { same = same || std::find(touched.begin(), touched.end(), &cell(b, index)) != touched.end(); });
        return same;
    }
    bool share_memory(std::size_t a, std::size_t b) const {
        return place_[a] == place_[b] && base_[a] < base_[b] + static_cast<std::size_t>(counts_[b]) && base_[b] < base_[a] + static_cast<std::size_t>(counts_[a]);
    }

    void product() {
        const std::vector<std::int64_t> all = extents(croton::detail::matrix_extents + now_->batch);
        const std::vector<std::int64_t> mkn(all.begin(), all.begin() + croton::detail::matrix_extents);
        factors_[0] = now_->alpha;
        factors_[1] = now_->accumulates ? now_->beta : 0;
        uniform_.clear();
        row_.clear();
        element_.clear();
        block(0, uniform_, {});
        std::vector<std::int64_t> c{mkn[0]};
        if (!now_->vector) c.push_back(mkn[2]);
        c.insert(c.end(), all.begin() + croton::detail::matrix_extents, all.end());
        std::vector<std::int64_t> over_left = c, over_right = c;
        over_left.resize(std::max<std::size_t>(2, over_left.size()), 1);
        over_right.resize(std::max<std::size_t>(2, over_right.size()), 1);
        over_left[1] = over_right[0] = mkn[1];
        demand(!same_memory(0, over_left, 2, c) && !same_memory(1, over_right, 2, c), "plan: a product is written over what it reads");
        if (now_->copies) copy(static_cast<int>(c.size()), c, 3, 2);
        for_each_index(c, [&](const auto& index) {
            long double sum = 0;
            for (std::int64_t k = 0; k < mkn[1]; ++k) {
                std::vector<std::int64_t> left = index, right = index;
                left.resize(std::max<std::size_t>(2, left.size()));
                left[1] = right[0] = k;
                sum += static_cast<long double>(cell(0, left)) * cell(1, right);
            }
            double& out = cell(2, index);
            out = factors_[0] * static_cast<double>(sum) + (now_->accumulates ? factors_[1] * out : 0);
            demand(!croton::detail::has_epilogue(*now_) || (!now_->accumulates && !now_->vector), "plan: an epilogue behind a sum, or of a vector");
            if (now_->biased) out += cell(3, index);
            if (now_->activation == croton::detail::code<croton::op::relu> && out < 0) out = 0;
            if (now_->activation == croton::detail::code<croton::op::gelu_tanh>) out = croton::op::gelu_tanh::value(out);
        });
    }
};

}  // namespace random_programs

#endif
