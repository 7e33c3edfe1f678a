"""Encodes datatypes, dataspaces and property lists with the HDF5 library that h5py has loaded.

encodings.py samples          prints one line for each sample: kind, name, hex
encodings.py check FILE       decodes each line of FILE (kind, name, hex) and prints: whether the
                              result equals the sample with this name (equal, different, none if
                              there is no such sample, or refused if the library cannot decode it),
                              and the hex of the result encoded again
"""
import ctypes
import os
import sys

import h5py
import numpy as np
from h5py import h5p, h5s, h5t

HID = ctypes.c_int64
VERSION = tuple(int(n) for n in h5py.version.hdf5_version.split('.')[:2])


def loaded():
    maps = [line.split()[-1] for line in open('/proc/self/maps')]
    return ctypes.CDLL(next(m for m in maps if 'libhdf5' in os.path.basename(m)
                            and '_hl' not in m and '_cpp' not in m))


LIB = loaded()


def function(names, result, *arguments):
    f = next(getattr(LIB, name) for name in names if hasattr(LIB, name))
    f.restype = result
    f.argtypes = arguments
    return f


INT, SIZE, POINTER, TEXT = ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
t_encode = function(['H5Tencode'], INT, HID, POINTER, POINTER)
t_equal = function(['H5Tequal'], INT, HID, HID)
s_encode_1 = function(['H5Sencode1', 'H5Sencode'], INT, HID, POINTER, POINTER)
s_extent_equal = function(['H5Sextent_equal'], INT, HID, HID)
s_decode = function(['H5Sdecode'], HID, POINTER)
p_decode = function(['H5Pdecode'], HID, POINTER)
p_equal = function(['H5Pequal'], INT, HID, HID)
close = function(['H5Idec_ref'], INT, HID)


def t_decode(data):
    if hasattr(LIB, 'H5Tdecode2'):
        return function(['H5Tdecode2'], HID, POINTER, SIZE)(data, len(data))
    return function(['H5Tdecode'], HID, POINTER)(data)


def call(code):
    if code < 0:
        raise RuntimeError('the library failed')
    return code


def twice(encode):
    size = SIZE(0)
    call(encode(None, ctypes.addressof(size)))
    data = ctypes.create_string_buffer(size.value + 1)
    call(encode(data, ctypes.addressof(size)))
    return data.raw[:size.value]


def encoded_type(i):
    return twice(lambda data, size: t_encode(i, data, size))


def encoded_space(i, latest):
    if VERSION < (1, 12):
        return twice(lambda data, size: s_encode_1(i, data, size))
    access = h5p.create(h5p.FILE_ACCESS)
    low = h5py.h5f.LIBVER_LATEST if latest else h5py.h5f.LIBVER_EARLIEST
    access.set_libver_bounds(low, h5py.h5f.LIBVER_LATEST)
    f = function(['H5Sencode2'], INT, HID, POINTER, POINTER, HID)
    return twice(lambda data, size: f(i, data, size, access.id))


def encoded_list(i):
    if hasattr(LIB, 'H5Pencode2'):
        f = function(['H5Pencode2'], INT, HID, POINTER, POINTER, HID)
        return twice(lambda data, size: f(i, data, size, 0))
    f = function(['H5Pencode'], INT, HID, POINTER, POINTER)
    return twice(lambda data, size: f(i, data, size))


def predefined(name):
    return h5t.TypeID(function(['H5Tcopy'], HID, HID)(HID.in_dll(LIB, name).value))


def types():
    found = {}
    for name in ('STD_I8LE STD_I8BE STD_I16LE STD_I16BE STD_I32LE STD_I32BE STD_I64LE STD_I64BE STD_U8LE STD_U8BE '
                 'STD_U16LE STD_U16BE STD_U32LE STD_U32BE STD_U64LE STD_U64BE NATIVE_INT IEEE_F32LE IEEE_F32BE '
                 'IEEE_F64LE IEEE_F64BE NATIVE_LDOUBLE STD_B8LE STD_B16LE STD_B32BE STD_B64LE STD_REF_OBJ '
                 'STD_REF_DSETREG UNIX_D32LE UNIX_D64BE').split():
        found['H5T_' + name] = predefined('H5T_%s_g' % name)
    i16, i32, i64, u16 = h5t.STD_I16LE, h5t.STD_I32LE, h5t.STD_I64LE, h5t.STD_U16BE
    f64 = h5t.IEEE_F64LE
    for order, base in (('LE', h5t.IEEE_F32LE), ('BE', h5t.IEEE_F32BE)):
        t = base.copy()
        t.set_fields(15, 10, 5, 0, 10), t.set_size(2), t.set_ebias(15)
        found['F16' + order] = t
    t = i32.copy()
    t.set_precision(12), t.set_offset(3)
    found['I32LE prec12 off3'] = t

    def text(size, pad, cset):
        t = h5t.C_S1.copy()
        t.set_size(size), t.set_strpad(pad), t.set_cset(cset)
        return t
    found['string size1'] = text(1, h5t.STR_NULLTERM, h5t.CSET_ASCII)
    found['string size10 nullpad ascii'] = text(10, h5t.STR_NULLPAD, h5t.CSET_ASCII)
    found['string size10 spacepad utf8'] = text(10, h5t.STR_SPACEPAD, h5t.CSET_UTF8)
    vl = text(h5t.VARIABLE, h5t.STR_NULLTERM, h5t.CSET_ASCII)
    found['VL string ascii'] = vl
    found['VL string utf8'] = text(h5t.VARIABLE, h5t.STR_NULLTERM, h5t.CSET_UTF8)
    found['VLEN of I32LE'] = h5t.vlen_create(i32)
    found['VLEN of F64BE'] = h5t.vlen_create(h5t.IEEE_F64BE)
    found['VLEN of VLEN of I16LE'] = h5t.vlen_create(h5t.vlen_create(i16))
    found['VLEN of VL string'] = h5t.vlen_create(vl)

    def compound(size, *members):
        t = h5t.create(h5t.COMPOUND, size)
        for name, offset, member in members:
            t.insert(name, offset, member)
        return t
    found['COMPOUND24'] = compound(24, (b'a', 0, i32), (b'b', 8, f64), (b'longer_name', 16, u16))
    packed = compound(14, (b'a', 0, i32), (b'b', 4, f64), (b'longer_name', 12, u16))
    found['COMPOUND14'] = packed
    found['COMPOUND nested+array+VL string'] = compound(
        32, (b'in', 0, packed), (b'ar', 14, h5t.array_create(h5t.STD_I8LE, (2, 3))), (b'vs', 20, vl))
    found['COMPOUND of VL'] = compound(
        40, (b'end', 32, vl), (b'first', 0, vl), (b'mid', 12, h5t.vlen_create(i16)))
    found['ARRAY of VL string'] = h5t.array_create(vl, (3,))
    found['ARRAY of COMPOUND of VL'] = h5t.array_create(compound(12, (b's', 0, vl), (b'n', 8, i32)), (2, 2))
    found['COMPOUND300'] = compound(300, (b's', 0, text(290, h5t.STR_NULLTERM, h5t.CSET_ASCII)), (b'i', 290, i64))

    def enumeration(base, **members):
        t = h5t.enum_create(base)
        for name, value in members.items():
            t.enum_insert(name.encode(), value)
        return t
    found['ENUM bool'] = enumeration(h5t.STD_I8LE, FALSE=0, TRUE=1)
    found['ENUM color'] = enumeration(i32, RED=1, GREEN=-2, BLUE_LONG=300)
    found['ARRAY I32LE [5]'] = h5t.array_create(i32, (5,))
    found['ARRAY F64LE [2,3,4]'] = h5t.array_create(f64, (2, 3, 4))
    for size, tag in ((7, b'tag'), (16, b''), (16, b'eight888')):
        t = h5t.create(h5t.OPAQUE, size)
        t.set_tag(tag)
        found['OPAQUE %d %s' % (size, tag.decode())] = t
    if VERSION >= (1, 12):
        found['H5T_STD_REF'] = predefined('H5T_STD_REF_g')
    return found


def spaces():
    found = {}

    def space(name, dims, maximum=None, select=lambda s: None):
        s = h5s.create_simple(dims, maximum)
        select(s)
        found[name] = s
    found['scalar'] = h5s.create(h5s.SCALAR)
    found['null'] = h5s.create(h5s.NULL)
    space('[7]', (7,))
    space('[4,5,6]', (4, 5, 6))
    space('[4,5,6] max [10,5,inf]', (4, 5, 6), (10, 5, h5s.UNLIMITED))
    space('[0] max [inf]', (0,), (h5s.UNLIMITED,))
    space('[5e9]', (5 * 10 ** 9,))
    box = (10, 20)
    space('none', box, None, lambda s: s.select_none())
    space('block', box, None, lambda s: s.select_hyperslab((1, 2), (1, 1), block=(3, 4)))
    space('pattern', box, None, lambda s: s.select_hyperslab((1, 2), (3, 3), (3, 5), (2, 4)))
    space('adjacent', box, None, lambda s: s.select_hyperslab((1, 2), (4, 3), (2, 4), (2, 4)))

    def irregular(s):
        s.select_hyperslab((0, 0), (1, 1), block=(2, 2))
        s.select_hyperslab((5, 5), (1, 1), block=(1, 3), op=h5s.SELECT_OR)
    space('irregular', box, None, irregular)
    space('points', box, None, lambda s: s.select_elements([(0, 0), (9, 19), (4, 7)]))
    space('unlimited', box, (h5s.UNLIMITED, 20), lambda s: s.select_hyperslab(
        (1, 2), (h5s.UNLIMITED, 1), (4, 1), (2, 4)))
    space('wide block', (8 * 10 ** 9,), None, lambda s: s.select_hyperslab((5 * 10 ** 9,), (1,), block=(10,)))
    if VERSION >= (1, 12):
        space('wide point', (8 * 10 ** 9,), None, lambda s: s.select_elements([(5 * 10 ** 9,)]))
    return found


CLASSES = ('ROOT OBJECT_CREATE FILE_CREATE FILE_ACCESS DATASET_CREATE DATASET_ACCESS DATASET_XFER FILE_MOUNT '
           'GROUP_CREATE GROUP_ACCESS DATATYPE_CREATE DATATYPE_ACCESS STRING_CREATE ATTRIBUTE_CREATE OBJECT_COPY '
           'LINK_CREATE LINK_ACCESS ATTRIBUTE_ACCESS VOL_INITIALIZE MAP_CREATE MAP_ACCESS REFERENCE_ACCESS').split()


class Created:
    """A property list without methods."""

    def __init__(self, kind):
        self.id = call(function(['H5Pcreate'], HID, HID)(HID.in_dll(LIB, 'H5P_CLS_%s_ID_g' % kind).value))

    def set(self, name, *arguments):
        call(function([name], INT, HID, *(type(a) for a in arguments))(self.id, *arguments))
        return self


def lists():
    found = {}
    for kind in CLASSES:
        try:
            found['default ' + kind] = Created(kind)
        except (ValueError, RuntimeError):
            pass  # a class of later versions

    def dataset(name, *steps):
        p = h5p.create(h5p.DATASET_CREATE)
        for step in steps:
            step(p)
        found[name] = p
        return p
    chunk = lambda p: p.set_chunk((16, 300))
    deflate = lambda p: p.set_deflate(6)
    dataset('chunk', chunk)
    dataset('chunk+deflate', chunk, deflate)
    dataset('chunk+3 filters', chunk, deflate, lambda p: p.set_shuffle(), lambda p: p.set_fletcher32())
    dataset('fill -7, early', chunk, deflate,
            lambda p: p.set_fill_value(np.array(-7, '<i4')),
            lambda p: p.set_fill_time(h5py.h5d.FILL_TIME_ALLOC),
            lambda p: p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY))
    dataset('fill 1.5', lambda p: p.set_fill_value(np.array(1.5, '<f8')))
    dataset('fill never', lambda p: p.set_fill_time(h5py.h5d.FILL_TIME_NEVER))
    dataset('fill undefined', lambda p: call(function(['H5Pset_fill_value'], INT, HID, HID, POINTER)(
        p.id, h5t.STD_I32LE.id, None)))
    dataset('compact', lambda p: p.set_layout(h5py.h5d.COMPACT))
    dataset('external', lambda p: p.set_external(b'ext.raw', 5, 100))
    dataset('external, unlimited', lambda p: p.set_external(b'a.raw', 0, 100),
            lambda p: p.set_external(b'b.raw', 70000, h5py.h5f.UNLIMITED))
    dataset('attribute order', lambda p: p.set_attr_creation_order(
        h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED), lambda p: p.set_obj_track_times(False))
    dataset('attribute order, times', lambda p: p.set_attr_creation_order(
        h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED))

    def virtual(p):
        for i in range(2):
            target, source = h5s.create_simple((4, 10)), h5s.create_simple((20,))
            target.select_hyperslab((i, 2), (1, 6)), source.select_hyperslab((3,), (6,))
            p.set_virtual(target, b'src%d.h5' % i, b'/d', source)
        target = h5s.create_simple((4, 10), (h5s.UNLIMITED, 10))
        target.select_hyperslab((2, 0), (h5s.UNLIMITED, 1), block=(1, 10))
        p.set_virtual(target, b'%b.h5', b'/d', h5s.create_simple((1, 10)))
    dataset('virtual', virtual)

    def group(name, step):
        p = h5p.create(h5p.GROUP_CREATE)
        step(p)
        found[name] = p
    group('link order', lambda p: p.set_link_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED))
    group('link order tracked', lambda p: p.set_link_creation_order(h5p.CRT_ORDER_TRACKED))
    group('group info', lambda p: (call(function(['H5Pset_local_heap_size_hint'], INT, HID, SIZE)(p.id, 70000)),
                                   call(function(['H5Pset_est_link_info'], INT, HID, ctypes.c_uint, ctypes.c_uint)(
                                       p.id, 100, 20))))
    found['file sizes'] = Created('FILE_CREATE').set('H5Pset_userblock', ctypes.c_uint64(512)).set(
        'H5Pset_sizes', SIZE(4), SIZE(4)).set('H5Pset_sym_k', ctypes.c_uint(3), ctypes.c_uint(5))
    p = Created('FILE_CREATE')
    p.set('H5Pset_shared_mesg_nindexes', ctypes.c_uint(1))
    p.set('H5Pset_shared_mesg_index', ctypes.c_uint(0), ctypes.c_uint(0x1f), ctypes.c_uint(20))
    p.set('H5Pset_file_space_strategy', INT(1), ctypes.c_bool(True), ctypes.c_uint64(300))
    p.set('H5Pset_file_space_page_size', ctypes.c_uint64(8192))
    found['file space'] = p
    p = h5p.create(h5p.LINK_CREATE)
    p.set_create_intermediate_group(True), p.set_char_encoding(h5t.CSET_UTF8)
    found['link'] = p
    found['attribute'] = Created('ATTRIBUTE_CREATE').set('H5Pset_char_encoding', INT(1))
    for name in ('FILE_ACCESS', 'LINK_ACCESS'):
        access = h5p.create(h5p.FILE_ACCESS)
        access.set_alignment(1000, 4096), access.set_cache(0, 1009, 70000, 0.25), access.set_sieve_buf_size(1 << 33)
        access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
        call(function(['H5Pset_mdc_log_options'], INT, HID, ctypes.c_bool, TEXT, ctypes.c_bool)(
            access.id, True, b'/tmp/a log', True))
        if name == 'FILE_ACCESS':
            found['file access'] = access
        else:
            link = Created(name)
            link.set('H5Pset_elink_fapl', HID(access.id)).set('H5Pset_elink_prefix', TEXT(b'some/where'))
            found['link access'] = link
    p = h5p.create(h5p.DATASET_ACCESS)
    p.set_chunk_cache(521, 1 << 20, 0.5), p.set_efile_prefix(b'/e'), p.set_virtual_prefix(b'/v')
    found['dataset access'] = p
    found['transfer'] = Created('DATASET_XFER').set('H5Pset_data_transform', TEXT(b'2*x+1')).set(
        'H5Pset_btree_ratios', ctypes.c_double(0.25), ctypes.c_double(0.5), ctypes.c_double(0.75))
    found['copy'] = Created('OBJECT_COPY').set('H5Padd_merge_committed_dtype_path', TEXT(b'/a')).set(
        'H5Padd_merge_committed_dtype_path', TEXT(b'/b/c')).set('H5Pset_copy_object', ctypes.c_uint(5))
    return found


def opened_lists(folder):
    """The lists of datasets in a file, which have names of filters and unknown extents of sources."""
    found = {}
    path = os.path.join(folder, 'lists.h5')
    with h5py.File(path, 'w', libver='latest') as f:
        layout = h5py.VirtualLayout((4, 10), 'i4')
        layout[1, 2:8] = h5py.VirtualSource('src.h5', '/d', (20,))[3:9]
        f.create_virtual_dataset('virtual', layout, fillvalue=-5)
        f.create_dataset('lzf', (10,), 'i4', chunks=(5,), compression='lzf', shuffle=True)
        f.create_dataset('text', (10,), h5py.string_dtype(), chunks=(5,), fillvalue='abc')
    with h5py.File(path, 'r') as f:
        for name in f:
            found['opened ' + name] = f[name].id.get_create_plist()
    return found


def samples(folder):
    for name, t in types().items():
        print('type', name, encoded_type(t.id).hex(), sep='\t')
    for name, s in spaces().items():
        print('space', name, encoded_space(s.id, False).hex(), sep='\t')
        if VERSION >= (1, 12):
            print('space', name + '@latest', encoded_space(s.id, True).hex(), sep='\t')
    for name, p in list(lists().items()) + list(opened_lists(folder).items()):
        print('plist', name, encoded_list(p.id).hex(), sep='\t')


def check(path):
    known = {'type': types(), 'space': spaces(), 'plist': lists()}
    for line in open(path):
        kind, name, data = line.rstrip('\n').split('\t')
        data = bytes.fromhex(data)
        name, _, bound = name.partition('@')
        sample = known[kind].get(name)
        decode = {'type': t_decode, 'space': s_decode, 'plist': p_decode}[kind]
        i = decode(data)
        if i < 0:
            print('refused', '', sep='\t')
            continue
        if kind == 'type':
            encoded, same = encoded_type(i), sample and t_equal(i, sample.id)
        elif kind == 'space':
            encoded = encoded_space(i, bound == 'latest')
            same = sample and (s_extent_equal(i, sample.id) > 0
                               and encoded_space(sample.id, False) == encoded_space(i, False))
        else:
            encoded, same = encoded_list(i), sample and p_equal(i, sample.id)
        close(i)
        print('none' if sample is None else 'equal' if same and same > 0 else 'different', encoded.hex(), sep='\t')


if __name__ == '__main__':
    if sys.argv[1] == 'samples':
        samples(os.getcwd())
    else:
        check(sys.argv[2])
