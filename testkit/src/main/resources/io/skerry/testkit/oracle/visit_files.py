"""Visits every object of HDF5 files with h5py, and every link.

    visit_files.py OUT FILE...

Writes OUT/0.json, OUT/1.json, ... with {"file": ..., "visited": N, "links": N} or {"file": ...,
"error": ...}. A process reads several files, because a fork with h5py is slow. A damaged file may
crash its process; a new process then reads the next file.
"""

import json
import os
import signal
import sys

import h5py

SECONDS_PER_FILE = 30
FILES_PER_PROCESS = 40


def visit(path):
    visited, links = [], []

    def see(name, thing):
        visited.append(name)
        h5py.h5o.get_info(thing.id)
        for attribute in range(h5py.h5a.get_num_attrs(thing.id)):
            h5py.h5a.open(thing.id, index=attribute).get_type()
        if isinstance(thing, h5py.Group):
            for link in thing:
                links.append(thing.get(link, getlink=True))
            order = h5py.h5.INDEX_CRT_ORDER
            if thing.id.get_create_plist().get_link_creation_order() & h5py.h5p.CRT_ORDER_TRACKED:
                tracked = []
                thing.id.links.iterate(tracked.append, idx_type=order)
                assert sorted(tracked) == sorted(n.encode() for n in thing), name
        elif isinstance(thing, h5py.Dataset):
            thing.id.get_create_plist().get_layout()
            thing.id.get_storage_size()

    with h5py.File(path, "r") as file:
        see("/", file["/"])
        file.visititems(see)
    return {"visited": len(visited), "links": len(links)}


def report(out, number, content):
    with open(os.path.join(out, f"{number}.json"), "w") as stream:
        json.dump(content, stream)


def content(path):
    try:
        return {"file": path, **visit(path)}
    except Exception as problem:
        return {"file": path, "error": repr(problem)[:200]}


def main(out, files):
    done = 0
    while done < len(files):
        part = range(done, min(done + FILES_PER_PROCESS, len(files)))
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            for number in part:
                signal.alarm(SECONDS_PER_FILE)
                report(out, number, content(files[number]))
                os.write(writer, b".")
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as reports:
            done += len(reports.read())
        status = os.waitpid(child, 0)[1]
        if status != 0:
            report(out, done, {"file": files[done], "error": f"h5py ended with status {status}"})
            done += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
