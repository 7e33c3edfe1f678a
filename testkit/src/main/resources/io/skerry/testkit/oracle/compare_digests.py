"""compare_digests.py DIGEST_PY FILE MINE: compares a digest with that of the reference implementation."""
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("digest", sys.argv[1])
digest = importlib.util.module_from_spec(spec)
spec.loader.exec_module(digest)
theirs = digest.digest(sys.argv[2])["objects"]
mine = json.load(open(sys.argv[3]))["objects"]
equal = refused = 0


def compare(where, a, b):
    global equal, refused
    if "error" in b:
        sys.exit("%s: refused: %s" % (where, b["error"]))
    if "error" in a:
        refused += 1
        return
    for key in ("shape", "sha256"):
        if a.get(key) != b.get(key):
            sys.exit("%s: %s: h5py=%s skerry=%s type=%s" % (where, key, a.get(key), b.get(key), b.get("type")))
    equal += 1


if [o["path"] for o in theirs] != [o["path"] for o in mine]:
    sys.exit("objects: h5py=%s skerry=%s" % ([o["path"] for o in theirs], [o["path"] for o in mine]))
for a, b in zip(theirs, mine):
    if a["kind"] != b["kind"]:
        sys.exit("%s: kind: h5py=%s skerry=%s" % (a["path"], a["kind"], b["kind"]))
    if a["kind"] == "dataset":
        compare(a["path"], a, b)
    if [x["name"] for x in a["attributes"]] != [x["name"] for x in b["attributes"]]:
        sys.exit("%s: attributes differ" % a["path"])
    for x, y in zip(a["attributes"], b["attributes"]):
        compare(a["path"] + "@" + x["name"], x, y)
print("%d equal, %d refused by h5py" % (equal, refused))
