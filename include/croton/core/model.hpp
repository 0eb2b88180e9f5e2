// SPDX-License-Identifier: MIT
// Models: structs over a kind of array, and the same over another kind.
#ifndef CROTON_CORE_MODEL_HPP
#define CROTON_CORE_MODEL_HPP

#include <type_traits>

#include <croton/core/leaves.hpp>

namespace croton::inline v0_1::detail {

/// What the template of a model says: its kind of array, and the same model over another kind.
template <class T> struct model_traits {
    static constexpr bool value = false;
};

template <template <template <class, int> class> class Model, template <class, int> class Kind>
struct model_traits<Model<Kind>> {
    static constexpr bool value = true;
    template <class T, int Rank> using kind = Kind<T, Rank>;
    template <template <class, int> class NewKind> using rebind = Model<NewKind>;
};

// A model with a size: template <template <class, int> class A, int Layers> struct deep;
template <template <template <class, int> class, int, int...> class Model, template <class, int> class Kind, int N,
          int... More>
struct model_traits<Model<Kind, N, More...>> {
    static constexpr bool value = true;
    template <class T, int Rank> using kind = Kind<T, Rank>;
    template <template <class, int> class NewKind> using rebind = Model<NewKind, N, More...>;
};

// A model made of models, as the state of an optimiser is.
template <template <class...> class Outer, class Model, class... Models>
    requires (model_traits<Model>::value && (model_traits<Models>::value && ...))
struct model_traits<Outer<Model, Models...>> : model_traits<Model> {
    template <template <class, int> class NewKind>
    using rebind = Outer<typename model_traits<Model>::template rebind<NewKind>,
                         typename model_traits<Models>::template rebind<NewKind>...>;
};

/// The model `M` over another kind of array: `rebind_model<mlp<symbol>, on<cpu>::array>` is `mlp<on<cpu>::array>`.
template <class M, template <class, int> class NewKind>
using rebind_model = typename model_traits<M>::template rebind<NewKind>;

/// A struct of arrays: an aggregate that is an instance of `template <template <class, int> class A> struct`, or of a
/// struct over such models.
template <class T>
concept model = std::is_class_v<T> && std::is_aggregate_v<T> && model_traits<T>::value && !is_leaf<T>;

/// The state of an optimiser of one array, `adam_state<symbol<float, 1>>`, is a parameter and bound as a model is.
template <class X> inline constexpr bool is_state_of_array = false;
template <template <class...> class State, class Array>
    requires is_leaf<Array>
inline constexpr bool is_state_of_array<State<Array>> = std::is_aggregate_v<State<Array>>;

}  // namespace croton::inline v0_1::detail

#endif
