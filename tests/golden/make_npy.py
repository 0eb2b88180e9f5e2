# SPDX-License-Identifier: MIT
# Writes the .npy and .npz files that the tests read, with NumPy itself: python3 make_npy.py
import io
import pathlib
import struct
import zipfile

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

# Archives with 64-bit fields: in the entries, in the end record, and one written to what cannot be sought in.
pair = {"a.npy": np.array([[1, 2], [3, 4]], dtype="<f4"), "b.npy": np.array([5, 6], dtype="<f4")}


def bytes_of(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


class Pipe(io.RawIOBase):
    def __init__(self):
        self.bytes = b""

    def writable(self):
        return True

    def write(self, more):
        self.bytes += bytes(more)
        return len(more)


with zipfile.ZipFile(here / "zip64_entries.npz", "w") as archive:
    for name, array in pair.items():
        with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as entry:
            entry.write(bytes_of(array))
pipe = Pipe()
with zipfile.ZipFile(pipe, "w") as archive:
    for name, array in pair.items():
        archive.writestr(zipfile.ZipInfo(name), bytes_of(array))
(here / "streamed.npz").write_bytes(pipe.bytes)
end = pipe.bytes.rfind(b"PK\5\6")
count, size, start = struct.unpack("<HLL", pipe.bytes[end + 10 : end + 20])
record = b"PK\6\6" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, size, start)
locator = b"PK\6\7" + struct.pack("<LQL", 0, end, 1)
full = b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
(here / "zip64_end.npz").write_bytes(pipe.bytes[:end] + record + locator + full)
