package io.skerry.iod.damage;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Reads all objects of a file as the commands {@code ls}, {@code stat}, {@code digest} and {@code
 * dump} do. If an object is refused, the walk continues with the others.
 *
 * @param file the file
 * @param judge judges each failure
 * @param seen the identifiers of the objects that were visited
 */
record FileWalk(H5File file, DamageJudge judge, Set<Long> seen) {
  /** The limit of the bytes that are read from one dataset, of which more is read in part. */
  private static final long MOST = 1 << 16;

  private static final int LONGEST_TEXT = 1000;
  private static final int MOST_OBJECTS = 200;
  private static final int MOST_PAIRS = 100;

  static void read(H5File file, DamageJudge judge) {
    FileWalk walk = new FileWalk(file, judge, new HashSet<>());
    judge.attempt("root", () -> walk.visit(file.root()));
  }

  private void visit(H5Object object) {
    judge.attempt("attributes", () -> object.attributes().forEach(this::read));
    switch (object) {
      case Group group -> judge.attempt("links", () -> visitLinks(group));
      case Dataset dataset -> read(dataset);
      case MapObject map -> read(map);
      case NamedDatatype type -> judge.attempt("datatype", () -> shown(type.datatype()));
    }
  }

  private static void shown(Object value) {
    if (value.toString().isEmpty()) {
      throw new AssertionError("an empty text");
    }
  }

  private void visitLinks(Group group) {
    for (Group.Link link : group.links()) {
      switch (link) {
        case Group.Hard hard -> {
          if (seen.size() < MOST_OBJECTS && seen.add(hard.address())) {
            judge.attempt("child", () -> visit(group.child(hard)));
          }
        }
        default ->
            judge.attempt("soft link", () -> shown(file.object(group.childPath(link.name()))));
      }
    }
  }

  private void read(Attribute attribute) {
    judge.attempt("text of an attribute", () -> shown(attribute));
    judge.attempt(
        "values of an attribute", () -> attribute.values(file.contents()).forEach(this::target));
  }

  /** Finds the object to which a value refers. */
  private void target(Value value) {
    if (value instanceof Value.ObjectReference reference) {
      reference.target().path().ifPresent(path -> shown(file.object(path)));
    }
    if (!(value instanceof Value.Text(String text)) || text.length() < LONGEST_TEXT) {
      shown(value);
    }
  }

  private void read(Dataset dataset) {
    judge.attempt("storage", () -> shown(dataset.storage()));
    judge.attempt("specification", () -> shown(dataset.specification()));
    judge.attempt("usage", () -> shown(dataset.usage()));
    judge.attempt("fill value", () -> shown(Arrays.hashCode(dataset.fillValue())));
    judge.attempt("statistics", () -> shown(dataset.statistics()));
    judge.attempt("defined", () -> shown(dataset.defined(Selection.all())));
    Selection part = part(dataset);
    if (!dataset.isNull()) {
      judge.demands(3.0 * part.count(dataset.shape()) * dataset.datatype().size());
    }
    judge.attempt("bytes", () -> shown(dataset.readBytes(part).length));
    judge.attempt("elements", () -> shown(dataset.readElements(part)));
    judge.attempt("values", () -> dataset.readValues(part).forEach(this::target));
    if (dataset.storage().layout().equals("chunked") || dataset.isSparse()) {
      judge.attempt("chunks", () -> dataset.chunks().forEach(FileWalk::shown));
      judge.attempt("number of chunks", () -> shown(dataset.chunks().count()));
      if (elements(dataset.shape()) > 0) {
        long[] first = new long[dataset.shape().rank()];
        judge.attempt("image", () -> shown(dataset.chunks().image(first)));
      }
    }
  }

  private static double elements(Shape shape) {
    return Arrays.stream(shape.extent()).asDoubleStream().reduce(1, (a, b) -> a * b);
  }

  /** Returns all elements, or the last ones of each dimension if there are many. */
  private static Selection part(Dataset dataset) {
    if (dataset.isNull() || elements(dataset.shape()) * dataset.datatype().size() <= MOST) {
      return Selection.all();
    }
    return corner(dataset.shape());
  }

  /**
   * Returns the last elements of each dimension: at most two in the first four dimensions, and at
   * most one in the others.
   */
  static Selection corner(Shape shape) {
    long[] extent = shape.extent();
    long[] start = new long[extent.length];
    long[] size = new long[extent.length];
    for (int i = 0; i < extent.length; i++) {
      size[i] = Math.min(i < 4 ? 2 : 1, extent[i]);
      start[i] = extent[i] - size[i];
    }
    return extent.length == 0 ? Selection.all() : Selection.box(start, size);
  }

  private void read(MapObject map) {
    judge.attempt("types", () -> shown(map.keyType() + " " + map.valueType()));
    judge.attempt("size", () -> shown(map.size()));
    int[] count = {0};
    judge.attempt(
        "pairs",
        () ->
            map.iteratePairs(
                Optional.empty(),
                (key, value) -> {
                  shown(key);
                  shown(value);
                  judge.attempt("get", () -> shown(map.get(key)));
                  return count[0]++ < MOST_PAIRS ? MapObject.Next.CONTINUE : MapObject.Next.STOP;
                }));
  }
}
