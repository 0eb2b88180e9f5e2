// SPDX-License-Identifier: MIT
// The steps of a plan as formulas a person reads: `t2 = sigmoid(u) - y`, `w <- 0.998 w - 0.1 x^T t2`.
#ifndef CROTON_EXPLAIN_FORMULA_HPP
#define CROTON_EXPLAIN_FORMULA_HPP

#include <vector>

#include <croton/core/later.hpp>
#include <croton/explain/notation.hpp>

namespace croton::inline v0_1::detail {

/// A plan, and what it calls things.
template <class Names> struct basic_plan_facts : plan_view {
    Names names;
    int alone = -1;  // the step whose arrays are i0, i1, ... in the order in which it first names them; -1 where all have names of their own

    explicit basic_plan_facts(const plan_view& plan) : plan_view(plan), names{plan} {}
    basic_plan_facts(const plan_view& plan, Names called) : plan_view(plan), names(std::move(called)) {}

    /// The loop that a step is.
    const loop_entry& loop(int step) const { return loops[loop_of_step(step)]; }

    /// `x`, `output 1`; a temporary has the name of its value, or is t1, t2, ...
    std::string buffer(int b) const {
        if (alone >= 0) return "i" + std::to_string(place_in_step(b));
        const buffer_facts& facts = buffers[b];
        if (facts.what == buffer_kind::leaf) return names.leaf(facts.index);
        if (facts.what == buffer_kind::output) return names.output(facts.index);
        if (facts.name >= 0 && is_only(b)) return names.name(facts.name);
        int number = 1;
        for (int i = 0; i < b; ++i)
            number += buffers[i].what == buffer_kind::temporary && buffers[i].first >= 0 ? 1 : 0;
        return std::string(1, "tupq"[names.depth < 4 ? names.depth : 3]) + std::to_string(number);
    }

    /// So many other arrays the step names before this one.
    int place_in_step(int b) const {
        const auto first_at = [&](int buffer) {
            int i = 0;
            while (i < steps[alone].slot_count && slot(alone, i).buffer != buffer) ++i;
            return i;
        };
        int place = 0;
        for (int i = 0, end = first_at(b); i < end; ++i) place += first_at(slot(alone, i).buffer) == i ? 1 : 0;
        return place;
    }
    /// The same plan, in which this step reads as others do that differ from it in their arrays only.
    basic_plan_facts with_step_alone(int step) const {
        basic_plan_facts same = *this;
        same.alone = step;
        return same;
    }

    /// `[1:-1, 0]`: the part of its buffer that a slot of a step sees; nothing where it sees all.
    std::string part(const step& s, const access& a) const {
        const bool product = s.what == step_kind::product;
        const shape& whole = a.layout >= 0 ? layouts[a.layout] : buffers[a.buffer].shape;
        std::string of_axis[max_rank];
        int loop_of[max_rank], last = -1;
        for (int k = 0; k < whole.rank; ++k) {
            loop_of[k] = -1;
            for (int i = 0; i < max_rank; ++i)
                if (a.axis.at[i] == k) loop_of[k] = i;
            // As many as the loop takes; a product's extents stand elsewhere.
            if (product || loop_of[k] < 0 || a.window >= 0) continue;
            const size_ref extent = names.representative(s.extent[static_cast<unsigned>(loop_of[k])]);
            if (extent == names.representative(whole[k])) continue;
            of_axis[k] = names.slice(whole[k], 0, extent, 1);
            last = k;
        }
        for (int w = a.window; w >= 0; w = windows[w].next) {
            const window& part = windows[w];
            const int loop = loop_of[part.axis];
            const size_ref extent = loop < 0 ? 1 : product ? names.representative(whole[part.axis]) : s.extent[static_cast<unsigned>(loop)];
            std::string text = names.slice(whole[part.axis], part.start, extent, part.step);
            if (loop < 0) text = text.substr(0, text.find(':')).empty() ? "0" : text.substr(0, text.find(':'));
            else if (product) text = text.substr(0, text.find(":+") + 1);
            std::string& known = of_axis[part.axis];
            known += (known.empty() ? "" : " of ") + text;
            if (part.axis > last) last = part.axis;
        }
        if (last < 0) return "";
        std::string text = "[";
        for (int i = 0; i <= last; ++i) text += (i == 0 ? "" : ", ") + (of_axis[i].empty() ? ":" : of_axis[i]);
        return text + "]";
    }

    /// The step that is a loop, with the extents of what slot `i` holds: its nodes stand in the order of its slots.
    step over_slot(int index, int i) const {
        step s = steps[index];
        const shape& value = nodes[loop_nodes[loop(index).from + i]].shape;
        for (int k = 0; k < value.rank; ++k) s.extent[k] = value[k];
        return s;
    }
    /// What slot `i` of a loop is given: an array, a part of it, or either with its axes in another order.
    std::string seen(int index, int i) const {
        const access& a = slot(index, i);
        const std::string text = (a.layout < 0 ? buffer(a.buffer) : "reshape(" + buffer(a.buffer) + ")") + part(over_slot(index, i), a);
        bool turned = false;
        int last = -1, count = 0;
        for (const int axis : a.axis.at) {
            if (axis < 0) continue;
            turned = turned || axis < last;
            last = axis;
            ++count;
        }
        return !turned ? text : count == 2 ? text + "^T" : "transpose(" + text + ")";
    }

  private:
    /// Whether nothing else in memory has the name of buffer `b`.
    bool is_only(int b) const {
        for (int i = 0; i < buffer_count; ++i)
            if (i != b && buffers[i].what == buffer_kind::temporary && buffers[i].name == buffers[b].name) return false;
        for (int l = 0; l < names.leaf_count; ++l)
            if (names.leaf(l) == names.name(buffers[b].name)) return false;
        return true;
    }
};

using plan_facts = basic_plan_facts<notation>;

/// One line of a step. In place: the target is a shared argument; the formula reads its old value.
struct statement {
    std::string target;
    std::string text;
    int block = 0;  // as an instruction has it
    bool in_place = false;

    std::string line() const { return target + (in_place ? " <- " : " = ") + text; }
};

/// Writes a step as statements, in the order in which they are computed; updates in place come last. A template, as what
/// follows, so that a program that explains nothing does not pay for it.
template <class Plan> class step_writer {
    template <class T> using late_list = std::vector<later<Plan, T>>;
    using formula = later<Plan, detail::formula>;
    using statement = later<Plan, detail::statement>;

  public:
    step_writer(const Plan& plan, int index) : p(plan), s(plan.steps[index]), index_(index) {
        read_instructions();
        if (s.what == step_kind::copy) write(1, load(0), 2);
        else if (s.what == step_kind::product) write(2, product(), 2);
        else if (s.what == step_kind::routine) write(s.slot_count - 1, routine(), 2);
        else if (s.what == step_kind::repeat)
            for (int i = s.slot_count - s.results; i < s.slot_count; ++i) write(i, {p.names.result(p.loop(index_), i - s.slot_count + s.results)}, 2);
        for (statement& last : updates_) statements.push_back(std::move(last));
        updates_.clear();
    }

    late_list<statement> statements;

  private:
    const Plan& p;
    const step& s;
    int index_;
    late_list<formula> value_;             // by instruction of the step
    late_list<int> uses_, uniform_, row_;  // by instruction; the instructions of a level, by their numbers
    late_list<late_list<int>> element_;    // the same for every phase
    late_list<char> written_;              // stores that already have their statement
    late_list<std::pair<std::string, std::string>> known_;  // formulas that have a name
    late_list<statement> updates_;
    formula factor_[2];  // alpha and beta of a product where instructions compute them
    int names_ = 0;
    late_list<int> reductions_ = late_list<int>(reduction_names.size(), 0);

    const instruction& at(int i) const { return p.instructions[s.instruction_from + i]; }
    const access& slot(int i) const { return p.slot(index_, i); }
    static int phase_of(const instruction& i) { return i.block < 2 ? 0 : (i.block - 2) / 3; }

    int source(const value_ref& v, int phase) const {
        const auto i = static_cast<unsigned>(v.index);
        return v.at == level::uniform ? uniform_[i]
               : v.at == level::row   ? row_[i]
                                      : element_[static_cast<unsigned>(phase)][i];
    }
    const formula& value(const instruction& i, unsigned argument) const {
        return value_[static_cast<unsigned>(source(i.in[argument], phase_of(i)))];
    }

    void read_instructions() {
        const auto count = static_cast<unsigned>(s.instruction_count);
        value_.resize(count);
        uses_.assign(count, 0);
        written_.assign(count, 0);
        element_.resize(static_cast<unsigned>(s.phases));
        for (int i = 0; i < s.instruction_count; ++i) {
            const int block = at(i).block;
            (block == 0                     ? uniform_
             : block == 1 || block % 3 != 2 ? row_
                                            : element_[static_cast<unsigned>(phase_of(at(i)))])
                .push_back(i);
        }
        for (int i = 0; i < s.instruction_count; ++i)
            for (const value_ref& v : at(i).in)
                if (v.index >= 0) ++uses_[static_cast<unsigned>(source(v, phase_of(at(i))))];
        for (int i = 0; i < s.instruction_count; ++i) read(i);
    }

    void read(int id) {
        const instruction& i = at(id);
        formula& v = value_[static_cast<unsigned>(id)];
        switch (i.what) {
            case code_of::literal:
                v = number_formula(i.type, i.bits);
                break;
            case code_of::size:
                v = p.names.size(-1 - i.slot);
                break;
            case code_of::arange:
                v = {"arange(" + p.names.size(s.extent[static_cast<unsigned>(i.slot)]).text + ")"};
                break;
            case code_of::load:
                v = load(i.slot);
                break;
            case code_of::gather:
                v = gathered(i.slot, value(i, 0));
                break;
            case code_of::convert:
                v = call_formula(name_of(i.type), &value(i, 0), 1);
                break;
            case code_of::apply: {
                formula in[3];
                for (unsigned k = 0; k < 3; ++k)
                    if (i.in[k].index >= 0) in[k] = value(i, k);
                v = operator_formula(i.fn, in, p.names.own_operators);
                break;
            }
            case code_of::reduce:
                v = call_formula(reduction_names[i.fn], &value(i, 0), 1);
                break;
            case code_of::accumulate:
                write(i.slot, call_formula(reduction_names[i.fn], &value(i, 0), 1), i.block);
                break;
            case code_of::store:
                if (p.buffers[slot(i.slot).buffer].what == buffer_kind::number)
                    factor_[p.buffers[slot(i.slot).buffer].index] = value(i, 0);
                else if (written_[static_cast<unsigned>(id)] == 0)
                    write(i.slot, rounded(i.type, value(i, 0)), i.block);
                break;
        }
        if (i.what == code_of::apply || i.what == code_of::convert || i.what == code_of::reduce) name(id);
    }

    /// Gives a value that is used more than once a name: where it is stored, or one of its own.
    void name(int id) {
        formula& v = value_[static_cast<unsigned>(id)];
        for (const auto& [text, known] : known_)
            if (text == v.text) {  // a phase may compute again what an earlier one did
                v = {known};
                return;
            }
        const bool reduces = at(id).what == code_of::reduce;
        const bool brief = v.binds == formula::atom && v.text.size() <= 12;
        if (!reduces && uses_[static_cast<unsigned>(id)] < 2) return;
        const std::string text = v.text;
        std::string target;
        for (int i = 0; i < s.instruction_count && target.empty(); ++i) {
            const instruction& store = at(i);
            if (store.what != code_of::store || source(store.in[0], phase_of(store)) != id ||
                p.is_leaf(slot(store.slot).buffer))
                continue;
            target = stored(store.slot);
            written_[static_cast<unsigned>(i)] = 1;
        }
        if (target.empty() && brief && !reduces) return;
        if (target.empty() && reduces)
            target = std::string(reduction_names[at(id).fn]) + std::to_string(++reductions_[at(id).fn]);
        if (target.empty()) target = "v" + std::to_string(++names_);
        statements.push_back({target, text, at(id).block, false});
        known_.emplace_back(text, target);
        v = {target};
    }

    void write(int to, const formula& v, int block) {
        const int buffer = slot(to).buffer;
        auto& list = p.is_leaf(buffer) ? updates_ : statements;
        list.push_back({stored(to), v.text, block, p.is_leaf(buffer)});
    }

    /// Where a slot writes.
    std::string stored(int i) const { return p.buffer(slot(i).buffer) + p.part(s.what == step_kind::repeat ? p.over_slot(index_, i) : s, slot(i)); }

    /// What a slot holds, seen along the loops.
    formula load(int i) const {
        const access& a = slot(i);
        if (a.layout >= 0) return {"reshape(" + p.buffer(a.buffer) + ")" + p.part(s, a)};
        return {p.buffer(a.buffer) + p.part(s, a) + (turn(a) != 0 && turn(a) == -reference_turn() ? "^T" : "")};
    }

    /// What an index picks of a slot: `table[i]`, `table[:, i]` along its second axis.
    formula gathered(int i, const formula& index) const {
        std::string before;
        for (int k = 0; k < slot(i).along; ++k) before += ":, ";
        return {load(i).text + "[" + before + index.text + "]"};
    }

    /// 1 where two axes lie in memory as in the loops, -1 where they are exchanged, 0 where there are not two.
    static int turn(const access& a) {
        int first = -1;
        for (const int axis : a.axis.at) {
            if (axis < 0) continue;
            if (first >= 0) return axis > first ? 1 : -1;
            first = axis;
        }
        return 0;
    }
    /// Loops run in an order of their own; transposed is what lies otherwise than what the step writes.
    int reference_turn() const {
        for (int i = 0; i < s.instruction_count; ++i)
            if (at(i).what == code_of::store || at(i).what == code_of::accumulate)
                if (const int t = turn(slot(at(i).slot)); t != 0) return t;
        for (int i = 0; i < s.slot_count; ++i)
            if (const int t = turn(slot(i)); t != 0) return t;
        return 1;
    }

    /// What is stored as half, unless it says so already.
    static formula rounded(element type, const formula& f) {
        const std::string call = std::string(name_of(type)) + "(";
        if (!is_stored_only(type) || (f.binds == formula::atom && f.text.starts_with(call))) return f;
        return call_formula(name_of(type), &f, 1);
    }

    formula routine() const {
        formula in[kernel::most_routine_slots];
        const int count = s.slot_count - 1, own = turn(slot(count));
        for (int i = 0; i < count; ++i) {
            const access& a = slot(i);
            const bool exchanged = turn(a) != 0 && turn(a) == -own;
            in[i] = a.layout >= 0 ? load(i) : formula{p.buffer(a.buffer) + (exchanged ? "^T" : "")};
        }
        return call_formula(routine_text(*p.routines[s.routine], s.bits), in, count);
    }

    /// A factor of a product: a vector lies along the first axis as a column, along the second as a row.
    std::string matrix(int i) const {
        const access& a = slot(i);
        const std::string name = a.layout >= 0 ? "reshape(" + p.buffer(a.buffer) + ")" + p.part(s, a) : p.buffer(a.buffer) + p.part(s, a);
        const bool exchanged = a.axis.at[0] >= 0 && a.axis.at[1] >= 0 && a.axis.at[0] > a.axis.at[1];
        return name + (exchanged || (a.axis.at[0] < 0 && a.axis.at[1] >= 0) ? "^T" : "");
    }

    /// `0.5 ` in front of what it scales.
    static std::string scale(const formula& f) {
        if (f.text == "1") return "";
        if (f.text == "-1") return "-";
        return (f.binds >= formula::prefix ? f.text : in_parentheses(f).text) + " ";
    }
    formula factor(int which, bool computed, double value) const {
        return computed ? factor_[which]
                        : number_formula(s.type, is_floating(s.type) ? std::bit_cast<std::int64_t>(value)
                                                                     : static_cast<std::int64_t>(value));
    }

    formula product() const {
        std::string text = scale(factor(0, s.alpha_computed, s.alpha)) + matrix(0) + " " + matrix(1);
        if (s.biased) text += " + " + p.buffer(slot(3).buffer);
        if (s.activation != code<op::copy>) return {std::string(facts_of(s.activation).name) + "(" + text + ")"};
        if (s.biased) return {text, formula::sum};
        if (!s.accumulates) return {text, formula::product};
        const std::string addend = scale(factor(1, s.beta_computed, s.beta)) + matrix(3);
        // w <- 0.9 w - 0.1 x^T y, but y = a x + b
        const bool first = p.is_leaf(slot(2).buffer) && !s.copies;
        const std::string& second = first ? text : addend;
        return {(first ? addend : text) + (second[0] == '-' ? " - " + second.substr(1) : " + " + second), formula::sum};
    }
};

/// A step in one line of at most `limit` characters, for profiles and messages: what a mangled symbol would be elsewhere.
template <class Plan> std::string step_formula(const Plan& plan, int step, std::size_t limit = 72) {
    const step_writer<Plan> written(plan, step);
    std::string text;
    std::size_t count = 0;
    for (const statement& each : written.statements) {
        const std::string line = each.line();
        if (count > 0 && text.size() + line.size() + 2 > limit) break;
        text += (count == 0 ? "" : "; ") + line;
        ++count;
    }
    if (text.size() > limit) text = text.substr(0, limit - 3) + "...";
    else if (count < written.statements.size())
        text += "; " + std::to_string(written.statements.size() - count) + " more";
    return text;
}

/// `step 1: t1 = x w`, and so on.
template <class Plan> std::vector<std::string> step_names(const Plan& plan) {
    std::vector<std::string> names;
    for (int s = 0; s < plan.step_count; ++s) names.push_back("step " + std::to_string(s + 1) + ": " + step_formula(plan, s));
    return names;
}

}  // namespace croton::inline v0_1::detail

#endif
