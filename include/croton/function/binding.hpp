// SPDX-License-Identifier: MIT
// The arguments of a call as memory with extents and strides.
#ifndef CROTON_FUNCTION_BINDING_HPP
#define CROTON_FUNCTION_BINDING_HPP

#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/core/complex.hpp>
#include <croton/core/literals.hpp>
#include <croton/core/number_range.hpp>
#include <croton/graph/trace.hpp>

namespace croton::inline v0_1 {

template <template <class, int> class A> struct random_state;

namespace detail {

/// One array of a call: where it lies and how. Strides are in elements. Calls make them anew: only the axes that there are have been set.
struct bound_array {
    std::byte* data;
    std::array<std::int64_t, max_rank> extent, stride;
    bool on_host;  // of a device that cannot read it there

    void take(const bound_array& other, int rank) {
        data = other.data;
        on_host = other.on_host;
        for (unsigned i = 0; i < static_cast<unsigned>(rank); ++i) {
            extent[i] = other.extent[i];
            stride[i] = other.stride[i];
        }
    }
    bool same_layout(const bound_array& other, int rank) const {
        for (int i = 0; i < rank; ++i)
            if (extent[static_cast<unsigned>(i)] != other.extent[static_cast<unsigned>(i)] ||
                stride[static_cast<unsigned>(i)] != other.stride[static_cast<unsigned>(i)])
                return false;
        return true;
    }
    bool contiguous(int rank) const {
        std::int64_t expected = 1;
        for (int i = rank; i-- > 0;) {
            if (extent[static_cast<unsigned>(i)] == 0) return true;
            if (extent[static_cast<unsigned>(i)] != 1 && stride[static_cast<unsigned>(i)] != expected) return false;
            expected *= extent[static_cast<unsigned>(i)];
        }
        return true;
    }
    strided_elements elements(int rank, std::size_t element_bytes) const {
        return {data, extent.data(), stride.data(), rank, static_cast<std::int64_t>(element_bytes)};
    }
};

template <class X> struct argument_traits {
    static constexpr bool is_array = false;
};
template <class T, int R, class D> struct argument_traits<array<T, R, D>> {
    static constexpr bool is_array = true;
    using element = T;
    static constexpr int rank = R;
    using device = D;
};
template <class T, int R> struct argument_traits<view<T, R>> {
    static constexpr bool is_array = true;
    using element = std::remove_const_t<T>;
    static constexpr int rank = R;
    using device = cpu;
};
template <class T, int R, unsigned New> struct argument_traits<widened_view<T, R, New>> : argument_traits<view<T, R>> {};
template <class T, int R, unsigned New> struct argument_traits<widened_array<T, R, New>> : argument_traits<array<T, R, cpu>> {};
template <class T, std::size_t N> struct argument_traits<std::span<T, N>> {
    static constexpr bool is_array = true;
    using element = std::remove_const_t<T>;
    static constexpr int rank = 1;
    using device = cpu;
};
// A std::vector<bool> has no elements in memory.
template <class T, class A>
    requires(!std::is_same_v<T, bool>)
struct argument_traits<std::vector<T, A>> {
    static constexpr bool is_array = true;
    using element = T;
    static constexpr int rank = 1;
    using device = cpu;
};

/// An array of another library.
template <seen X> struct argument_traits<X> {
    static constexpr bool is_array = true;
    using element = std::remove_const_t<element_seen<X&>>;
    static constexpr int rank = rank_seen<X&>;
    using device = cpu;
};

/// Room for numbers that are passed for rank-0 parameters.
struct number_store {
    alignas(8) std::byte bytes[8];
};

/// `argument 2`, `argument 2 (w)`, `argument 3.hidden.weight`: what messages call an array of a call.
[[gnu::cold]] constexpr void describe_argument(text_builder& text, const leaf_input& l, const node* nodes, const name_range* names, const char* letters) {
    const auto name = [&](int i) { return std::string_view(letters + names[i].from, static_cast<std::size_t>(names[i].length)); };
    describe_leaf(text, l, l.path < 0 ? std::string_view() : name(l.path));
    if (nodes[l.node].name >= 0) text << " (" << name(nodes[l.node].name) << ")";
}

/// The first leaf of parameter `I`.
template <class Parameters, std::size_t I> inline constexpr int first_leaf = []<std::size_t... K>(std::index_sequence<K...>) {
    return (0 + ... + arrays_in<std::tuple_element_t<K, Parameters>>);
}(std::make_index_sequence<I>());

/// Array `I` of an argument whose first array is leaf `First` of the program; the whole argument where `I` is -1.
template <class Holder, int First> struct argument_places {
    template <int I> struct place {
        static constexpr std::string_view gives = "takes"sv;
        static constexpr void say(text_builder& text) {
            const auto& p = Holder::program();
            if constexpr (I < 0) describe_leaf(text, p.leaves[First], {});
            else describe_argument(text, p.leaves[First + I], p.nodes.begin(), p.names.begin(), p.letters.begin());
        }
    };
};
template <int Result> struct result_places {
    template <int I> struct place {
        static constexpr std::string_view gives = "gives"sv;
        static constexpr void say(text_builder& text) { text << "the array for result " << Result + 1; }
    };
};

// The sentences about an argument that does not fit

template <class X> constexpr std::string_view element_name() {
    if constexpr (element_type<X>) return name_of(element_of<X>);
    else if constexpr (complex_like<X>) return "complex numbers, of which real and imaginary parts are arguments of their own";
    else return "another element type";
}

template <class Place, class T, int Rank> struct number_for_array {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " is a number, but the function " << Place::gives << " " << name_of(element_of<T>) << " with " << Rank
             << (Rank == 1 ? " axis" : " axes") << "; pass an array, a view or a std::span";
    }
};
template <class Place> struct number_to_update {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " is a number, but it is written to; pass an array such as array<float, 0>";
    }
};
template <class Place, class T> struct fraction_for_integer {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " is a floating-point number, but the function takes " << name_of(element_of<T>) << "; convert it";
    }
};
template <class Place, class A> struct not_an_array {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        if (holds_complex<A>) text << " is a complex number, of which real and imaginary parts are arguments of their own";
        else text << " is not an array, a view, a std::span, a std::vector of numbers or a number for a scalar";
    }
};
template <class Place, class T, class Given> struct wrong_element {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " holds " << element_name<Given>() << ", but the function " << Place::gives << " " << name_of(element_of<T>);
    }
};
template <class Place, int Rank, int Given> struct wrong_rank {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " has rank " << Given << ", but the function " << Place::gives << " rank " << Rank;
    }
};
template <class Place> struct wrong_device {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " lies on another device than the function runs on; move it with x.to<...>()";
    }
};
template <class Place> struct not_writable {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " is written to, but it is const, as the values of an expression are; pass an array, or a view of elements, that is not const";
    }
};
template <class Place> struct temporary_to_update {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        text << " is written to, but it is a temporary, with which its new values would be lost; give it a name first, or pass a view";
    }
};
template <class Place, class Model, class Given> struct wrong_model {
    static constexpr void say(text_builder& text) {
        Place::say(text);
        if constexpr (model<Given>)
            text << " is another struct than the function " << Place::gives << ": it holds " << leaf_count<Given>
                 << " arrays instead of " << leaf_count<Model>;
        else
            text << " is not a model; the function " << Place::gives << " a struct of " << leaf_count<Model>
                 << " arrays, such as mlp<on<cpu>::array>";
    }
};

/// Whether an argument on `Lies` may be passed to a function on `Device`: on its memory, or, if it is only read, on the
/// host, from where it is copied.
template <class Lies, class Device, bool Written>
inline constexpr bool lies_where_needed =
    std::is_same_v<array_device<Lies>, array_device<Device>> ||
    (!Written && memory<array_device<Lies>>::on_host && !memory<array_device<Device>>::on_host);

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_number(std::string_view place, const std::string& number, element type, const std::string& holds) {
    refuse<value_error>({place, " is ", number, ", but the function takes ", name_of(type), ", which holds ", holds});
}
template <class T, class Place, class X> [[noreturn, gnu::cold, gnu::noinline]] void refuse_number(const X& x, const Place& place) {
    text_builder text;
    place.say(text);
    refuse_number(text.view(), text_of_number(x), element_of<T>, range_text<T>());
}

/// The number that is passed for a scalar of `T`. What `T` cannot hold is a `value_error`.
template <class T, class Place, class X> CROTON_INLINE T number_for(const X& x, const Place& place = {}) {
    if (!holds_number<T>(x)) refuse_number<T>(x, place);
    return static_cast<T>(x);
}

/// Binds an array: one function for all arguments of its type.
template <class T, int Rank, class Device, class A> void bind_memory(bound_array& b, A& argument) {
    b.data = reinterpret_cast<std::byte*>(const_cast<T*>(argument.data()));
    b.on_host = memory<array_device<typename argument_traits<std::remove_cv_t<A>>::device>>::on_host && !memory<array_device<Device>>::on_host;
    std::int64_t step = 1;
    for (int i = Rank; i-- > 0;) {
        const auto axis = static_cast<unsigned>(i);
        if constexpr (requires { argument.extents(); }) b.extent[axis] = argument.extent(i);
        else b.extent[axis] = static_cast<std::int64_t>(argument.size());
        if constexpr (requires { argument.strides(); }) b.stride[axis] = argument.stride(i);
        else b.stride[axis] = step;
        step *= b.extent[axis];
    }
}

/// Binds one argument to a leaf of element type `T` and rank `Rank`. `Place` says in messages which argument it is.
template <class T, int Rank, bool Written, class Device, class Place, class A>
void bind_array(bound_array& b, A& argument, number_store& numbers, [[maybe_unused]] const Place& place = {}) {
    using X = std::remove_cv_t<A>;
    using traits = argument_traits<X>;
    if constexpr (std::is_arithmetic_v<X> || is_storage<X>) {
        if constexpr (Rank != 0) sentence_of<number_for_array<Place, T, Rank>>();
        else if constexpr (Written) sentence_of<number_to_update<Place>>();
        else if constexpr (!std::is_floating_point_v<arithmetic_t<T>> && std::is_floating_point_v<arithmetic_t<X>>) sentence_of<fraction_for_integer<Place, T>>();
        const T value = number_for<T>(argument, place);
        __builtin_memcpy(numbers.bytes, &value, sizeof value);
        b.data = numbers.bytes;
        b.on_host = !memory<array_device<Device>>::on_host;
    } else if constexpr (seen<A>) {
        auto elements = other_array<X>::of(argument);
        bind_array<T, Rank, Written, Device, Place>(b, elements, numbers, place);
    } else if constexpr (!traits::is_array) {
        sentence_of<not_an_array<Place, X>>();
        b = {};
    } else if constexpr (!std::is_same_v<typename traits::element, T>) {
        sentence_of<wrong_element<Place, T, typename traits::element>>();
        b = {};
    } else if constexpr (traits::rank != Rank) {
        sentence_of<wrong_rank<Place, Rank, traits::rank>>();
        b = {};
    } else if constexpr (!lies_where_needed<typename traits::device, Device, Written>) {
        sentence_of<wrong_device<Place>>();
        b = {};
    } else if constexpr (Written && std::is_const_v<std::remove_pointer_t<decltype(argument.data())>>) {
        sentence_of<not_writable<Place>>();
        b = {};
    } else {
        bind_memory<T, Rank, Device>(b, argument);
    }
}

/// Binds what is passed for a parameter, or for a result: one array, or every array of a model. `Place<I>` is the place of
/// its array `I`.
template <class S, bool Written, class Device, template <int> class Place, class A>
void bind_arrays(A& argument, bound_array*& to, number_store*& numbers) {
    using X = std::remove_cv_t<A>;
    if constexpr (traced<S>) {
        bind_array<element_in<S>, rank_of<S>, Written, Device, Place<0>>(*to++, argument, *numbers++);
    } else if constexpr (!model<X> && !is_state_of_array<X>) {
        sentence_of<wrong_model<Place<-1>, S, X>>();
    } else if constexpr (leaf_count<X> != leaf_count<S>) {
        sentence_of<wrong_model<Place<-1>, S, X>>();
    } else if constexpr (Written && std::is_const_v<A>) {
        sentence_of<not_writable<Place<-1>>>();
    } else {
        for_each_leaf(argument, [&](auto& a, auto index) {
            constexpr int i = decltype(index)::value;
            using L = std::remove_cvref_t<leaf_t<S, i>>;
            bind_array<element_in<L>, rank_of<L>, Written, Device, Place<i>>(*to++, a, *numbers++);
        });
    }
}

/// Whether elements go with a temporary of type `X`: those of an array, and not those of a view. Of a random state nothing is lost: its draws are what it is for.
template <class X> inline constexpr bool owns_elements = is_leaf<X>;
template <seen X> inline constexpr bool owns_elements<X> = other_array<X>::owns_elements;
template <class X> requires (model<X> || is_state_of_array<X>)
inline constexpr bool owns_elements<X> = true;
template <template <class, int> class A> inline constexpr bool owns_elements<random_state<A>> = false;

/// Says of an argument of type `A`, which is a reference where it has a name, that what is written to it would be lost.
template <class Holder, class Parameters, class... A> constexpr void say_of_temporaries() {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto say = [&]<std::size_t At, class X>(std::integral_constant<std::size_t, At>, std::type_identity<X>) {
            if constexpr (is_shared_parameter<std::tuple_element_t<At, Parameters>> && owns_elements<X>)
                sentence_of<temporary_to_update<typename argument_places<Holder, first_leaf<Parameters, At>>::template place<traced<symbol_of<std::tuple_element_t<At, Parameters>>> ? 0 : -1>>>();
        };
        (say(std::integral_constant<std::size_t, I>(), std::type_identity<A>()), ...);
    }(std::index_sequence_for<A...>());
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
