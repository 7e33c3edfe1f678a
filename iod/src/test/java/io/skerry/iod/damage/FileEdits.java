package io.skerry.iod.damage;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes a file: writes the elements and pairs that it reads, creates objects, and removes all of
 * them. If a change is refused, the others follow.
 *
 * @param file the file, open for writing
 * @param judge judges each failure
 * @param seen the identifiers of the objects that were visited
 */
record FileEdits(H5File file, DamageJudge judge, Set<Long> seen) {
  private static final int MOST_OBJECTS = 60;

  static void make(H5File file, DamageJudge judge) {
    FileEdits edits = new FileEdits(file, judge, new HashSet<>());
    judge.attempt("edit of the root", () -> edits.edit(file.root()));
    judge.attempt("create", () -> file.createGroup("/new/inner"));
    judge.attempt(
        "create",
        () ->
            file.createDataset("/new/dataset", DatasetSpec.of(Datatype.I32, Shape.of(3)))
                .write(Selection.all(), new int[] {1, 2, 3}));
    judge.attempt("flush", file::flush);
    judge.attempt("unlink", () -> edits.unlinkAll());
    judge.attempt("flush", file::flush);
  }

  private void edit(H5Object object) {
    judge.attempt("set an attribute", () -> object.setAttribute(Attribute.of("added", "text")));
    switch (object) {
      case Group group ->
          judge.attempt(
              "links",
              () -> {
                for (Group.Link link : group.links()) {
                  if (link instanceof Group.Hard hard
                      && seen.size() < MOST_OBJECTS
                      && seen.add(hard.address())) {
                    judge.attempt("child", () -> edit(group.child(hard)));
                  }
                }
              });
      case Dataset dataset -> edit(dataset);
      case MapObject map -> edit(map);
      default -> {}
    }
  }

  private void edit(Dataset dataset) {
    if (dataset.isNull()) {
      return;
    }
    Selection corner = FileWalk.corner(dataset.shape());
    judge.attempt("write values", () -> dataset.writeValues(corner, dataset.readValues(corner)));
    if (dataset.isSparse()) {
      judge.attempt("erase", () -> dataset.erase(corner));
    }
    if (dataset.shape().isExtendible()) {
      judge.attempt(
          "extend",
          () -> {
            long[] extent = dataset.shape().extent();
            extent[0] = Math.max(0, extent[0] - 1);
            dataset.extendTo(extent);
          });
    }
  }

  private void edit(MapObject map) {
    judge.attempt(
        "pairs",
        () -> {
          List<Value> keys = new ArrayList<>();
          var unused =
              map.iterateKeys(
                  Optional.empty(),
                  key -> {
                    keys.add(key);
                    return MapObject.Next.CONTINUE;
                  });
          for (Value key : keys) {
            judge.attempt("put", () -> map.get(key).ifPresent(value -> map.put(key, value)));
            judge.attempt("remove", () -> map.remove(key));
          }
        });
  }

  private void unlinkAll() {
    for (Group.Link link : file.root().links()) {
      judge.attempt("unlink", () -> file.unlink("/" + link.name()));
    }
  }
}
