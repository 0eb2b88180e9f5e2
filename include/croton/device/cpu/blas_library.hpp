// SPDX-License-Identifier: MIT
// Which BLAS a program runs, found out while it runs: a program that was linked to one library may be given another.
#ifndef CROTON_DEVICE_CPU_BLAS_LIBRARY_HPP
#define CROTON_DEVICE_CPU_BLAS_LIBRARY_HPP

#include <croton/config.hpp>
#include <croton/core/literals.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#if CROTON_HAS_CBLAS
// OpenBLAS has a bfloat16 of its own, in the global namespace: it would make ours ambiguous to who uses namespace croton.
#define bfloat16 openblas_bfloat16
#include CROTON_CBLAS_HEADER
#undef bfloat16
#endif

#if CROTON_HAS_CBLAS && CROTON_HAS_DLFCN
#include <dlfcn.h>
#endif

#if CROTON_HAS_CBLAS && CROTON_HAS_WEAK_SYMBOLS
// Null where another BLAS is linked. A static OpenBLAS is known by nothing else; it brings all but the first.
extern "C" {
[[gnu::weak]] char* openblas_get_config();
[[gnu::weak]] char* gotoblas_corename();
[[gnu::weak]] int openblas_get_num_threads();
[[gnu::weak]] void openblas_set_num_threads(int);
}
#endif

namespace croton::inline v0_1 {

namespace detail {

/// The library that holds the `cblas_sgemm` of this program. It is asked for its name and for its threads through the
/// functions that it and what it loads bring, so that nothing needs to be linked for it. A process asks for its name once: cold, or compilers
/// would take more time over this text than over the loops of a small program. Who calls what is cold is not to be inlined where a program
/// goes on to work: compilers would take that for cold as well.
class blas_library {
    const char* file_ = nullptr;  // where the library lies; null where it is a part of the program, or nobody can tell
    void* handle_ = nullptr;      // what the system knows it by, then

#if CROTON_HAS_CBLAS && CROTON_HAS_DLFCN
    void find() {
        Dl_info library{}, program{};
        static const char mark = 0;
        void* sgemm = reinterpret_cast<void*>(&cblas_sgemm);
        if (dladdr(sgemm, &library) == 0) return;
        // Code at a fixed address knows the function by a jump in the program itself; a static library is a part of it.
        if (dladdr(&mark, &program) != 0 && program.dli_fbase == library.dli_fbase) {
            sgemm = dlsym(RTLD_NEXT, "cblas_sgemm");
            if (sgemm == nullptr || dladdr(sgemm, &library) == 0) return;
        }
        file_ = library.dli_fname;
        handle_ = dlopen(file_, RTLD_LAZY | RTLD_NOLOAD);
    }
    /// Where it really lies.
    [[gnu::cold]] std::string path() const {
        char* const found = file_ != nullptr ? realpath(file_, nullptr) : nullptr;
        std::string path = found != nullptr ? found : file_ != nullptr ? file_ : "";
        std::free(found);
        return path;
    }
    void close() const {
        if (handle_ != nullptr) dlclose(handle_);
    }
    /// Of the library, or of one that it needs itself.
    void* symbol(const char* name) const { return handle_ != nullptr ? dlsym(handle_, name) : nullptr; }
#else
    void find() const {}
    void close() const {}
    std::string path() const { return {}; }
    void* symbol(const char*) const { return nullptr; }
#endif

    template <class F> F* function(const char* name) const { return reinterpret_cast<F*>(symbol(name)); }

#if CROTON_HAS_CBLAS && CROTON_HAS_WEAK_SYMBOLS
    // What the linker knows may be another library's: it counts only where ours could not be asked.
    template <class F> F* either(const char* name, F* linked) const { return handle_ != nullptr ? function<F>(name) : linked; }
    auto openblas_config() const { return either("openblas_get_config", openblas_get_config); }
    auto openblas_kernels() const { return either("gotoblas_corename", gotoblas_corename); }
    auto openblas_threads() const { return either("openblas_get_num_threads", openblas_get_num_threads); }
    auto openblas_set_threads() const { return either("openblas_set_num_threads", openblas_set_num_threads); }
#else
    auto openblas_config() const { return function<char*()>("openblas_get_config"); }
    auto openblas_kernels() const { return function<char*()>("gotoblas_corename"); }
    auto openblas_threads() const { return function<int()>("openblas_get_num_threads"); }
    auto openblas_set_threads() const { return function<void(int)>("openblas_set_num_threads"); }
#endif

public:
    blas_library() { find(); }
    ~blas_library() { close(); }
    blas_library(const blas_library&) = delete;
    blas_library& operator=(const blas_library&) = delete;

    [[gnu::cold]] std::string name() const {
        if constexpr (!has_cblas) return "none";
        if (const auto backend = function<int(char*, std::size_t)>("flexiblas_current_backend")) {
            char text[128] = {};
            backend(text, sizeof text);
            return "FlexiBLAS" + in_brackets(text);
        }
        const auto kernels = openblas_kernels();
        if (const auto config = openblas_config()) {
            // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": the version is the second word.
            const std::string_view text = config();
            return std::string(text.substr(0, text.find(' ', text.find(' ') + 1))) + in_brackets(kernels ? kernels() : "");
        }
        if (kernels) return "OpenBLAS" + in_brackets(kernels());
        if (const auto version = function<void(char*, int)>("MKL_Get_Version_String")) {
            // "Intel(R) oneAPI Math Kernel Library Version 2026.2-Product Build ..."
            char text[256] = {};
            version(text, static_cast<int>(sizeof text) - 1);
            const std::string_view all = text, mark = "Version ";
            const std::size_t at = all.find(mark);
            if (at == all.npos) return "MKL";
            const std::string_view number = all.substr(at + mark.size());
            return "MKL " + std::string(number.substr(0, number.find_first_of("- ")));
        }
        if (const auto version = function<const char*()>("bli_info_get_version_str")) {
            const auto chosen = function<int()>("bli_arch_query_id");
            const auto described = function<const char*(int)>("bli_arch_string");
            return "BLIS " + std::string(version()) + in_brackets(chosen && described ? described(chosen()) : "");
        }
        return name_by_file();
    }

    /// How many threads it uses; 0 where it does not tell.
    int threads() const {
        if (const auto f = function<int()>("flexiblas_get_num_threads")) return f();
        if (const auto f = openblas_threads()) return f();
        if (const auto f = function<int()>("MKL_Get_Max_Threads")) return f();
        if (const auto f = function<std::int64_t()>("bli_thread_get_num_threads")) {
            const std::int64_t count = f();
            return count < 1 ? 1 : static_cast<int>(count);  // -1 is BLIS's word for: nobody asked for more
        }
        return 0;
    }

    /// Does nothing where the library does not let itself be told.
    void set_threads(int count) const {
        if (const auto f = function<void(int)>("flexiblas_set_num_threads")) return f(count);
        if (const auto f = openblas_set_threads()) return f(count);
        if (const auto f = function<void(int)>("MKL_Set_Num_Threads")) return f(count);
        if (const auto f = function<void(std::int64_t)>("bli_thread_set_num_threads")) return f(count);
    }

private:
    [[gnu::cold]] static std::string in_brackets(const char* text) { return *text == 0 ? "" : " (" + std::string(text) + ")"; }

    /// For libraries that do not tell: Debian's BLIS and ATLAS are both called libblas.so.3, in folders of their own.
    [[gnu::cold]] std::string name_by_file() const {
        const std::string where = path();
        const auto cut = [](std::string_view& from) {
            const std::string_view last = from.substr(from.rfind('/') + 1);
            from.remove_suffix(std::min(from.size(), last.size() + 1));
            return last;
        };
        std::string_view rest = where;
        const std::string_view file = cut(rest), folder = cut(rest);
        constexpr std::array<std::array<std::string_view, 2>, 7> known{{{"openblas"sv, "OpenBLAS"sv},
                                                                        {"mkl"sv, "MKL"sv},
                                                                        {"blis"sv, "BLIS"sv},
                                                                        {"atlas"sv, "ATLAS"sv},
                                                                        {"armpl"sv, "Arm Performance Libraries"sv},
                                                                        {"nvpl"sv, "NVPL"sv},
                                                                        {"gslcblas"sv, "reference BLAS of the GSL"sv}}};
        for (const auto& [word, name] : known)
            for (const std::string_view part : {file, folder})
                if (part.starts_with(word) || part.starts_with("lib" + std::string(word))) return std::string(name);
        if (where.find("/vecLib.framework/") != where.npos) return "Accelerate";
        // The C interface of Netlib's own has this variable, and nothing faster was found below it.
        if (symbol("RowMajorStrg") != nullptr) return "reference BLAS (" + std::string(file) + ")";
        return file.empty() ? "unknown BLAS" : std::string(file);
    }

};

/// The bytes of the registers that its kernels for products know. A library that does not tell is trusted to know the processor.
/// Asked once, where every function with products begins: not to be copied there.
CROTON_PLAIN [[gnu::cold, gnu::noinline]] int blas_register_bytes() {
    constexpr int widest = 64;
    const std::string name = blas_library().name();
    const auto has = [&](std::string_view word) { return name.find(word) != name.npos; };
    if (name == "none" || has("reference") || has("NETLIB")) return 0;
    if (!has("OpenBLAS") || !has("(")) return widest;
    for (const std::string_view kernels : {"SkylakeX", "Cooperlake", "SapphireRapids"})
        if (has(kernels)) return widest;
    for (const std::string_view kernels : {"Haswell", "Zen", "Sandybridge", "Bulldozer", "Piledriver", "Steamroller", "Excavator"})
        if (has(kernels)) return 32;
    return 16;
}
CROTON_ONCE(blas_register_bytes<>)

/// How many threads the BLAS uses; 0 where it does not tell, or there is none.
CROTON_PLAIN int blas_threads() { return blas_library().threads(); }
CROTON_ONCE(blas_threads<>)

CROTON_PLAIN [[gnu::noinline]] std::string name_of_blas() { return blas_library().name(); }
CROTON_ONCE(name_of_blas<>)

}  // namespace detail

/// The library that computes the products of `cpu` in this process, as it names itself: "OpenBLAS 0.3.21 (Haswell)" with
/// the kernels it chose for this processor, "MKL 2026.2", "BLIS 0.9.0 (zen3)", "FlexiBLAS (NETLIB)" with the library that
/// it hands on to, "reference BLAS (libblas.so.3)", else the name of its file. "none" where croton was compiled without.
inline std::string blas_name() { return detail::name_of_blas(); }

}  // namespace croton::inline v0_1

#endif
