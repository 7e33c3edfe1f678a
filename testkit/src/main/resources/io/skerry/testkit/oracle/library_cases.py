"""Makes the virtual datasets of the cases that a text file describes, and shows their content.

    library_cases.py make CASES FOLDER    makes the files of each case, step by step, and shows them
    library_cases.py show CASES FOLDER    shows the files that are in FOLDER/CASE/STAGE
    library_cases.py try CASES FOLDER     prints which virtual datasets can be created

Each line of CASES is a list of fields with tabs between them. After each step, the folder of a case is
copied to FOLDER/CASE/STAGE, and the virtual dataset is shown in each view: case, stage, end, gap,
extent, and the values of each read; or "outside" if it exceeds the extent, or "refused" if HDF5 fails.
"""

import ctypes
import os
import re
import shutil
import sys

import h5py
import numpy as np
from h5py import h5d, h5p, h5s

U = h5s.UNLIMITED

with open("/proc/self/maps") as maps:
    C = ctypes.CDLL(re.search(r"/\S*libhdf5(?!\w*_(hl|cpp|fortran))[^/\s]*\.so[^/\s]*", maps.read()).group())
ENDS = {"LAST_AVAILABLE": h5d.VDS_LAST_AVAILABLE, "FIRST_MISSING": h5d.VDS_FIRST_MISSING}


def numbers(text):
    return tuple(U if n == "-1" else int(n) for n in text.split(",")) if text else ()


def space(extent, maximum, selection):
    made = h5s.create_simple(numbers(extent), numbers(maximum))
    words = selection.split(" ")
    if words[0] == "slab":
        start, stride, count, block = map(numbers, words[1:])
        made.select_hyperslab(start, count, stride, block)
    elif words[0] == "blocks":
        made.select_none()
        for i in range(1, len(words), 2):
            size = numbers(words[i + 1])
            made.select_hyperslab(numbers(words[i]), (1,) * len(size), None, size, op=h5s.SELECT_OR)
    elif words[0] == "points":
        made.select_elements([numbers(word) for word in words[1:]])
    elif words[0] == "none":
        made.select_none()
    return made


class Case:
    def __init__(self, name):
        self.name, self.maps, self.steps, self.views, self.reads = name, [], [], [], []

    def show(self, folder, stage):
        for end, gap in self.views:
            access = h5p.create(h5p.DATASET_ACCESS)
            access.set_virtual_view(ENDS[end])
            access.set_virtual_printf_gap(int(gap))
            with h5py.File(os.path.join(folder, "virtual.h5"), "r") as f:
                d = h5d.open(f.id, b"v", access)
                extent = ",".join(map(str, d.shape))
                shown = []
                for selection in self.reads:
                    here = space(extent, extent, selection)
                    if not C.H5Sselect_valid(ctypes.c_int64(here.id)):
                        shown.append("outside")
                        continue
                    values = np.full(here.get_select_npoints(), int(self.fill), "<i4")
                    if values.size:
                        try:
                            d.read(h5s.create_simple(values.shape), here, values)
                        except OSError:
                            shown.append("refused")
                            continue
                    shown.append(",".join(map(str, values)))
                print(self.name, stage, end, gap, extent, "|".join(shown), sep="\t")

    def make(self, folder):
        os.makedirs(folder)
        self.create(os.path.join(folder, "virtual.h5"))
        for stage, step in enumerate([None] + self.steps):
            if step:
                self.take(folder, step)
            copy = os.path.join(folder, str(stage))
            os.makedirs(copy)
            for name in os.listdir(folder):
                if name.endswith(".h5"):
                    shutil.copy(os.path.join(folder, name), copy)
            self.show(copy, stage)

    def create(self, path):
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_layout(h5d.VIRTUAL)
        plist.set_fill_value(np.array(int(self.fill), "<i4"))
        for file, dataset, extent, maximum, source, virtual in self.maps:
            plist.set_virtual(space(self.extent, self.maximum, virtual), file.encode(), dataset.encode(),
                              space(extent, maximum, source))
        with h5py.File(path, "w", libver=self.libver) as f:
            h5d.create(f.id, b"v", h5py.h5t.STD_I32LE, space(self.extent, self.maximum, "all"), plist)

    def take(self, folder, step):
        kind, file, dataset = step[:3]
        path = os.path.join(folder, "virtual.h5" if file == "." else file)
        with h5py.File(path, "a", libver=self.libver) as f:
            if kind == "create":
                extent, maximum, chunk, type = step[3:]
                limits = tuple(None if n == U else n for n in numbers(maximum))
                f.create_dataset(dataset, numbers(extent), type, maxshape=limits, fillvalue=-2,
                                 chunks=numbers(chunk) if chunk else None)
            elif kind == "extend":
                f[dataset].resize(numbers(step[3]))
            elif kind == "write":
                start, size, first = numbers(step[3]), numbers(step[4]), int(step[5])
                values = first + np.arange(int(np.prod(size))).reshape(size)
                f[dataset][tuple(slice(s, s + n) for s, n in zip(start, size))] = values
            else:
                raise ValueError(kind)


def cases(path):
    found = []
    for line in open(path, encoding="utf-8"):
        kind, *fields = line.rstrip("\n").split("\t")
        if kind == "case":
            found.append(Case(fields[0]))
            found[-1].libver, found[-1].extent, found[-1].maximum, found[-1].fill = fields[1:]
        elif kind == "map":
            found[-1].maps.append(fields)
        elif kind == "view":
            found[-1].views.append(fields)
        elif kind == "read":
            found[-1].reads.append(fields[0])
        else:
            found[-1].steps.append([kind] + fields)
    return found


mode, path, folder = sys.argv[1:4]
for case in cases(path):
    if mode == "make":
        case.make(os.path.join(folder, case.name))
    elif mode == "try":
        os.makedirs(os.path.join(folder, case.name))
        try:
            case.create(os.path.join(folder, case.name, "virtual.h5"))
            print(case.name, "accepted")
        except (ValueError, RuntimeError):
            print(case.name, "refused")
    else:
        for stage in range(len(case.steps) + 1):
            case.show(os.path.join(folder, case.name, str(stage)), stage)
