package io.skerry.jobs.inspect;

import io.skerry.Attribute;
import io.skerry.ChunkAlignedBlocks;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.internal.value.CanonicalType;
import io.skerry.jobs.argument.SelectionSyntax;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Prints the values of an attribute, or the values of a dataset part by part. */
public final class Dump {
  /** The maximum number of bytes of elements in one part; a part has at least one element. */
  private static final long PART_BYTES = 4L << 20;

  private final H5File file;
  private final ValuePrinter out;

  public Dump(H5File file, ValuePrinter out) {
    this.file = file;
    this.out = out;
  }

  /** Prints the values of the dataset, map or attribute that the options name. */
  public void print(DumpOptions options) {
    H5Object object = file.object(options.object());
    if (options.attribute().isPresent()) {
      String name = options.attribute().get();
      attribute(
          object,
          object
              .attribute(name)
              .orElseThrow(() ->
                  new JobException(
                      "no such attribute: name=" + name + " object=" + object.shownPath())));
    } else if (object instanceof Dataset dataset) {
      dataset(dataset, options.selection());
    } else if (object instanceof MapObject map) {
      map(map, options.selection());
    } else {
      throw new JobException(
          "only a dataset, a map or an attribute has values: object=" + object.shownPath());
    }
  }

  private void attribute(H5Object object, Attribute attribute) {
    Shape shape = attribute.shape();
    out.begin(
        object.shownPath() + "@" + attribute.name(),
        attribute.isNull() ? "null" : shape.toString(),
        CanonicalType.of(attribute.datatype()));
    if (!attribute.isNull()) {
      Iterator<Value> values = attribute.values(object.file().contents()).iterator();
      Selection.all()
          .forEachRun(
              shape,
              (start, length) -> {
                long[] at = start.clone();
                for (long i = 0; i < length; i++) {
                  out.value(at, Optional.of(values.next()));
                  if (at.length > 0) {
                    at[at.length - 1]++;
                  }
                }
              });
    }
    out.end();
  }

  private void dataset(Dataset dataset, Optional<String> text) {
    Shape shape = dataset.shape();
    Selection asked =
        text.map(typed -> SelectionSyntax.parseArgument(typed, shape)).orElse(Selection.all());
    boolean empty = dataset.isNull();
    out.begin(
        dataset.shownPath(),
        empty ? "null" : shape.toString(),
        CanonicalType.of(dataset.datatype()));
    if (!empty) {
      long most = PART_BYTES / dataset.datatype().size();
      new ChunkAlignedBlocks(shape, dataset.storage().chunk(), most)
          .forEach(asked, part -> part(dataset, shape, part));
    }
    out.end();
  }

  /** Prints pairs as compounds, numbered in iteration order. */
  private void map(MapObject map, Optional<String> selection) {
    if (selection.isPresent()) {
      throw new JobException(
          "a selection needs a dataset: object="
              + map.shownPath()
              + " selection="
              + selection.get());
    }
    out.begin(
        map.shownPath(),
        Shape.of(map.size()).toString(),
        "map from " + CanonicalType.of(map.keyType()) + " to " + CanonicalType.of(map.valueType()));
    long[] number = new long[1];
    Optional<MapObject.Position> unused =
        map.iteratePairs(
            Optional.empty(),
            (key, value) -> {
              out.value(
                  number,
                  Optional.of(
                      new Value.Compound(
                          List.of(new Value.Field("key", key), new Value.Field("value", value)))));
              number[0]++;
              return MapObject.Next.CONTINUE;
            });
    out.end();
  }

  private void part(Dataset dataset, Shape shape, Selection wanted) {
    Iterator<Value> values = dataset.readValues(wanted).iterator();
    Defined defined = dataset.isSparse() ? Defined.of(dataset, wanted) : Defined.EVERYTHING;
    wanted.forEachRun(
        shape,
        (start, length) -> {
          long[] at = start.clone();
          for (long i = 0; i < length; i++) {
            Value value = values.next();
            out.value(at, defined.next(at) ? Optional.of(value) : Optional.empty());
            if (at.length > 0) {
              at[at.length - 1]++;
            }
          }
        });
  }

  /** Tests whether an element is defined. The elements must be tested in row-major order. */
  @FunctionalInterface
  private interface Defined {
    Defined EVERYTHING = _ -> true;

    boolean next(long[] at);

    static Defined of(Dataset dataset, Selection wanted) {
      List<long[]> starts = new ArrayList<>();
      List<Long> lengths = new ArrayList<>();
      dataset
          .defined(wanted)
          .forEachRun(
              dataset.shape(),
              (start, length) -> {
                starts.add(start.clone());
                lengths.add(length);
              });
      int[] run = {0};
      return at -> {
        while (run[0] < starts.size() && isBehind(at, starts.get(run[0]), lengths.get(run[0]))) {
          run[0]++;
        }
        return run[0] < starts.size() && isIn(at, starts.get(run[0]), lengths.get(run[0]));
      };
    }

    private static boolean isBehind(long[] at, long[] start, long length) {
      for (int d = 0; d < at.length - 1; d++) {
        if (at[d] != start[d]) {
          return at[d] > start[d];
        }
      }
      int last = at.length - 1;
      return last >= 0 && at[last] >= start[last] + length;
    }

    private static boolean isIn(long[] at, long[] start, long length) {
      for (int d = 0; d < at.length - 1; d++) {
        if (at[d] != start[d]) {
          return false;
        }
      }
      int last = at.length - 1;
      return last < 0 || at[last] >= start[last] && at[last] < start[last] + length;
    }
  }
}
