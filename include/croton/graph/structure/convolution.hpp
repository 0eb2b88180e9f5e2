// SPDX-License-Identifier: MIT
// Convolutions: linear in the image and in the kernel, so that the derivatives of the three structures are each other.
#ifndef CROTON_GRAPH_STRUCTURE_CONVOLUTION_HPP
#define CROTON_GRAPH_STRUCTURE_CONVOLUTION_HPP

#include <croton/graph/structures.hpp>
#include <croton/kernel/routine/convolution.hpp>

namespace croton::inline v0_1::detail::structure {

/// Which of the three a node is: y of x and w, x of y and w, w of x and y. The shape of the result is not that of the arguments alone.
enum class convolved : std::uint8_t { result, image, kernel };

/// The node with attributes of `kernel::windows`, which stay the same for all derivatives.
template <class G> constexpr int convolution_of(G& g, convolved what, int a, int b, std::int64_t attributes, const detail::shape& to);

/// What the derivative of one adds to its arguments. `x`, `w`, `y`: arguments, and the cotangent in the place of the result.
template <class C> constexpr void pull_convolution(C& c, const node& n, int x, int w, int y, convolved a, convolved b) {
    const auto add = [&](convolved what, int to) {
        if (!c.wanted(to)) return;
        const std::int64_t attributes = kernel::attributes_of(n.bits);
        const detail::shape shape = c.g[to].shape;
        c.add(to, what == convolved::result   ? convolution_of(c.g, what, x, w, attributes, shape)
                  : what == convolved::image ? convolution_of(c.g, what, y, w, attributes, shape)
                                             : convolution_of(c.g, what, x, y, attributes, shape));
    };
    add(a, n.in[0]);
    add(b, n.in[1]);
}

/// `S`: the structure; `Routine`: what computes it.
template <class S, class Routine, convolved What> struct convolution_structure {
    static constexpr std::string_view name = Routine::name;
    static constexpr placement place = placement::call;
    static constexpr const kernel::routine_facts* routine(const node&) { return &kernel::routine_of<Routine>::facts; }

    template <class G> static constexpr int of(G& g, int a, int b, std::int64_t attributes, const detail::shape& to) {
        node n = g.like(g.own_structure(structure_facts_of<S>), a);
        set_arguments(n, a, b);
        n.shape = to;
        n.bits = kernel::along_axis(to.rank - 1, attributes);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.in[0], n.in[1], kernel::attributes_of(n.bits), n.shape); }

    /// Many images of one kernel are one batch. Many kernels are groups of one, and so are those that are asked for.
    template <class B> static constexpr int batch(B& b, const node& n) {
        arena& g = b.g;
        const std::int64_t attributes = kernel::attributes_of(n.bits);
        const int rank = n.shape.rank;
        const bool last = (attributes & Routine::channels_last) != 0;
        const int channels = last ? rank - 1 : 1, outs = last ? rank - 1 : 0;
        const bool one_kernel = What != convolved::kernel && !b.varies(n.in[1]);
        // The axis of the batch goes before another axis, and both are one.
        const auto joined = [&](int of, int axis) {
            std::array<int, max_rank> source{};
            for (int i = 0; i <= rank; ++i) source[static_cast<unsigned>(i)] = i < axis ? i + 1 : i == axis ? 0 : i;
            const int moved = structure::view::of(g, of, rank + 1, source);
            detail::shape to;
            to.rank = rank;
            for (int i = 0; i < rank; ++i) {
                const size_ref extent = g[moved].shape[i < axis ? i : i + 1];
                to[i] = i == axis ? g.product(b.count, extent) : extent;
            }
            return structure::reshape::of(g, moved, to);
        };
        const auto apart = [&](int of, int axis) {
            detail::shape to;
            to.rank = rank + 1;
            for (int i = 0; i <= rank; ++i) to[i] = i == axis ? b.count : n.shape[i < axis ? i : i - 1];
            std::array<int, max_rank> source{};
            for (int i = 0; i <= rank; ++i) source[static_cast<unsigned>(i)] = i == 0 ? axis : i <= axis ? i - 1 : i;
            return structure::view::of(g, structure::reshape::of(g, of, to), rank + 1, source);
        };
        const int axis = one_kernel ? 0 : channels, of_result = What == convolved::kernel ? outs : axis;
        detail::shape all = n.shape;
        all[of_result] = g.product(b.count, all[of_result]);
        const int first = joined(b.whole(n.in[0]), axis);
        const int second = one_kernel ? b.at(n.in[1]) : joined(b.whole(n.in[1]), What == convolved::kernel ? channels : outs);
        return apart(of(g, first, second, attributes, all), of_result);
    }
};

// `pull` stands first: clang reads member functions in their order.

struct convolution : convolution_structure<convolution, kernel::convolution, convolved::result> {
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        pull_convolution(c, n, n.in[0], n.in[1], c.full(c.of[id], id), convolved::image, convolved::kernel);
    }
};
struct convolution_input : convolution_structure<convolution_input, kernel::convolution_input, convolved::image> {
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        pull_convolution(c, n, c.full(c.of[id], id), n.in[1], n.in[0], convolved::result, convolved::kernel);
    }
};
struct convolution_weight : convolution_structure<convolution_weight, kernel::convolution_weight, convolved::kernel> {
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        pull_convolution(c, n, n.in[0], c.full(c.of[id], id), n.in[1], convolved::image, convolved::result);
    }
};

template <class G> constexpr int convolution_of(G& g, convolved what, int a, int b, std::int64_t attributes, const detail::shape& to) {
    return what == convolved::result  ? convolution::of(g, a, b, attributes, to)
           : what == convolved::image ? convolution_input::of(g, a, b, attributes, to)
                                      : convolution_weight::of(g, a, b, attributes, to);
}

}  // namespace croton::inline v0_1::detail::structure

#endif
