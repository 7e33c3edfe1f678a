"""Compares digests made by a program that supports fewer types than h5py with those made by Skerry.

    compare_others.py OURS THEIRS TYPES COUNT SKIPPED...

OURS (made by Skerry) and THEIRS contain 0.json .. (COUNT - 1).json; TYPES contains the exact type
of every path. SKIPPED are pairs of a reason and a pattern of types whose values the program does
not decode correctly. An object without a sha256 in THEIRS was only read, or was refused; refusals
are counted by reason. Prints every difference and a line of counts; the exit code is 1 if there is
a difference.
"""

import collections
import json
import re
import sys

counts = collections.Counter()
differences = []


def load(folder, number):
    with open(f"{folder}/{number}.json") as stream:
        return json.load(stream)


def compare(file, path, kind, theirs, ours, types, skipped):
    reasons = [reason for reason, pattern in skipped if re.search(pattern, types.get(path, ""))]
    if "error" in theirs:
        reason = re.sub(r"[0-9]+", "N", theirs["error"])
        reason = re.sub(r"(/.*|'.*|\[.*|attribute .*)", "...", reason)[:60]
        counts[f"{kind}s refused: {reason}"] += 1
    elif reasons:
        counts[f"{kind}s read, not compared: {reasons[0]}"] += 1
    elif "sha256" not in theirs:
        counts[f"{kind}s read"] += 1
    elif ours is None:
        counts[f"{kind}s met again"] += 1
    elif ours.get("sha256") == theirs["sha256"]:
        counts[f"{kind}s equal"] += 1
    else:
        differences.append(f"{file} {path}: values differ, type {ours.get('type')}, shape {ours.get('shape')}")


def main(ours_folder, theirs_folder, types_folder, count, skipped):
    for number in range(count):
        theirs, ours = load(theirs_folder, number), load(ours_folder, number)
        types = load(types_folder, number)
        if "error" in theirs:
            counts["files refused: " + theirs["error"][:80]] += 1
            continue
        counts["files read"] += 1
        known = {item["path"]: item for item in ours["objects"]}
        for item in theirs["objects"]:
            mine = known.get(item["path"])
            if item.get("kind") == "dataset" or "error" in item:
                compare(theirs["file"], item["path"], "dataset", item, mine, types, skipped)
            for attribute in item.get("attributes", []):
                found = [a for a in (mine or {}).get("attributes", []) if a["name"] == attribute["name"]]
                path = item["path"] + "@" + attribute["name"]
                compare(theirs["file"], path, "attribute", attribute, found[0] if found else None, types, skipped)
    for line in differences:
        print(line)
    print(json.dumps(counts, sort_keys=True))
    return 1 if differences else 0


if __name__ == "__main__":
    pairs = list(zip(sys.argv[5::2], sys.argv[6::2]))
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), pairs))
