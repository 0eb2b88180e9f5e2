// SPDX-License-Identifier: MIT
// What loops compute later than they could, because it is read later.
#ifndef CROTON_PLAN_SINKING_HPP
#define CROTON_PLAN_SINKING_HPP

#include <croton/plan/loop_group.hpp>
#include <croton/plan/stored_graph.hpp>

namespace croton::inline v0_1::detail {

/// Whether a node is made by no loop, and reads what lies in memory.
constexpr bool reads_memory(const node& n) { return n.place != placement::loop && n.place != placement::given && n.place != placement::alias; }

/// Moves nodes of a grouping to the level of the loop that reads them.
class sinking {
public:
    vec<int> floor;  // by node: the level before which it is not made, where that is above 0

    /// Marks what may move: all it is made from lies in memory anyway, or may move too.
    template <class G> constexpr void find(const G& g) {
        const int count = g.nodes.size();
        vec<char>& stored = stored_;
        stored.assign(count, 0);
        movable_.assign(count, 0);
        for (int id = 0; id < count; ++id) {
            const node& n = g.nodes.at[id];
            if (reads_memory(n)) g.each_argument(id, [&](int a) { stored.at[g.base_of.at[a]] = 1; });
            else if (n.what == tag<structure::gather>) stored.at[g.base_of.at[n.in[0]]] = 1;
        }
        for (int id = 0; id < count; ++id) {
            const node& n = g.nodes.at[id];
            if (g.group_of.at[id] < 0 || n.what == tag<structure::reduce> || g.root_of(id) >= 0 || stored_graph::one_element(n.shape)) continue;
            bool free = true;
            for (int k = 0; k < loop_arguments && free; ++k) {
                const int a = n.in[k];
                if (a < 0) break;
                const int base = g.base_of.at[a];
                free = g.is_inline.at[a] || movable_.at[base] != 0 || g.group_of.at[base] < 0 || stored.at[base] != 0 || g.root_of(base) >= 0;
            }
            movable_.at[id] = free ? 1 : 0;
        }
        for (int id = 0; id < count; ++id)
            if (is_again(g, id)) movable_.at[id] = 1;
    }

    /// What is computed early only to wait in memory for a later loop moves there: beta * m waits for no gradient. It moves
    /// where all it is made from lies in memory anyway, and back for good where that loop does not take it; says whether anything does.
    template <class G> constexpr bool sink(const G& g) {
        constexpr int nobody = 1 << 30, kept = -1;
        const int count = g.nodes.size();
        vec<int> latest(count, nobody), reader(count, -1);  // by node: the level of the first loop that reads it, and who does there
        bool moved = false;
        for (int id = count - 1; id >= 0; --id) {
            const node& n = g.nodes.at[id];
            const bool loop = g.group_of.at[id] >= 0;
            if (!loop && !reads_memory(n)) continue;
            const int made = g.level_of.at[id];
            int level = made - 1;
            if (loop) {
                const int read = latest.at[id];
                level = max_of(made, floor.at[id]);
                if (floor.at[id] > 0 && (read == kept || (read == made + 1 && is_put_off(g, reader.at[id])))) {
                    floor.at[id] = 0;
                    movable_.at[id] = 0;
                    level = kept;
                    moved = true;
                } else if (read != nobody && read > made && movable_.at[id] != 0) {
                    level = floor.at[id] = read;
                    moved = true;
                }
            }
            const auto reads = [&](int a) {
                const int base = g.base_of.at[a];
                if (latest.at[base] <= level) return;
                latest.at[base] = level;
                reader.at[base] = id;
            };
            if (n.place == placement::repeat) g.each_argument(id, reads);
            for (int k = 0; k < max_arguments; ++k) {
                if (n.in[k] >= 0) reads(n.in[k]);
                else if (loop) break;
            }
        }
        return moved;
    }

    /// Moves back what reads more where it has moved to than it would leave there: of two arrays that wait for it alone it makes one. Says whether anything does.
    template <class G> constexpr bool rise(const G& g) {
        const int count = g.nodes.size();
        vec<int> waits(count, 0);  // by node: in how many places behind its own loop it is read
        for (int id = 0; id < count; ++id)
            each_made(g, id, [&](int base) { waits.at[base] += g.level_of.at[base] < g.level_of.at[id] ? 1 : 0; });
        bool moved = false;
        for (int id = 0; id < count; ++id) {
            if (floor.at[id] == 0 || floor.at[id] != g.level_of.at[id] || movable_.at[id] == 0 || is_again(g, id)) continue;
            const node& n = g.nodes.at[id];
            std::size_t waiting = 0;
            int from = -1;
            bool one_group = true;
            each_made(g, id, [&](int base) {
                const node& made = g.nodes.at[base];
                one_group = one_group && (from < 0 || from == g.group_of.at[base]);
                from = g.group_of.at[base];
                if (waits.at[base] == 1 && stored_.at[base] == 0 && g.root_of(base) < 0 && same_shape(made.shape, n.shape)) waiting += size_of(made.type);
            });
            if (!one_group || from < 0 || waiting <= size_of(n.type)) continue;
            // A loop of rows might not take it, and it would be one of its own.
            const loop_group& made = g.groups.at[from];
            if (made.level == g.level_of.at[id] || made.row_axes != 0 || made.spread >= 0) continue;
            floor.at[id] = 0;
            movable_.at[id] = 0;
            moved = true;
        }
        return moved;
    }

private:
    vec<char> movable_, stored_;  // by node: whether it may move, and whether it lies in memory wherever it is made

    /// Calls f of each argument of a loop's node that a loop makes, once.
    template <class G, class F> static constexpr void each_made(const G& g, int id, const F& f) {
        if (g.group_of.at[id] < 0) return;
        for (int k = 0; k < loop_arguments; ++k) {
            const int a = g.nodes.at[id].in[k];
            if (a < 0) break;
            const int base = g.base_of.at[a];
            bool seen = g.is_inline.at[a] || g.group_of.at[base] < 0;
            for (int j = 0; j < k; ++j) seen = seen || g.base_of.at[g.nodes.at[id].in[j]] == base;
            if (!seen) f(base);
        }
    }

    template <class G> static constexpr bool is_again(const G& g, int id) { return id < g.again.size() && g.again.at[id] != 0; }

    static constexpr int max_of(int a, int b) { return a > b ? a : b; }

    /// Whether a node waits for nothing but what has moved to where it was.
    template <class G> constexpr bool is_put_off(const G& g, int id) const {
        if (g.group_of.at[id] < 0 || floor.at[id] == g.level_of.at[id]) return false;
        int level = -1;
        for (int k = 0; k < loop_arguments; ++k) {
            const int a = g.nodes.at[id].in[k];
            if (a < 0) break;
            const int base = g.base_of.at[a];
            if (!g.is_inline.at[a] && (floor.at[base] == 0 || floor.at[base] < g.level_of.at[base])) level = max_of(level, g.level_of.at[base]);
        }
        return level + 1 < g.level_of.at[id];
    }
};

}  // namespace croton::inline v0_1::detail

#endif
