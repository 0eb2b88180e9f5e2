// SPDX-License-Identifier: MIT
// A plan as text: its steps, and what goes through memory between them.
#ifndef CROTON_EXPLAIN_PLAN_TEXT_HPP
#define CROTON_EXPLAIN_PLAN_TEXT_HPP

#include <croton/explain/graph_text.hpp>
#include <croton/explain/reasons.hpp>
#include <croton/plan/needless_copies.hpp>
#include <croton/plan/one_pass.hpp>
#include <croton/plan/product_end.hpp>

namespace croton::inline v0_1::detail {

inline std::string count_text(int n, std::string_view what, std::string_view plural = "s") {
    return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : std::string(plural));
}

/// What a device says of the way in which it computes a routine; null where it says nothing.
using routine_way_text = std::string (*)(const kernel::routine_facts& facts, element type, const kernel::routine_call& c);

/// What explanations need of a device.
struct explained_device {
    bool fuses = false;
    routine_way_text way = nullptr;
    bool (*ends)(std::int64_t m, std::int64_t k, std::int64_t n, element type, bool turned) = nullptr;  // whether the loop behind a product runs on blocks of it
    bool leaves_out_copies = false;   // of arrays that may lie in the memory of another one
    std::int64_t streamed_bytes = 0;  // of how many on a matrix is walked once for several steps; 0 where none is
    std::int64_t near_streamed_bytes = 0;  // the same where they are products with vectors and loops along the rows alone
};

/// Writes the steps of a plan, and why they are not fewer.
template <class Plan> class plan_writer {
  public:
    plan_writer(const Plan& plan, const explained_device& device) : p(plan), device_(device), through_(plan, device.fuses) {}

    std::string steps() const {
        std::string out;
        for (int i = 0; i < p.step_count; ++i) {
            const step& s = p.steps[i];
            out += "    step " + std::to_string(i + 1) + "  " + (p.step_count > 9 && i < 9 ? " " : "");
            if (s.what == step_kind::product) out += product(i);
            else if (s.what == step_kind::routine) out += routine(i);
            else if (s.what == step_kind::repeat) out += turns(i);
            else if (s.what == step_kind::copy) out += "copy  " + step_formula(p, i, 200) + "\n";
            else out += loop(i);
        }
        return out + row_pass() + ended_products() + left_out_copies();
    }

    std::string memory() const {
        std::string out;
        text_table<std::string> lines;
        for (int b = 0; b < p.buffer_count; ++b) {
            std::vector<char> done(through_.transfers.size(), 0);
            for (std::size_t i = 0; i < done.size(); ++i) {
                const transfer& t = through_.transfers[i];
                if (t.buffer != b || done[i] != 0) continue;
                // Readers with one reason share a line.
                std::string readers = std::to_string(t.reader + 1);
                for (std::size_t j = i + 1; j < done.size(); ++j) {
                    const transfer& other = through_.transfers[j];
                    if (other.buffer != b || other.writer != t.writer || other.reason != t.reason) continue;
                    done[j] = 1;
                    if (other.reader != t.reader) readers += ", " + std::to_string(other.reader + 1);
                }
                lines.add(p.buffer(b) + "   " + p.names.type(p.buffers[b].type, p.buffers[b].shape),
                          "step " + std::to_string(t.writer + 1) + " -> " + readers, t.reason);
            }
        }
        out += lines.text("    ", 60);
        return out + sharing();
    }

  private:
    const Plan& p;
    explained_device device_;
    transfer_list<Plan> through_;

    std::string extents(const step& s, int from, int to) const { return p.names.extents(s.extent, from, to); }

    std::string reads(int i) const {
        const step& s = p.steps[i];
        std::string text;
        std::vector<int> seen;
        for (int k = s.instruction_from; k < s.instruction_from + s.instruction_count; ++k) {
            if (p.instructions[k].what != code_of::load && p.instructions[k].what != code_of::gather) continue;
            const int b = p.slot(i, p.instructions[k].slot).buffer;
            bool again = false;
            for (const int other : seen) again = again || other == b;
            if (again) continue;
            seen.push_back(b);
            text += (text.empty() ? "reads " : ", ") + p.buffer(b);
        }
        return text.empty() ? "reads nothing" : text;
    }

    std::string loop(int i) const {
        const step& s = p.steps[i];
        const step_writer<Plan> written(p, i);
        bool rows = false;
        int operations = 0;
        for (int k = s.instruction_from; k < s.instruction_from + s.instruction_count; ++k) {
            const code_of what = p.instructions[k].what;
            rows = rows || what == code_of::reduce;
            operations += what == code_of::apply || what == code_of::convert || what == code_of::accumulate ||
                                  what == code_of::reduce
                              ? 1
                              : 0;
        }
        std::string text;
        if (s.outer + s.inner == 0) text = "single numbers";
        else if (rows && s.outer > 0)
            text = "rows of " + extents(s, s.outer, s.outer + s.inner) + " for each of " + extents(s, 0, s.outer);
        else if (s.outer > 0)
            text = "loop over " + extents(s, 0, s.outer) + " x " + extents(s, s.outer, s.outer + s.inner);
        else text = "loop over " + extents(s, s.added, s.inner);
        if (s.together > 1) text += ", in one launch with the next " + (s.together == 2 ? "step" : std::to_string(s.together - 1) + " steps");
        if (s.together == 0) text += ", in the same launch";
        if (s.phases > 1) text += ", " + count_text(s.phases, "pass", "es");
        text += "; " + reads(i) + "; " + count_text(operations, "operation") + "\n";
        for (const statement& each : written.statements) {
            text += "              ";
            if (rows && each.block == 0) text += "once:   ";
            else if (rows && s.phases > 0 && each.block == 4 + 3 * (s.phases - 1)) text += "row:    ";
            else if (rows && each.block > 1) text += "pass " + std::to_string((each.block - 2) / 3 + 1) + ": ";
            else if (rows) text += "row:    ";
            text += each.line() + "\n";
        }
        return text;
    }

    std::string product(int i) const {
        const step& s = p.steps[i];
        // The BLAS routine; a device of plain loops, and products of integers, have none.
        std::string text = "product  ";
        if (device_.fuses && is_floating(s.type))
            text = std::string(s.type == element::float32 ? "s" : "d") + (s.vector ? "gemv" : s.batch > 0 ? "gemm_batched" : "gemm") +
                   (s.biased ? " + bias" : "") + (s.activation == code<op::copy> ? "" : " + " + std::string(facts_of(s.activation).name)) + "  ";
        if (const element read = p.buffers[p.slot(i, 0).buffer].type; is_stored_only(read)) text += "of " + std::string(name_of(read)) + "  ";
        text +=
            step_formula(p, i, 400) + "\n              " + factor(i, 0) + " x " + factor(i, 1);
        const bool in_place = s.accumulates && !s.copies && p.is_leaf(p.slot(i, 2).buffer);
        if (in_place) text += ", in place";
        else if (s.copies)
            text += ", after copying " + p.buffer(p.slot(i, 3).buffer) + " to " + p.buffer(p.slot(i, 2).buffer);
        else if (s.accumulates) text += ", adds to what is there";
        return text + "\n";
    }

    /// Which steps walk along the rows of one matrix together.
    std::string row_pass() const {
        const one_pass pass = device_.streamed_bytes > 0 ? find_one_pass(p) : one_pass();
        if (pass.count == 0) return "";
        std::string text = "    steps ";
        for (int i = 0; i < pass.count; ++i) text += (i == 0 ? "" : i + 1 < pass.count ? ", " : " and ") + std::to_string(pass.step[i] + 1);
        const std::int64_t bytes = is_of_lines(p, pass) ? device_.near_streamed_bytes : device_.streamed_bytes;
        return text + " in one pass over " + p.buffer(p.slot(pass.first(), 0).buffer) + ", a block of its rows at a time, where it has " +
               std::to_string(bytes / (bytes < 1'000'000 ? 1'000 : 1'000'000)) + (bytes < 1'000'000 ? " kB" : " MB") + " or more\n";
    }

    /// Which loops run on blocks of the product before them, of those whose sizes are known here.
    std::string ended_products() const {
        std::string text;
        for (int i = 0; device_.ends != nullptr && i < p.step_count; ++i) {
            const step& s = p.steps[i];
            const product_end end = end_of_product(p, i);
            bool known = end.loop >= 0;
            for (int k = 0; k < matrix_extents + s.batch; ++k) known = known && s.extent[k] >= 0;
            if (!known) continue;
            std::int64_t rows = s.extent[0];
            for (int k = 0; k < s.batch; ++k) rows *= s.extent[matrix_extents + k];
            if (!device_.ends(rows, s.extent[1], s.extent[2], s.type, end.turned)) continue;
            text += "    step " + std::to_string(end.loop + 1) + " on each block of " + p.buffer(p.slot(i, 2).buffer) + " as step " + std::to_string(i + 1) + " has computed it\n";
        }
        return text;
    }

    /// Which copies do not run where the strides of the other array do as well.
    std::string left_out_copies() const {
        std::string text;
        for (int i = 0; device_.leaves_out_copies && i < p.step_count; ++i)
            if (const plain_copy c = plain_copy_of(p, i)) {
                const std::string source = p.buffer(p.slots[c.from].buffer), target = p.buffer(p.slots[c.to].buffer);
                text += "    step " + std::to_string(i + 1) + " not where " + (c.written_there ? source + " can be computed in place of " + target : target + " can be read in place in " + source) + "\n";
            }
        return text;
    }

    std::string routine(int i) const {
        const step& s = p.steps[i];
        if (p.routines[s.routine]->of_matrices)
            return "routine  " + step_formula(p, i, 400) + "\n              matrices of " + extents(s, s.outer - 2, s.outer) +
                   (s.outer > 2 ? " for each of " + extents(s, 0, s.outer - 2) : "") + "\n";
        if (p.routines[s.routine]->of_elements)
            return "routine  " + step_formula(p, i, 400) + "\n              each element of " + extents(s, 0, s.outer) + "\n" + chosen_way(s);
        return "routine  " + step_formula(p, i, 400) + "\n              rows of " + (s.outer == 0 ? "1" : extents(s, s.outer - 1, s.outer)) +
               (s.outer > 1 ? " for each of " + extents(s, 0, s.outer - 1) : "") + "\n";
    }

    /// The way in which the device computes a routine, and why.
    std::string chosen_way(const step& s) const {
        if (device_.way == nullptr) return "";
        kernel::routine_call c;
        c.rank = s.outer;
        c.attributes = kernel::attributes_of(s.bits);
        const auto known = [](size_ref n) { return n < 0 ? std::int64_t{-1} : n; };
        for (int i = 0; i < s.outer; ++i) c.extent[i] = known(s.extent[i]);
        for (int k = 0; k + 1 < s.slot_count; ++k)
            for (int i = 0; i < p.layouts[s.shapes + k].rank; ++i) c.from[k][i] = known(p.layouts[s.shapes + k][i]);
        const std::string text = device_.way(*p.routines[s.routine], s.type, c);
        return text.empty() ? "" : "              " + text + "\n";
    }

    /// A loop: what it walks along and what every turn sees, where what it carries begins, and what it leaves.
    std::string turns(int i) const {
        const loop_entry& l = p.loop(i);
        std::string text = "scan  " + p.names.turns(l);
        const auto list = [&](std::string_view what, int from, int count) {
            for (int k = 0; k < count; ++k) text += (k == 0 ? "; " + std::string(what) + " " : ", ") + p.seen(i, from + k);
        };
        list("walks along", l.carried, l.sequences);
        list("reads", l.carried + l.sequences, l.captured);
        list("runs as often as", l.carried + l.sequences + l.captured, l.limited ? 1 : 0);
        text += "\n";
        for (int k = 0; k < l.carried; ++k) {
            const node& first = p.nodes[p.loop_nodes[l.from + k]];
            text += "              carries " + p.names.state(l, k) + " from " + p.seen(i, k) + ", " + p.names.type(first.type, first.shape) + "\n";
        }
        for (const statement& each : step_writer<Plan>(p, i).statements) text += "              " + each.line() + "\n";
        return text;
    }

    /// The extents of a factor of a product: of its batch those along which it varies.
    std::string factor(int i, int which) const {
        const step& s = p.steps[i];
        std::array<size_ref, max_rank> extent{};
        int count = 0;
        for (unsigned k = 0; k < s.batch; ++k)
            if (p.slot(i, which).axis.at[2 + k] >= 0) extent[static_cast<unsigned>(count++)] = s.extent[matrix_extents + k];
        for (int k = which; k < which + 2 && !(s.vector && k == 2); ++k) extent[static_cast<unsigned>(count++)] = s.extent[static_cast<unsigned>(k)];
        return p.names.extents(extent, 0, count);
    }

    /// How many temporaries there are. How much they share is known with their sizes.
    std::string sharing() const {
        if (p.temporaries == 0) return "    no temporary arrays\n";
        bool apart = false;
        for (int a = 0; a < p.buffer_count; ++a)
            for (int b = 0; b < p.buffer_count; ++b) apart = apart || (is_temporary(a) && is_temporary(b) && p.buffers[a].last < p.buffers[b].first);
        return "    " + count_text(p.temporaries, "temporary array") + (apart ? "; those that are needed at different times share memory\n" : "\n");
    }
    bool is_temporary(int b) const { return p.buffers[b].what == buffer_kind::temporary && p.buffers[b].first >= 0; }
};

}  // namespace croton::inline v0_1::detail

#endif
