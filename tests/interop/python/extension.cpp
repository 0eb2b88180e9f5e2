// SPDX-License-Identifier: MIT
// A module for Python that takes and gives arrays by DLPack: what check.py tries with NumPy and PyTorch.
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <croton/interop/dlpack.hpp>

namespace py = pybind11;
using namespace croton;

namespace {

/// The tensor in a capsule, which is marked as taken.
template <class Managed> Managed* taken(PyObject* capsule) {
    auto* tensor = static_cast<Managed*>(PyCapsule_GetPointer(capsule, dlpack::capsule_name<Managed>));
    if (tensor == nullptr || PyCapsule_SetName(capsule, dlpack::used_capsule_name<Managed>) != 0) throw py::error_already_set();
    return tensor;
}

/// A capsule of a tensor, which is given back unless somebody takes it.
template <class Managed> py::capsule given(Managed* tensor) {
    return py::reinterpret_steal<py::capsule>(PyCapsule_New(tensor, dlpack::capsule_name<Managed>, [](PyObject* capsule) {
        if (PyCapsule_IsValid(capsule, dlpack::capsule_name<Managed>) == 0) return;
        auto* left = static_cast<Managed*>(PyCapsule_GetPointer(capsule, dlpack::capsule_name<Managed>));
        left->deleter(left);
    }));
}

/// The elements of any array of Python that knows DLPack, by the newest version that it has.
template <class T, int Rank> held_view<T, Rank> elements_of(const py::object& x, bool newest) {
    py::capsule capsule;
    if (newest) capsule = x.attr("__dlpack__")(py::arg("max_version") = py::make_tuple(1, 0));
    else capsule = x.attr("__dlpack__")();
    if (PyCapsule_IsValid(capsule.ptr(), dlpack::capsule_name<dlpack::DLManagedTensor>) != 0)
        return from_dlpack<T, Rank>(taken<dlpack::DLManagedTensor>(capsule.ptr()));
    return from_dlpack<T, Rank>(taken<dlpack::DLManagedTensorVersioned>(capsule.ptr()));
}

/// How many arrays are there that were given to Python.
int alive = 0;

/// What Python asks for a capsule, as often as it likes.
template <class T, int Rank> struct exported {
    held_view<T, Rank> elements;

    py::capsule capsule(const py::object&, const py::object& max_version, const py::object&, const py::object&) const {
        if (!max_version.is_none() && max_version.cast<py::tuple>()[0].cast<int>() >= 1) return given(to_dlpack(elements));
        if constexpr (!std::is_const_v<T>) return given(to_dlpack<dlpack::DLManagedTensor>(elements));
        else throw py::buffer_error("what may only be read needs version 1 of DLPack");
    }
};

template <class T, int Rank> void bind_tensor(py::module_& m, const char* name) {
    using bound = exported<T, Rank>;
    py::class_<bound>(m, name)
        .def("__dlpack__", &bound::capsule, py::arg("stream") = py::none(), py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
             py::arg("copy") = py::none())
        .def("__dlpack_device__", [](const bound&) { return py::make_tuple(1, 0); });
}

template <class T> exported<T, 1> echoed(const py::object& x, bool newest) { return {elements_of<T, 1>(x, newest)}; }

template <class T> void bind_element(py::module_& m, const std::string& name) {
    bind_tensor<T, 1>(m, ("tensor1_" + name).c_str());
    m.def(("echo_" + name).c_str(), &echoed<T>);
}

}  // namespace

PYBIND11_MODULE(croton_dlpack, m) {
    bind_tensor<float, 2>(m, "tensor2_float32");
    bind_tensor<const float, 2>(m, "tensor2_const_float32");
    bind_element<bool>(m, "bool");
    bind_element<std::int8_t>(m, "int8");
    bind_element<std::int16_t>(m, "int16");
    bind_element<std::int32_t>(m, "int32");
    bind_element<std::int64_t>(m, "int64");
    bind_element<std::uint8_t>(m, "uint8");
    bind_element<std::uint16_t>(m, "uint16");
    bind_element<std::uint32_t>(m, "uint32");
    bind_element<std::uint64_t>(m, "uint64");
    bind_element<half>(m, "float16");
    bind_element<bfloat16>(m, "bfloat16");
    bind_element<float>(m, "float32");
    bind_element<double>(m, "float64");

    // Written where it lies.
    m.def("scale", [](const py::object& x, float by, bool newest) {
        const auto held = elements_of<float, 2>(x, newest);
        held.as_view() *= by;
    });
    m.def("row_sums", [](const py::object& x, bool newest) {
        array<float, 1> sums = sum<1>(elements_of<const float, 2>(x, newest));
        return exported<float, 1>{held_view(std::make_shared<array<float, 1>>(std::move(sums)))};
    });
    const auto counted = [](std::int64_t rows, std::int64_t columns) {
        array<float, 2> x(rows, columns);
        float next = 0;
        for (float& v : x) v = next++;
        ++alive;
        return std::shared_ptr<array<float, 2>>(new array<float, 2>(std::move(x)), [](array<float, 2>* last) {
            --alive;
            delete last;
        });
    };
    m.def("counting", [counted](std::int64_t rows, std::int64_t columns) { return exported<float, 2>{held_view(counted(rows, columns))}; });
    m.def("counting_turned", [counted](std::int64_t rows, std::int64_t columns) {
        const auto x = counted(columns, rows);
        return exported<float, 2>{{x->as_view().transpose(), x}};
    });
    m.def("constant", [counted](std::int64_t rows, std::int64_t columns) {
        const std::shared_ptr<const array<float, 2>> x = counted(rows, columns);
        return exported<const float, 2>{held_view(x)};
    });
    m.def("alive", [] { return alive; });
}
