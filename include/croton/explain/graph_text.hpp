// SPDX-License-Identifier: MIT
// A graph as formulas, one line for each value that has a name, is used twice or fills a line.
#ifndef CROTON_EXPLAIN_GRAPH_TEXT_HPP
#define CROTON_EXPLAIN_GRAPH_TEXT_HPP

#include <croton/explain/formula.hpp>

namespace croton::inline v0_1::detail {

/// Lines of columns that are aligned; a line longer than `limit` does not push the others.
template <class Text> class text_table {
  public:
    void add(Text a, Text b = {}, Text c = {}) { rows_.push_back({std::move(a), std::move(b), std::move(c)}); }

    Text text(const Text& indent, std::size_t limit) const {
        Text out;
        for (const row& r : rows_) {
            Text line = indent;
            std::size_t end = indent.size();
            for (unsigned c = 0; c < 3 && !r[c].empty(); ++c) {
                if (line.size() < end) line.append(end - line.size(), ' ');
                line += (c == 0 ? "" : "   ") + r[c];
                end += width(c, limit) + (c == 0 ? 0 : 3);
            }
            out += line + "\n";
        }
        return out;
    }

  private:
    using row = std::array<Text, 3>;
    std::vector<row> rows_;

    std::size_t width(unsigned column, std::size_t limit) const {
        std::size_t widest = 0;
        for (const row& r : rows_)
            if (r[column].size() <= limit && r[column].size() > widest) widest = r[column].size();
        return widest;
    }
};

/// Writes the nodes of a graph as formulas.
template <class Graph> class graph_writer {
  public:
    explicit graph_writer(const Graph& graph)
        : g(graph), value_(static_cast<unsigned>(graph.node_count)), uses_(value_.size(), 0) {
        for (int id = 0; id < g.node_count; ++id)
            for (const int a : g.nodes[id].in)
                if (a >= 0) ++uses_[static_cast<unsigned>(a)];
        for (int i = 0; i < g.output_count; ++i) ++uses_[static_cast<unsigned>(g.outputs[i])];
        for (int i = 0; i < g.update_count; ++i) ++uses_[static_cast<unsigned>(g.updates[i].value)];
        for (int l = 0; l < g.loop_count; ++l)
            for (int i = 0; i < g.each_carried() * g.loops[l].carried + g.loops[l].sequences; ++i) ++uses_[static_cast<unsigned>(g.loop_nodes[g.loops[l].from + i])];
        if (g.region_of != nullptr) announced_.assign(static_cast<unsigned>(g.loop_count), 0);
        for (int id = 0; id < g.node_count; ++id) write(id);
        for (int i = 0; i < g.output_count; ++i)
            table_.add(g.output(i) + " = " + of(g.outputs[i]).text, type(g.outputs[i]));
        for (int i = 0; i < g.update_count; ++i)
            table_.add(g.leaf(g.updates[i].target) + " <- " + of(g.updates[i].value).text,
                       type(g.updates[i].value));
    }

    std::string text(const std::string& indent) const { return table_.text(indent, 80); }
    /// A node where it is used: its formula, or what its line calls it.
    const formula& of(int id) const { return value_[static_cast<unsigned>(id)]; }

  private:
    static constexpr std::size_t long_formula = 56;

    const Graph& g;
    std::vector<formula> value_;
    std::vector<int> uses_;
    text_table<std::string> table_;
    int lines_ = 0;
    std::vector<char> announced_;  // by loop, where the graph holds all regions: whether its line is there

    std::string type(int id) const { return g.type(g.nodes[id].type, g.nodes[id].shape); }

    void write(int id) {
        const node& n = g.nodes[id];
        formula& v = value_[static_cast<unsigned>(id)];
        if (n.what == tag<structure::repeat>) return write_loop(id);
        v = formula_of(id);
        if (n.what == tag<structure::input> || n.what == tag<structure::turn_value> || n.what == tag<structure::literal> || n.what == tag<structure::size> || n.what == tag<structure::arange>) return;
        const bool part = n.what == tag<structure::turn_part> && part_role(n.bits) != loop_result::stack;
        const bool shown = n.place == placement::alias || n.place == placement::window || part;
        const bool brief = shown || (n.what == tag<structure::apply> && v.binds >= formula::prefix && v.text.size() <= 12);
        const bool again = uses_[static_cast<unsigned>(id)] > 1 && !brief;
        if (n.name < 0 && !again && v.text.size() <= long_formula) return;
        if (n.name < 0 && uses_[static_cast<unsigned>(id)] == 1 && is_root(id)) return;
        if (n.name >= 0 && shown && v.text == g.name(n.name)) return;
        std::string label = n.name >= 0 ? g.name(n.name) : "%" + std::to_string(++lines_);
        if (n.name >= 0 && is_taken(label)) label = "%" + std::to_string(++lines_);
        else if (n.name >= 0) taken_.push_back(label);
        const int region = g.region_of == nullptr ? -1 : g.region_of[id];
        announce(region);
        table_.add(indent(region) + label + " = " + v.text, type(id));
        v = {label};
    }

    std::string indent(int loop) const { return loop < 0 ? "" : std::string(static_cast<std::size_t>(2 * g.loops[loop].depth), ' '); }
    /// The line of a loop, before those of its turns.
    void announce(int loop) {
        if (loop < 0 || (g.region_of != nullptr && announced_[static_cast<unsigned>(loop)]++ != 0)) return;
        const loop_entry& l = g.loops[loop];
        announce(l.outer);
        table_.add(indent(l.outer) + g.turns(l));
    }
    bool has_name(int sequence) const { return g.nodes[sequence].what == tag<structure::input> || g.nodes[sequence].what == tag<structure::turn_value>; }
    std::string element_name(const loop_entry& l, int j) const {
        const int all = g.sequence(l, j);
        if (g.nodes[all].what == tag<structure::turn_value>) return turn_value(g.nodes[all]).text;
        return has_name(all) ? of(all).text : "x" + std::to_string(l.sequences_before + j + 1);
    }
    void write_loop(int id) {
        const int loop = static_cast<int>(g.nodes[id].bits);
        const loop_entry& l = g.loops[loop];
        announce(loop);
        const bool all = g.region_of != nullptr;
        const std::string indent = all ? this->indent(loop) : "  ";
        for (int k = 0; k < l.carried; ++k) {
            const int first = g.loop_nodes[l.from + g.each_carried() * k];
            table_.add(indent + g.state(l, k) + (all ? " <- " + of(g.loop_nodes[l.from + 2 * k + 1]).text + ", from " : " from ") + of(first).text, type(first));
        }
        std::string along, reads;
        for (int j = 0; j < l.sequences; ++j) {
            const int s = g.sequence(l, j);
            if (all && !has_name(s)) table_.add(indent + element_name(l, j) + " is " + of(s).text, type(s));
            along += (j == 0 ? "walks along " : ", ") + of(s).text;
        }
        if (all) return;
        for (int c = 0; c < l.captured; ++c) reads += (c == 0 ? "reads " : ", ") + of(g.captured(l, c)).text;
        if (!along.empty()) table_.add(indent + along);
        if (!reads.empty()) table_.add(indent + reads);
    }

    std::vector<std::string> taken_;
    bool is_taken(const std::string& label) const {
        for (const std::string& t : taken_)
            if (t == label) return true;
        for (int l = 0; l < g.leaf_count; ++l)
            if (g.leaf(l) == label) return true;
        return false;
    }
    bool is_root(int id) const {
        for (int i = 0; i < g.output_count; ++i)
            if (g.outputs[i] == id) return true;
        for (int i = 0; i < g.update_count; ++i)
            if (g.updates[i].value == id) return true;
        return false;
    }

    static std::string axes_text(std::int64_t mask, int rank) {
        std::string text;
        bool all = true;
        for (int i = 0; i < rank; ++i) {
            if (((mask >> i) & 1) != 0) text += (text.empty() ? "<" : ", ") + std::to_string(i);
            else all = false;
        }
        return all ? "" : text + ">";
    }

    /// What a repeated value is repeated to matters where it is not one of several operands.
    formula whole(int id) const {
        const node& n = g.nodes[id];
        if (n.what != tag<structure::broadcast>) return of(id);
        return {"broadcast_to(" + of(id).text + ", " + g.extents(n.shape.extent, 0, n.shape.rank) + ")"};
    }

    formula call(std::string_view name, int a, int b = -1) const {
        const formula in[2] = {whole(a), b >= 0 ? whole(b) : formula()};
        return call_formula(name, in, b >= 0 ? 2 : 1);
    }

    formula formula_of(int id) const {
        const node& n = g.nodes[id];
        const int a = n.in[0];
        switch (n.what) {
            case tag<structure::input>:
                return {g.leaf(static_cast<int>(n.bits))};
            case tag<structure::literal>:
                return number_formula(n.type, n.bits);
            case tag<structure::size>:
                return g.size(n.bits);
            case tag<structure::arange>:
                return {"arange(" + g.size(n.bits).text + ")"};
            case tag<structure::cast>:
                return call(name_of(n.type), a);
            case tag<structure::apply>: {
                formula in[3];
                for (unsigned k = 0; k < 3; ++k)
                    if (n.in[k] >= 0) in[k] = of(n.in[k]);
                return operator_formula(n.fn, in, g.own_operators);
            }
            case tag<structure::reduce>: {
                // An axis of extent 1 is as good as reduced.
                std::int64_t mask = n.bits;
                for (int i = 0; i < g.nodes[a].shape.rank; ++i)
                    if (g.nodes[a].shape[i] == 1) mask |= std::int64_t{1} << i;
                return call(std::string(reduction_names[n.fn]) + axes_text(mask, g.nodes[a].shape.rank), a);
            }
            case tag<structure::gather>:
                return call(std::string(structure::gather::name_of(n)) + "<" + std::to_string(structure::gather::axis_of(n)) + ">", a, n.in[1]);
            case tag<structure::softmax>:
            case tag<structure::log_softmax>:
            case tag<structure::logsumexp>:
                return call(std::string(g.structure(n)) + axes_text(n.bits, n.shape.rank), a);
            case tag<structure::view>:
                return view(n);
            case tag<structure::reshape>:
                return {"reshape(" + whole(a).text + ", " + g.extents(n.shape.extent, 0, n.shape.rank) + ")"};
            case tag<structure::slice>:
                return slice(n);
            case tag<structure::concatenate>:
                return joined(n);
            case tag<structure::broadcast>:
            case tag<structure::stand_in>:
                return of(a);
            case tag<structure::dot>:
                return call(dot_name(n), a, n.in[1]);
            case tag<structure::turn_value>:
                return turn_value(n);
            case tag<structure::turn_part>:
                return part(id);
            case tag<structure::gemm>:
                break;
            default: {
                formula in[max_arguments];
                int count = 0;
                for (const int argument : n.in)
                    if (argument >= 0) in[count++] = whole(argument);
                return call_formula(g.structure(n), in, count);
            }
        }
        formula f = call(dot_name(n), a, n.in[1]);
        if (n.in[3] >= 0) f = infix_formula("*", of(n.in[3]), f);
        if (n.in[2] < 0) return f;
        const formula c = n.in[4] >= 0 ? infix_formula("*", of(n.in[4]), of(n.in[2])) : of(n.in[2]);
        return infix_formula("+", f, c);
    }

    formula turn_value(const node& n) const {
        const loop_entry& l = g.loops[loop_of(n.bits)];
        if (role_of(n.bits) == turn_role::turn) return {g.turn(l)};
        const int index = index_of_turn(n.bits);
        return {role_of(n.bits) == turn_role::carried ? g.state(l, index) : element_name(l, index) + "[" + g.turn(l) + "]"};
    }
    formula part(int id) const {
        const node& n = g.nodes[id];
        if (part_role(n.bits) == loop_result::stack && n.in[1] >= 0) return call("stack", n.in[1]);
        const loop_entry& l = g.loop_of_part(id);
        int i = 0;
        while (g.part(l, i) != id) ++i;
        return {g.result(l, i)};
    }

    /// `x[1:-1, ::2]`: slices stand in the order of their axes.
    formula slice(const node& n) const {
        const node& from = g.nodes[n.in[0]];
        const formula& x = of(n.in[0]);
        const int axis = slice_axis(n.bits);
        const std::string range = g.slice(from.shape[axis], slice_start(n.bits), n.shape[axis], slice_step(n.bits));
        std::string text = x.binds == formula::atom ? x.text : in_parentheses(x).text;
        int named = 0;
        if (from.what == tag<structure::slice> && text.ends_with("]")) {
            named = slice_axis(from.bits) + 1;
            text.pop_back();
        } else {
            text += "[";
        }
        if (named > axis) return {text + "][" + range + "]"};
        for (; named < axis; ++named) text += text.ends_with("[") ? ":" : ", :";
        return {text + (text.ends_with("[") ? "" : ", ") + range + "]"};
    }

    /// `concatenate<1>(x, y, z)`, however it is nested.
    formula joined(const node& n) const {
        const std::string name = "concatenate<" + std::to_string(n.bits) + ">(";
        std::string first = whole(n.in[0]).text;
        if (g.nodes[n.in[0]].what == n.what && first.starts_with(name)) first = first.substr(name.size(), first.size() - name.size() - 1);
        return {name + first + ", " + whole(n.in[1]).text + ")"};
    }

    static std::string_view dot_name(const node& n) { return tie::name(n.shape.rank > 2 ? tie::matmul : tie::dot); }

    /// What the shape beside the line says is not said again: axes of extent 1 that come or go. The rest is a transposition.
    formula view(const node& n) const {
        const node& from = g.nodes[n.in[0]];
        const formula& x = of(n.in[0]);
        std::string order;
        int last = -1, kept = 0;
        bool moved = false, added = false;
        for (int i = 0; i < n.shape.rank; ++i) {
            const int s = view_axis(n.bits, i);
            if (s == new_axis) {
                added = added || from.shape.rank > 0;
                order += order.empty() ? "None" : ", None";
                continue;
            }
            moved = moved || s < last;
            last = s;
            ++kept;
            order += order.empty() ? ":" : ", :";
        }
        const std::string atom = x.binds == formula::atom ? x.text : in_parentheses(x).text;
        if (moved && kept == 2) return {atom + "^T"};
        if (moved) {
            order.clear();
            for (int i = 0; i < n.shape.rank; ++i)
                order += ", " + (view_axis(n.bits, i) == new_axis ? "new" : std::to_string(view_axis(n.bits, i)));
            return {"transpose(" + x.text + order + ")"};
        }
        if (added && kept == from.shape.rank) return {atom + "[" + order + "]"};
        return x;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
