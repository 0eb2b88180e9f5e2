# SPDX-License-Identifier: MIT
# Writes the .npy and .npz files that the tests read, with NumPy itself: python3 make_npy.py
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent / "npy"
here.mkdir(exist_ok=True)

matrix = np.array([[1, -2.5, 3], [4, 5, 1e-3]], dtype="<f4")
cube = np.arange(24, dtype="<i4").reshape(2, 3, 4)

np.save(here / "float_2x3.npy", matrix)
np.save(here / "float_2x3_fortran.npy", np.asfortranarray(matrix))
np.save(here / "half_2x3.npy", np.array([[1, -2.5, 0.1], [65504, 6e-8, np.inf]], dtype="<f2"))
np.save(here / "double_5.npy", np.array([0, -0.0, np.inf, -np.inf, np.pi], dtype="<f8"))
np.save(here / "int_2x3x4.npy", cube)
np.save(here / "int_2x3x4_fortran.npy", np.asfortranarray(cube))
np.save(here / "int64_3.npy", np.array([-(2**63), 0, 2**63 - 1], dtype="<i8"))
np.save(here / "bool_2x2.npy", np.array([[True, False], [False, True]]))
np.save(here / "double_number.npy", np.array(2.5))
np.save(here / "float_0x3.npy", np.zeros((0, 3), dtype="<f4"))
np.save(here / "big_endian.npy", np.array([1, 2], dtype=">f4"))
np.save(here / "record.npy", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f4")]))
for version in [(2, 0), (3, 0)]:
    with open(here / f"float_2x3_version{version[0]}.npy", "wb") as file:
        np.lib.format.write_array(file, matrix, version=version)

model = {
    "hidden.weight": matrix,
    "hidden.bias": np.array([1, 2, 3], dtype="<f4"),
    "layers[0].weight": 2 * matrix,
    "layers[0].bias": np.array([4], dtype="<f4"),
    "layers[1].weight": np.zeros((0, 0), dtype="<f4"),
    "layers[1].bias": np.array([5, 6], dtype="<f4"),
    "scale": np.array(0.25),
}
np.savez(here / "model.npz", **model)
np.savez_compressed(here / "model_compressed.npz", **model)
