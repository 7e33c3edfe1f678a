"""Compares the digests that two programs have made of the same files, object by object.

    compare_digests.py OURS THEIRS COUNT

OURS (made by Skerry) and THEIRS contain 0.json .. (COUNT - 1).json. Prints every difference and a
line of counts; the exit code is 1 if there is a difference. An object with an "error" in THEIRS is
counted, not compared; an object with an "error" only in OURS is a difference.
"""

import collections
import json
import sys

counts = collections.Counter()
differences = []


def load(folder, number):
    with open(f"{folder}/{number}.json") as stream:
        return json.load(stream)


def entries(digest):
    found = {}
    for item in digest["objects"]:
        found[item["path"]] = item
        for attribute in item.get("attributes", []):
            found[item["path"] + "@" + attribute["name"]] = dict(attribute, kind="attribute")
    return found


def compare(file, path, ours, theirs):
    kind = theirs.get("kind", "object")
    if "error" in theirs:
        counts["refused by them"] += 1
        if ours is None or "error" in ours:
            counts["refused by both"] += 1
        return
    if ours is None:
        differences.append(f"{file} {path}: missing")
    elif "error" in ours:
        differences.append(f"{file} {path}: refused: {ours['error']}")
    elif kind in ("dataset", "attribute") and ours.get("shape") != theirs.get("shape"):
        differences.append(f"{file} {path}: shape {ours.get('shape')} but {theirs.get('shape')}")
    elif ours.get("sha256") != theirs.get("sha256"):
        differences.append(f"{file} {path}: values differ, type {ours.get('type')}")
    elif ours.get("kind", "attribute") != kind:
        differences.append(f"{file} {path}: kind {ours.get('kind')} but {kind}")
    else:
        counts[kind + "s equal"] += 1


def main(ours_folder, theirs_folder, count):
    for number in range(count):
        theirs = load(theirs_folder, number)
        ours = load(ours_folder, number)
        file = theirs["file"]
        if "error" in theirs:
            counts["files refused by them"] += 1
            counts["files read by us alone"] += "error" not in ours
            continue
        if "error" in ours:
            differences.append(f"{file}: refused: {ours['error']}")
            continue
        before = len(differences)
        mine, other = entries(ours), entries(theirs)
        for path, item in other.items():
            compare(file, path, mine.get(path), item)
        for path in mine.keys() - other.keys():
            if not any("error" in other.get(up, {}) for up in parents(path)):
                differences.append(f"{file} {path}: only in ours")
        counts["files equal" if len(differences) == before else "files that differ"] += 1
    for line in differences:
        print(line)
    print(json.dumps(counts, sort_keys=True))
    return 1 if differences else 0


def parents(path):
    yield path
    path = path.split("@")[0]
    while path and path != "/":
        yield path
        path = path.rpartition("/")[0]
    yield "/"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
