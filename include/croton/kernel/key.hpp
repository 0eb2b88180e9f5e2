// SPDX-License-Identifier: MIT
// A short name for a long type: two numbers over what the type says, and the way back. Compilers spell every type of a
// function in its name, and the names of a kernel with a thousand instructions would be most of what they do.
#ifndef CROTON_KERNEL_KEY_HPP
#define CROTON_KERNEL_KEY_HPP

#include <croton/core/element.hpp>
#include <croton/kernel/kernel.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace croton::inline v0_1::kernel {

namespace detail {

/// 128 bits over the structure of a type. They are the same in the two compilers that nvcc is made of, which their
/// spellings of a type are not.
struct digest {
    std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;

    constexpr void add(std::uint64_t v) {
        a = (a ^ v) * 0xff51afd7ed558ccdu;
        a ^= a >> 32;
        b = (b + v + 0x7f4a7c159e3779b9u) * 0xbf58476d1ce4e5b9u;
        b ^= b >> 29;
    }
    constexpr void add(std::string_view text) {
        add(text.size());
        std::uint64_t word = 0;
        int held = 0;
        for (const char c : text) {
            word = word << 8 | static_cast<unsigned char>(c);
            if (++held % 8 == 0) add(word);
        }
        add(word);
    }
};

/// An operator or a reduction is known by its name; of one without a name the type itself is part of the key.
template <class Op>
concept named_operator = requires { std::string_view(Op::name); };

template <class T> inline constexpr std::uint64_t element_tag = static_cast<std::uint64_t>(element_of<T>) + 1;

template <class X> struct spelling;

// What each template is, then its numbers, then what it holds.
template <class... X> constexpr void spell(digest& d, std::uint64_t tag) {
    d.add(tag << 32 | sizeof...(X));
    (spelling<X>::add(d), ...);
}
template <class T> constexpr void spell_numbers(digest& d, std::uint64_t tag, std::uint64_t number) {
    d.add(tag << 32 | element_tag<T>);
    d.add(number);
}
template <class Op> constexpr void spell_name(digest& d) {
    if constexpr (named_operator<Op>) d.add(std::string_view(Op::name));
    else d.add(0);
}
struct always_known {
    static constexpr bool known = true;
};
template <int I, class T> struct spelling<u<I, T>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 1, I); }
};
template <int I, class T> struct spelling<r<I, T>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 2, I); }
};
template <int I, class T> struct spelling<e<I, T>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 3, I); }
};
template <class T, int S> struct spelling<load<T, S>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 4, S); }
};
template <class T, int S> struct spelling<load_fixed<T, S>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 5, S); }
};
template <class T, std::uint64_t B> struct spelling<literal<T, B>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 6, B); }
};
template <class T, int K> struct spelling<scalar<T, K>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 7, K); }
};
template <class T, int Axis> struct spelling<iota<T, Axis>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 8, Axis); }
};
template <class Op, class... A> struct spelling<apply<Op, A...>> {
    static constexpr bool known = named_operator<Op>;
    static constexpr void add(digest& d) { spell<A...>(d, 9), spell_name<Op>(d); }
};
template <class T, class A> struct spelling<convert<T, A>> : always_known {
    static constexpr void add(digest& d) { spell<A>(d, 10), d.add(element_tag<T>); }
};
template <class T, int S, class A> struct spelling<store<T, S, A>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 11, S), spell<A>(d, 0); }
};
template <class T, int S, class A> struct spelling<gather<T, S, A>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 19, S), spell<A>(d, 0); }
};
template <class T, int S, class A> struct spelling<load_at<T, S, A>> : always_known {
    static constexpr void add(digest& d) { spell_numbers<T>(d, 20, S), spell<A>(d, 0); }
};
template <class R, class T, int S, class A> struct spelling<accumulate<R, T, S, A>> {
    static constexpr bool known = named_operator<R>;
    static constexpr void add(digest& d) { spell_numbers<T>(d, 12, S), spell<A>(d, 0), spell_name<R>(d); }
};
template <class R, class T, int S, class A> struct spelling<accumulate_inner<R, T, S, A>> {
    static constexpr bool known = named_operator<R>;
    static constexpr void add(digest& d) { spell_numbers<T>(d, 13, S), spell<A>(d, 0), spell_name<R>(d); }
};
template <class R, class T, class A> struct spelling<reduce<R, T, A>> {
    static constexpr bool known = named_operator<R>;
    static constexpr void add(digest& d) { spell_numbers<T>(d, 14, 0), spell<A>(d, 0), spell_name<R>(d); }
};
template <class... X> struct spelling<block<X...>> {
    static constexpr bool known = (true && ... && spelling<X>::known);
    static constexpr void add(digest& d) { spell<X...>(d, 15); }
};
template <class E, class F, class P> struct spelling<phase<E, F, P>> {
    static constexpr bool known = spelling<E>::known && spelling<F>::known && spelling<P>::known;
    static constexpr void add(digest& d) { spell<E, F, P>(d, 16); }
};
template <int O, int I, class U, class Row, class... P> struct spelling<kernel<O, I, U, Row, P...>> {
    static constexpr bool known = spelling<U>::known && spelling<Row>::known && (true && ... && spelling<P>::known);
    static constexpr void add(digest& d) { spell<U, Row, P...>(d, 17), d.add(O << 8 | I); }
};

template <class T> constexpr digest digest_of() {
    digest d;
    spelling<T>::add(d);
    return d;
}

}  // namespace detail

/// Two numbers, and the operators without names in the order in which they stand, for a kernel type or a block. The type comes
/// back as what `type_of(key)` returns; an instance of `key_holder` defines that function, and no two types can define the same
/// one.
CROTON_FRIEND_BEGIN
template <std::uint64_t A, std::uint64_t B, class... Unnamed> struct key {
    friend constexpr auto type_of(key);
};
/// The same for what has an address among the constants: that is data, which a type is not.
template <auto Address> struct address_key {
    friend constexpr auto type_of(address_key);
};
CROTON_FRIEND_END
template <class T, class Key> struct key_holder {
    friend constexpr auto type_of(Key) { return std::type_identity<T>{}; }
    static constexpr bool exists = true;
};

namespace detail {

template <std::uint64_t A, std::uint64_t B, class... Unnamed> struct spelling<key<A, B, Unnamed...>> {
    static constexpr bool known = sizeof...(Unnamed) == 0;
    static constexpr void add(digest& d) { d.add(18), d.add(A), d.add(B); }
};

template <class... Op> struct types {};
template <class... A, class... B> constexpr types<A..., B...> operator+(types<A...>, types<B...>) { return {}; }
template <class Op> using types_if_unnamed = std::conditional_t<named_operator<Op>, types<>, types<Op>>;

/// The operators without names in a type that is not `known`.
template <class X> struct unnamed_in {
    using type = types<>;
};
template <class... X> using unnamed_in_all = decltype((types<>() + ... + typename unnamed_in<X>::type()));

template <class Op, class... A> struct unnamed_in<apply<Op, A...>> {
    using type = types_if_unnamed<Op>;
};
template <class R, class T, int S, class A> struct unnamed_in<accumulate<R, T, S, A>> {
    using type = types_if_unnamed<R>;
};
template <class R, class T, int S, class A> struct unnamed_in<accumulate_inner<R, T, S, A>> {
    using type = types_if_unnamed<R>;
};
template <class R, class T, class A> struct unnamed_in<reduce<R, T, A>> {
    using type = types_if_unnamed<R>;
};
template <std::uint64_t A, std::uint64_t B, class... Op> struct unnamed_in<key<A, B, Op...>> {
    using type = types<Op...>;
};
template <class... X> struct unnamed_in<block<X...>> {
    using type = unnamed_in_all<X...>;
};
template <class E, class F, class P> struct unnamed_in<phase<E, F, P>> {
    using type = unnamed_in_all<E, F, P>;
};
template <int O, int I, class U, class Row, class... P> struct unnamed_in<kernel<O, I, U, Row, P...>> {
    using type = unnamed_in_all<U, Row, P...>;
};

template <class T, std::uint64_t A, std::uint64_t B, class... Op> constexpr auto hold(types<Op...>) {
    static_assert(key_holder<T, key<A, B, Op...>>::exists);
    return key<A, B, Op...>();
}
template <class T> constexpr auto make_key() {
    constexpr digest d = digest_of<T>();
    if constexpr (spelling<T>::known) return hold<T, d.a, d.b>(types<>());
    else return hold<T, d.a, d.b>(typename unnamed_in<T>::type());
}

template <class Block> struct in_full {
    using type = typename decltype(type_of(Block{}))::type;
};
template <class... I> struct in_full<block<I...>> {
    using type = block<I...>;
};

/// Blocks of more instructions are known by their key.
inline constexpr int longest_spelled_block = 4;

template <class Block> struct named;
template <class... I>
    requires(sizeof...(I) <= longest_spelled_block)
struct named<block<I...>> {
    using type = block<I...>;
};
template <class... I>
    requires(sizeof...(I) > longest_spelled_block)
struct named<block<I...>> {
    using type = decltype(make_key<block<I...>>());
};

}  // namespace detail

/// The key of a kernel type.
template <class Kernel> using key_of = decltype(detail::make_key<Kernel>());

/// What a key stands for.
template <class Key> using keyed_t = typename decltype(type_of(Key{}))::type;

/// `block<Instruction...>`, or what stands for it in the names of functions where it is long.
template <class Block> using named_t = typename detail::named<Block>::type;

/// The `block<Instruction...>` that `Block` is or stands for.
template <class Block> using listed_t = typename detail::in_full<Block>::type;

}  // namespace croton::inline v0_1::kernel

#endif
