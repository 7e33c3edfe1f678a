"""Writes golden chunks of the HDF5 library's own filters and of LZF, one per line.

name TAB id TAB client data TAB datatype TAB chunk shape TAB fill value TAB bytes TAB sha256 TAB stored
TAB bytes before filtering, of filters that lose some
"""
import hashlib, sys
import h5py, numpy as np
from h5py import h5t, h5p, h5s, h5d, h5f, h5z

rng = np.random.default_rng(5)
fid = h5f.create(b"x.h5", fapl=(lambda p: (p.set_fapl_core(), p.set_libver_bounds(h5f.LIBVER_V110, h5f.LIBVER_LATEST), p)[2])(h5p.create(h5p.FILE_ACCESS)))
out = []
count = 0

def chunk(name, tid, typename, shape, filters, data, mem=None, fill=None, fillname="zero", undefined=False):
    """data: numpy array in memory type mem (or None for the file type)"""
    global count
    count += 1
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk(shape)
    if undefined:
        pass
    elif fill is not None:
        plist.set_fill_value(fill)
    fid_, flags, cd = filters
    if fid_ == 4:
        plist.set_szip(cd[0], cd[1])
    elif fid_ == 6:
        plist.set_scaleoffset(cd[0], cd[1])
    else:
        plist.set_filter(fid_, flags, cd)
    space = h5s.create_simple(shape)
    ds = h5d.create(fid, b"d%d" % count, tid, space, plist)
    ds.write(h5s.ALL, h5s.ALL, data, mem if mem is not None else tid)
    ds.flush()
    mask, stored = ds.read_direct_chunk((0,) * len(shape))
    back = np.zeros(int(np.prod(shape)) * tid.get_size(), "u1")
    ds.read(h5s.ALL, h5s.ALL, back, tid)
    _, _, values, _ = ds.get_create_plist().get_filter(0)
    if mask:
        print("skipped by the library:", name, file=sys.stderr)
        return
    out.append("\t".join([name, str(fid_), ",".join(str(v) for v in values), typename,
        ",".join(map(str, shape)), fillname, str(len(back)), hashlib.sha256(back.tobytes()).hexdigest(), stored.hex(), np.asarray(data).tobytes().hex() if fid_ == 6 and typename[0] == "f" else ""]))

def raw(values, size, order):
    """numbers as bytes of any size"""
    b = bytearray()
    for v in values:
        b += (int(v) & (1 << 8 * size) - 1).to_bytes(size, order)
    return np.frombuffer(bytes(b), "u1").copy()

std = {}
for s in (8, 16, 32, 64):
    for e in ("LE", "BE"):
        std[f"i{s}{e}"] = getattr(h5t, f"STD_I{s}{e}")
        std[f"u{s}{e}"] = getattr(h5t, f"STD_U{s}{e}")
for s in (32, 64):
    for e in ("LE", "BE"):
        std[f"f{s}{e}"] = getattr(h5t, f"IEEE_F{s}{e}")

# nbit: atomic
NB = (5, h5z.FLAG_OPTIONAL, ())
for base, precision, offset in [("i32LE", 17, 4), ("i32BE", 17, 4), ("u16LE", 12, 0), ("u16BE", 9, 3), ("u8LE", 3, 2),
                                ("i64LE", 40, 20), ("i64BE", 41, 13), ("u64LE", 63, 1), ("u32LE", 1, 31), ("i16LE", 16, 0), ("u64BE", 8, 8)]:
    t = std[base].copy()
    t.set_offset(0); t.set_precision(precision); t.set_offset(offset)
    size = t.get_size(); order = "little" if base.endswith("LE") else "big"
    vals = [int(v) << offset for v in rng.integers(0, 2**min(precision, 62), 37)]
    chunk(f"nbit {base} {precision}@{offset}", t, f"{base}/{precision}/{offset}", (37,), NB, raw(vals, size, order))
# nbit float: 20 significant bits
for e, order in (("LE", "little"), ("BE", "big")):
    t = std[f"f32{e}"].copy(); t.set_fields(26, 20, 6, 7, 13); t.set_offset(7); t.set_precision(20); 
    vals = [int(v) << 7 for v in rng.integers(0, 1 << 20, 21)]
    chunk(f"nbit float {e}", t, f"float20{e}", (3, 7), NB, raw(vals, 4, order))
# nbit: array, compound, opaque, enum members
t17 = std["i32LE"].copy(); t17.set_precision(17); t17.set_offset(4)
t9 = std["u16BE"].copy(); t9.set_precision(9); t9.set_offset(3)
arr = h5t.array_create(t17, (2, 3))
vals = [int(v) << 4 for v in rng.integers(0, 1 << 17, 30)]
chunk("nbit array", arr, "array[2,3]i32LE/17/4", (5,), NB, raw(vals, 4, "little"))
comp = h5t.create(h5t.COMPOUND, 32)
comp.insert(b"a", 2, t17); comp.insert(b"b", 6, t9); comp.insert(b"c", 9, h5t.array_create(t9, (2,)))
op = h5t.create(h5t.OPAQUE, 5); op.set_tag(b"")
comp.insert(b"d", 14, op)
inner = h5t.create(h5t.COMPOUND, 6); inner.insert(b"x", 1, t17); inner.insert(b"y", 5, std["u8LE"])
comp.insert(b"e", 20, inner)
data = bytearray()
for i in range(6):
    b = bytearray(32)
    b[2:6] = (int(rng.integers(0, 1 << 17)) << 4).to_bytes(4, "little")
    for at in (6, 9, 11): b[at:at+2] = (int(rng.integers(0, 1 << 9)) << 3).to_bytes(2, "big")
    b[14:19] = bytes(rng.integers(0, 256, 5, dtype="u1"))
    b[21:25] = (int(rng.integers(0, 1 << 17)) << 4).to_bytes(4, "little"); b[25] = int(rng.integers(0, 256))
    data += b
chunk("nbit compound", comp, "compound", (6,), NB, np.frombuffer(bytes(data), "u1").copy())
chunk("nbit full precision", std["u16LE"], "u16LE", (9,), NB, rng.integers(0, 60000, 9).astype("<u2"))

# scale-offset: integers
for base in std:
    if base[0] == "f": continue
    size = std[base].get_size(); signed = base[0] == "i"; order = "little" if base.endswith("LE") else "big"
    dt = np.dtype(("<" if order == "little" else ">") + base[0] + str(size))
    low = -50 if signed else 20
    vals = rng.integers(low, low + 77, 45).astype(dt)
    vals[7] = 0; vals[30] = 0
    chunk(f"scaleoffset auto {base}", std[base], base, (45,), (6, 0, (2, 0)), vals)
    chunk(f"scaleoffset 7 bits {base}", std[base], base, (9, 5), (6, 0, (2, 7)), vals)
    fillv = np.array(low + 5, dt)
    vals2 = vals.copy(); vals2[3:9] = low + 5
    chunk(f"scaleoffset fill {base}", std[base], base, (45,), (6, 0, (2, 0)), vals2, fill=fillv, fillname=fillv.tobytes().hex())
    info = np.iinfo(dt)
    wide = rng.integers(info.min, info.max, 12, dtype=dt.newbyteorder("=")).astype(dt); wide[0] = info.min; wide[1] = info.max
    chunk(f"scaleoffset wide {base}", std[base], base, (12,), (6, 0, (2, 0)), wide)
    chunk(f"scaleoffset constant {base}", std[base], base, (12,), (6, 0, (2, 0)), np.full(12, 9, dt))
    chunk(f"scaleoffset all fill {base}", std[base], base, (12,), (6, 0, (2, 0)), np.zeros(12, dt))
for base in ("f32LE", "f32BE", "f64LE", "f64BE"):
    size = std[base].get_size()
    dt = np.dtype(("<" if base.endswith("LE") else ">") + "f" + str(size))
    for digits in (3, 0, 1, 6):
        vals = (rng.normal(0, 30, 40)).astype(dt)
        chunk(f"scaleoffset {digits} digits {base}", std[base], base, (40,), (6, 0, (0, digits)), vals)
    vals = (rng.normal(5, 2, 40)).astype(dt); vals[4:11] = -1.5
    fillv = np.array(-1.5, dt)
    chunk(f"scaleoffset fill {base}", std[base], base, (8, 5), (6, 0, (0, 2)), vals, fill=fillv, fillname=fillv.tobytes().hex())
    big = (rng.normal(0, 1e30, 6)).astype(dt)
    chunk(f"scaleoffset huge {base}", std[base], base, (6,), (6, 0, (0, 4)), big)

# szip
for coding, mask in (("nn", 32), ("ec", 4)):
    for base in std:
        size = std[base].get_size(); order = "<" if base.endswith("LE") else ">"
        dt = np.dtype(order + ("f" if base[0] == "f" else base[0]) + str(size))
        for shape, ppb in (((64,), 8), ((5, 37), 16), ((3, 4, 11), 32), ((70,), 10)):
            n = int(np.prod(shape))
            walk = np.cumsum(rng.integers(-3, 4, n)) + 100
            if base[0] == "f": walk = walk / 8
            chunk(f"szip {coding} {base} {shape} {ppb}", std[base], base, shape, (4, 0, (mask, ppb)), walk.astype(dt))
    dt = np.dtype("<u2")
    zeros = np.zeros(5000, dt); zeros[1234] = 7; zeros[4000:4100] = rng.integers(0, 65535, 100)
    chunk(f"szip {coding} zeros", std["u16LE"], "u16LE", (5000,), (4, 0, (mask, 16)), zeros)
    sparse = (rng.random(600) < 0.1).astype("u1")
    chunk(f"szip {coding} sparse", std["u8LE"], "u8LE", (600,), (4, 0, (mask, 8)), sparse)
    t = std["i32LE"].copy(); t.set_precision(20)
    chunk(f"szip {coding} 20 bits", t, "i32LE/20/0", (100,), (4, 0, (mask, 8)), np.cumsum(rng.integers(-9, 10, 100)).astype("<i4") + 1000)
    t = std["u16BE"].copy(); t.set_precision(11)
    chunk(f"szip {coding} 11 bits", t, "u16BE/11/0", (100,), (4, 0, (mask, 8)), rng.integers(0, 2048, 100).astype(">u2") // 8)

# lzf
for name, data in (("text", np.frombuffer(b"the quick brown fox jumps over the lazy dog, the quick brown fox jumps " * 5, "u1")),
                   ("zeros", np.zeros(1000, "u1")),
                   ("period", np.tile(np.arange(9, dtype="u1"), 70))):
    data = data.copy()
    chunk(f"lzf {name}", std["u8LE"], "u8LE", (len(data),), (32000, h5z.FLAG_OPTIONAL, ()), data)
open("hdf5-chunks.tsv", "w").write("\n".join(out) + "\n")
print(len(out), sum(map(len, out)))
