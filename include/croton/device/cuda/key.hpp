// SPDX-License-Identifier: MIT
// A number for each kernel type and the way back, so that the name of a kernel is short however long its program is.
#ifndef CROTON_DEVICE_CUDA_KEY_HPP
#define CROTON_DEVICE_CUDA_KEY_HPP

#include <croton/config.hpp>
#include <croton/kernel/kernel.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

/// 128 bits over the structure of a kernel type. They are the same in the two compilers that nvcc is made of, which
/// their spellings of a type are not.
struct digest {
    std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;

    constexpr void add(std::uint64_t v) {
        for (int i = 0; i < 8; ++i) {
            a = (a ^ ((v >> (8 * i)) & 0xff)) * 0x100000001b3u;
            b = (b + ((v >> (8 * i)) & 0xff) + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;
            b ^= b >> 29;
        }
    }
    constexpr void add(std::string_view text) {
        add(text.size());
        for (const char c : text) add(static_cast<std::uint64_t>(c));
    }
};

template <class T> struct element_tag;
template <> struct element_tag<bool> { static constexpr std::uint64_t value = 1; };
template <> struct element_tag<std::int32_t> { static constexpr std::uint64_t value = 2; };
template <> struct element_tag<std::int64_t> { static constexpr std::uint64_t value = 3; };
template <> struct element_tag<float> { static constexpr std::uint64_t value = 4; };
template <> struct element_tag<double> { static constexpr std::uint64_t value = 5; };
template <> struct element_tag<half> { static constexpr std::uint64_t value = 6; };
template <> struct element_tag<bfloat16> { static constexpr std::uint64_t value = 7; };

/// An operator or a reduction is known by its name; of one without a name the type itself is part of the kernel's.
template <class Op>
concept named_operator = requires { std::string_view(Op::name); };

template <class X> struct spelling;

// What each template is, then its numbers, then what it holds.
template <std::uint64_t Tag, class... X> constexpr void spell(digest& d) {
    d.add(Tag);
    d.add(sizeof...(X));
    (spelling<X>::add(d), ...);
}
template <class Op> constexpr void spell_name(digest& d) {
    d.add(std::string_view(Op::name));
}
template <int I> struct spelling<kernel::u<I>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(1), d.add(I); }
};
template <int I> struct spelling<kernel::r<I>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(2), d.add(I); }
};
template <int I> struct spelling<kernel::e<I>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(3), d.add(I); }
};
template <class T, int S> struct spelling<kernel::load<T, S>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(4), d.add(element_tag<T>::value), d.add(S); }
};
template <class T, int S> struct spelling<kernel::load_fixed<T, S>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(5), d.add(element_tag<T>::value), d.add(S); }
};
template <class T, std::uint64_t B> struct spelling<kernel::literal<T, B>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(6), d.add(element_tag<T>::value), d.add(B); }
};
template <class T, int K> struct spelling<kernel::scalar<T, K>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(7), d.add(element_tag<T>::value), d.add(K); }
};
template <class T, int Axis> struct spelling<kernel::iota<T, Axis>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { d.add(8), d.add(element_tag<T>::value), d.add(Axis); }
};
template <class Op, class... A> struct spelling<kernel::apply<Op, A...>> {
    static constexpr bool known = named_operator<Op>;
    static constexpr void add(digest& d) { spell<9, A...>(d), spell_name<Op>(d); }
};
template <class T, class A> struct spelling<kernel::convert<T, A>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { spell<10, A>(d), d.add(element_tag<T>::value); }
};
template <class T, int S, class A> struct spelling<kernel::store<T, S, A>> {
    static constexpr bool known = true;
    static constexpr void add(digest& d) { spell<11, A>(d), d.add(element_tag<T>::value), d.add(S); }
};
template <class R, class T, int S, class A> struct spelling<kernel::accumulate<R, T, S, A>> {
    static constexpr bool known = named_operator<R>;
    static constexpr void add(digest& d) { spell<12, A>(d), spell_name<R>(d), d.add(element_tag<T>::value), d.add(S); }
};
template <class R, class T, int S, class A> struct spelling<kernel::accumulate_inner<R, T, S, A>> {
    static constexpr bool known = named_operator<R>;
    static constexpr void add(digest& d) { spell<13, A>(d), spell_name<R>(d), d.add(element_tag<T>::value), d.add(S); }
};
template <class R, class T, class A> struct spelling<kernel::reduce<R, T, A>> {
    static constexpr bool known = named_operator<R>;
    static constexpr void add(digest& d) { spell<14, A>(d), spell_name<R>(d), d.add(element_tag<T>::value); }
};
template <class... X> struct spelling<kernel::block<X...>> {
    static constexpr bool known = (true && ... && spelling<X>::known);
    static constexpr void add(digest& d) { spell<15, X...>(d); }
};
template <class E, class F, class P> struct spelling<kernel::phase<E, F, P>> {
    static constexpr bool known = spelling<E>::known && spelling<F>::known && spelling<P>::known;
    static constexpr void add(digest& d) { spell<16, E, F, P>(d); }
};
template <int O, int I, class U, class Row, class... P> struct spelling<kernel::kernel<O, I, U, Row, P...>> {
    static constexpr bool known = (spelling<U>::known && spelling<Row>::known && ... && spelling<P>::known);
    static constexpr void add(digest& d) { d.add(O), d.add(I), spell<17, U, Row, P...>(d); }
};

template <class Kernel> constexpr digest digest_of() {
    digest d;
    spelling<Kernel>::add(d);
    return d;
}

/// Two numbers that stand for a kernel type. The type comes back as what `kernel_of(key)` returns; an instance of
/// `key_holder` defines that function, and no two types can define the same one.
CROTON_FRIEND_BEGIN
template <std::uint64_t A, std::uint64_t B> struct key {
    friend constexpr auto kernel_of(key);
};
CROTON_FRIEND_END
template <class Kernel, class Key> struct key_holder {
    friend constexpr auto kernel_of(Key) { return std::type_identity<Kernel>{}; }
    static constexpr bool exists = true;
};

/// Itself, for a kernel with operators that have no names.
template <class Kernel> struct long_key {};
template <class Kernel> constexpr auto kernel_of(long_key<Kernel>) { return std::type_identity<Kernel>{}; }

template <class Kernel> constexpr auto make_key() {
    if constexpr (spelling<Kernel>::known) {
        constexpr digest d = digest_of<Kernel>();
        using made = key<d.a, d.b>;
        static_assert(key_holder<Kernel, made>::exists);
        return made{};
    } else {
        return long_key<Kernel>{};
    }
}
template <class Kernel> using key_of = decltype(make_key<Kernel>());

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
