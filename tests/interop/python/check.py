# SPDX-License-Identifier: MIT
"""Arrays of NumPy and PyTorch in croton, and croton's in them, by DLPack: the same memory, for as long as anybody needs it."""
import gc
import importlib
import sys

import croton_dlpack as c

checks = 0


def check(fact, what):
    global checks
    checks += 1
    if not fact:
        raise AssertionError(what)


def raises(sentence, call):
    try:
        call()
    except Exception as e:  # whatever the module throws
        check(sentence in str(e), f"{e!r} does not say: {sentence}")
    else:
        check(False, f"nothing says: {sentence}")


def speaks_version_1(x):
    try:
        x.__dlpack__(max_version=(1, 0))
        return True
    except TypeError:
        return False


def address_of(x):
    return x.data_ptr() if hasattr(x, "data_ptr") else x.__array_interface__["data"][0]


def try_library(lib, from_dlpack, names, new, is_equal):
    for newest in [False, True] if speaks_version_1(new([[1.0]], "float32")) else [False]:
        x = new([[1, 2, 3], [4, 5, 6]], "float32")
        c.scale(x, 10, newest)
        check(is_equal(x, [[10, 20, 30], [40, 50, 60]]), "scaled in place")
        c.scale(x.T, 0.1, newest)  # strides
        c.scale(x[:, 1:], 2, newest)  # an offset, which is one of bytes or one of the pointer
        check(abs(x - new([[1, 4, 6], [4, 10, 12]], "float32")).max() < 1e-5, "parts are scaled in place")
        sums = from_dlpack(c.row_sums(x[:, ::2], newest))
        check(abs(sums - new([7, 16], "float32")).max() < 1e-5, "a result")
        raises("from_dlpack: the tensor holds float64, but is asked for as float32", lambda: c.scale(new([[1]], "float64"), 1, newest))
        raises("from_dlpack: the tensor [3] has 1 axis, but is asked for with 2", lambda: c.scale(new([1, 2, 3], "float32"), 1, newest))
        for name in names:
            some = new([0, 1, 1], name)
            back = from_dlpack(getattr(c, "echo_" + name)(some[::2], newest))
            check(back.dtype == some.dtype and back.shape == (2,), f"{name} comes back as {back.dtype}")
            check(address_of(back) == address_of(some), f"{name} comes back where it was")
            check(is_equal(back, new([0, 1], name)), f"{name} comes back")
        # What holds it lives as long as what was made of it.
        some = new([1, 2, 3], "float32")
        back = from_dlpack(c.echo_float32(some, newest))
        del some
        gc.collect()
        check(is_equal(back, [1, 2, 3]), "the owner lives on")

    x = from_dlpack(c.counting(2, 3))
    gc.collect()
    check(c.alive() == 1, "an array that was given lives")
    part = x[1]
    del x
    gc.collect()
    check(is_equal(part, [3, 4, 5]) and c.alive() == 1, "a part of it lives")
    del part
    gc.collect()
    check(c.alive() == 0, "and goes")
    turned = from_dlpack(c.counting_turned(2, 3))
    check(is_equal(turned, [[0, 2, 4], [1, 3, 5]]), "strides")
    del turned
    given = c.counting(1, 1)
    given.__dlpack__()  # nobody takes it
    del given
    gc.collect()
    check(c.alive() == 0, "a capsule that nobody took")


def main():
    tried = []
    try:
        np = importlib.import_module("numpy")
    except ImportError:
        np = None
    if np is not None:
        integers = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
        floats = ["float16", "float32", "float64"]
        # NumPy 1 hands no truth values over.
        names = integers + floats + (["bool"] if int(np.__version__.split(".")[0]) >= 2 else [])
        try_library(np, np.from_dlpack, names, lambda values, kind: np.array(values, dtype=kind), np.array_equal)
        if int(np.__version__.split(".")[0]) >= 2:
            constant = np.from_dlpack(c.constant(2, 2))
            check(not constant.flags.writeable, "read only in NumPy")
            raises("from_dlpack: the tensor may only be read", lambda: c.scale(constant, 1, True))
            del constant
        tried.append(f"NumPy {np.__version__}")
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        torch = None
    if torch is not None:
        names = ["int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64"]
        if int(torch.__version__.split(".")[0]) >= 2:  # PyTorch 1 hands truth values over as bytes
            names.append("bool")

        def equal(a, b):
            return torch.equal(a, b if isinstance(b, torch.Tensor) else torch.tensor(b, dtype=a.dtype))

        try_library(torch, torch.from_dlpack, names, lambda values, kind: torch.tensor(values, dtype=getattr(torch, kind)), equal)
        tried.append(f"PyTorch {torch.__version__}")
    if not tried:
        print("skipped: neither NumPy nor PyTorch is installed for", sys.executable)
        return 77
    print(f"{checks} checks with {' and '.join(tried)}")
    return 0


sys.exit(main())
