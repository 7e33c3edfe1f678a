"""Makes files with elements of every type, and virtual datasets, and prints their names."""
import h5py
import numpy as np
from h5py import h5d, h5s, h5t


def raw(f, name, type_, data, shape):
    d = h5d.create(f.id, name.encode(), type_, h5s.create_simple(shape) if shape else h5s.create(h5s.SCALAR))
    d.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(data), mtype=type_)


def numbers(f):
    rng = np.random.default_rng(7)
    for order in "<>":
        for kind in ("i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"):
            x = rng.integers(-100, 100, (3, 5)).astype(order + kind)
            name = ("le_" if order == "<" else "be_") + kind
            f.create_dataset(name, data=x)
            f.attrs[name] = x
            f[name].attrs["scalar"] = x[0, 0]
    f["long_double"] = np.array([1.5, -2, np.inf], np.longdouble)
    f["not_finite"] = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
    for little, name in ((h5t.STD_I32LE, "le"), (h5t.STD_I32BE, "be")):
        t = little.copy()
        t.set_precision(17)
        t.set_offset(5)
        raw(f, "i17_" + name, t, np.frombuffer(rng.bytes(40), "V4"), (10,))
    t = h5t.IEEE_F32LE.copy()
    t.set_fields(15, 7, 8, 0, 7)
    t.set_precision(16)
    t.set_size(2)
    raw(f, "bfloat16", t, np.arange(65536).astype("<u2").view("V2"), (65536,))
    t = h5t.IEEE_F32BE.copy()
    t.set_fields(23, 16, 7, 0, 16)
    t.set_precision(24)
    t.set_size(3)
    t.set_ebias(63)
    raw(f, "f24", t, np.frombuffer(rng.bytes(300), "V3"), (100,))
    for name in ("STD_B8LE", "STD_B16LE", "STD_B32BE", "STD_B64BE"):
        t = getattr(h5t, name)
        raw(f, name, t, np.frombuffer(rng.bytes(4 * t.get_size()), "V%d" % t.get_size()), (4,))
    for name in ("COMPLEX_IEEE_F32LE", "COMPLEX_IEEE_F64BE"):
        if hasattr(h5t, name):
            t = getattr(h5t, name)
            raw(f, name, t, np.arange(3 * t.get_size(), dtype="u1").view("V%d" % t.get_size()), (3,))


def texts(f):
    for pad in (h5t.STR_NULLTERM, h5t.STR_NULLPAD, h5t.STR_SPACEPAD):
        t = h5t.C_S1.copy()
        t.set_size(6)
        t.set_strpad(pad)
        raw(f, "text%d" % pad, t, np.frombuffer(b"ab\0cd ef  \0 ", "V6"), (2,))
        raw(f, "scalar_text%d" % pad, t, np.frombuffer(b"ab    ", "V6"), ())
        raw(f, "empty_text%d" % pad, t, np.frombuffer(b"\0" * 6, "V6"), ())
    f["vl"] = np.array(["", "a", "\u00fc\u4e2d", "x" * 70000, "y" * 40000], dtype=h5py.string_dtype())
    f["vl_scalar"] = "text"
    f.attrs["vl"] = ["one", "", "three"]
    f.attrs["scalar"] = "text"
    f.attrs["fixed"] = np.array([b"ab", b"c"])
    f.attrs["fixed_scalar"] = np.bytes_(b"abc")
    f.create_dataset("vl_unwritten", (4,), h5py.string_dtype(), chunks=(2,))


def sequences(f):
    # No big-endian numbers, because h5py 3.16 does not swap the bytes of their sequences.
    for base in ("<i4", "<i2", "f8", "S3"):
        x = np.empty(4, object)
        for i in range(4):
            x[i] = np.arange(i).astype(base)
        d = f.create_dataset("seq_" + base.strip("<>"), (4,), h5py.vlen_dtype(np.dtype(base)))
        for i in range(4):
            d[i] = x[i]
    f.create_dataset("seq_scalar", (), h5py.vlen_dtype("i4"))[()] = np.arange(5, dtype="i4")
    f.create_dataset("seq_null", (3,), h5py.vlen_dtype("i4"))
    pair = np.dtype([("x", ">i2"), ("y", "f4")])
    d = f.create_dataset("seq_pairs", (2,), h5py.vlen_dtype(pair))
    d[0] = np.array([(1, 2.5), (3, 4.5)], pair)


def compounds(f):
    t = np.dtype({"names": ["a", "b", "c"], "formats": ["i1", ">f8", "u2"], "offsets": [2, 8, 20], "itemsize": 40})
    x = np.zeros((2, 3), t)
    x["a"] = 5
    x["b"] = [[1, 2, 3], [4, 5, 6]]
    f["gaps"] = x
    f.attrs["gaps"] = x[0]
    f["scalar"] = x[1, 1]
    t = np.dtype([("s", "S5"), ("n", [("t", "S3"), ("u", ">i4", (2,))]), ("v", h5py.string_dtype()), ("q", h5py.vlen_dtype("i4")), ("r", h5py.ref_dtype), ("z", "S4", (2,))])
    x = np.zeros(3, t)
    x["s"] = [b"", b"ab", b"abcde"]
    x["n"]["t"] = b"x"
    x["n"]["u"] = [[1, 2], [3, 4], [5, 6]]
    x["v"] = "text"
    for i in range(3):
        x["q"][i] = np.arange(i, dtype="i4")
        x["r"][i] = f["gaps"].ref
    x["z"] = b"zz"
    f["mixed"] = x
    nested = h5py.vlen_dtype(h5py.vlen_dtype("u4"))
    x = np.zeros(3, np.dtype([("n", "i4"), ("q", nested)]))
    for i in range(3):
        inner = np.empty(i, object)
        for k in range(i):
            inner[k] = np.arange(k + 2, dtype="u4")
        x["q"][i] = inner
    f["nested_sequences"] = x
    f.create_dataset("nested_scalar", (), nested)[()] = x["q"][2]
    f["arrays"] = np.zeros(2, np.dtype([("m", ">i2", (2, 3)), ("e", h5py.enum_dtype({"A": 1, "B": 2}, "u1"))]))
    f["bool"] = np.array([True, False])
    f["enum"] = np.array([1, 2], h5py.enum_dtype({"A": 1, "B": 2}, ">i2"))
    f["void"] = np.void(b"opaque")
    f["time"] = np.array(["2020-01-01", "2021-01-01"], "M8[us]").astype(h5py.opaque_dtype("M8[us]"))
    t = h5t.array_create(h5t.STD_I16BE, (2, 3))
    raw(f, "array_type", t, np.arange(24, dtype="u1").view("V12"), (2,))


def objects(f):
    f["deep/er/data"] = np.arange(3)
    f["also"] = f["deep/er/data"]
    f["deep/circle"] = f["deep"]
    f["soft"] = h5py.SoftLink("/also")
    f["outside"] = h5py.ExternalLink("missing.h5", "/x")
    f["type"] = np.dtype("f8")
    d = f.create_dataset("refs", (4,), h5py.ref_dtype)
    d[0], d[1], d[2] = f["deep"].ref, f["deep/er/data"].ref, f.ref
    d = f.create_dataset("regions", (2,), h5py.regionref_dtype)
    d[0] = f["also"].regionref[1:2]
    f.attrs["ref"] = f["also"].ref
    f.create_dataset("null", data=h5py.Empty("i4"))
    f.attrs["null"] = h5py.Empty("f4")
    f["none"] = np.zeros((0, 3))
    f.attrs["none"] = np.zeros((0,), "i2")


def virtual(low):
    parts = []
    for i in range(3):
        name = "part_%s_%d.h5" % (low, i)
        with h5py.File(name, "w", libver=(low, "latest")) as f:
            f.create_dataset("data", data=np.arange(i * 100, i * 100 + 20, dtype=">i4").reshape(4, 5), maxshape=(None, 5), chunks=(2, 5))
        parts.append(name)
    growing = "grows_%s.h5" % low
    with h5py.File(growing, "w", libver=(low, "latest")) as f:
        f.create_dataset("data", data=np.ones((4, 5), "i4"), maxshape=(None, 5), chunks=(2, 5))
    name = "virtual_%s.h5" % low
    with h5py.File(name, "w", libver=(low, "latest")) as f:
        stack = h5py.VirtualLayout((5, 4, 5), "i8")
        for i, part in enumerate(parts):
            stack[i] = h5py.VirtualSource(part, "data", (4, 5))
        stack[4] = h5py.VirtualSource("missing.h5", "data", (4, 5))
        f.create_virtual_dataset("stack", stack, fillvalue=-7)
        odd = h5py.VirtualLayout((6, 10), "f4")
        odd[0:6:2, 1:6] = h5py.VirtualSource(parts[0], "data", (4, 5))[1:4]
        odd[1:6:2, 0:10:2] = h5py.VirtualSource(parts[1], "data", (4, 5))[0:3]
        f.create_virtual_dataset("odd", odd, fillvalue=0.5)
        f["own"] = np.arange(12).reshape(3, 4)
        same = h5py.VirtualLayout((4, 3), "i8")
        same[...] = h5py.VirtualSource(".", "own", (3, 4))
        f.create_virtual_dataset("same", same)
        grows = h5py.VirtualLayout((4, 5), "i4", maxshape=(None, 5))
        source = h5py.VirtualSource(growing, "data", (4, 5), maxshape=(None, 5))
        grows[0:h5py.h5s.UNLIMITED, :] = source[0:h5py.h5s.UNLIMITED, :]
        f.create_virtual_dataset("grows", grows)
        block = h5py.VirtualLayout((4, 5), "i4", maxshape=(None, 5))
        space = h5s.create_simple((4, 5), (h5s.UNLIMITED, 5))
        space.select_hyperslab((0, 0), (h5s.UNLIMITED, 1), (4, 1), (4, 5))
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_virtual(space, ("part_%s_%%b.h5" % low).encode(), b"data", h5s.create_simple((4, 5)))
        h5d.create(f.id, b"blocks", h5t.STD_I32LE, h5s.create_simple((4, 5), (h5s.UNLIMITED, 5)), p)
    with h5py.File(growing, "a") as f:
        f["data"].resize((7, 5))
        f["data"][4:] = 9
    return name


for low in ("earliest", "latest"):
    for make in (numbers, texts, sequences, compounds, objects):
        name = "%s_%s.h5" % (make.__name__, low)
        with h5py.File(name, "w", libver=(low, "latest")) as f:
            make(f)
        print(name)
    print(virtual(low))
