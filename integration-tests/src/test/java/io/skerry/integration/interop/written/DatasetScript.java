package io.skerry.integration.interop.written;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A script of the changes to one dataset, which all ranks and the model share. In each step the
 * extent grows, then each rank writes its part, and rank 0 may erase elements of a sparse dataset.
 *
 * @param path the path of the dataset
 * @param dtype the name of its type in NumPy
 * @param spec the specification of the dataset
 * @param steps the steps in order
 */
record DatasetScript(String path, String dtype, DatasetSpec spec, List<Step> steps) {

  /** The selection that one rank writes, and its values. */
  record Part(Selection selection, byte[] values) {}

  /** The new extent, the parts by rank, and the selection that rank 0 erases afterwards. */
  record Step(long[] extent, List<Part> parts, Selection erased) {}

  /** Returns a script of random writes to selections of any density. */
  static DatasetScript random(
      String path, String dtype, DatasetSpec spec, List<long[]> extents, int ranks, Random random) {
    List<Step> steps = new ArrayList<>();
    int coarse = random.nextBoolean() ? 256 : 3;
    for (long[] extent : extents) {
      List<Part> parts = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        Selection selection = selection(Shape.of(extent), random);
        parts.add(part(selection, Shape.of(extent), spec.datatype().size(), coarse, random));
      }
      boolean erases = spec.storage() == DatasetSpec.Storage.SPARSE && random.nextInt(3) == 0;
      Selection erased = erases ? box(Shape.of(extent), random) : Selection.none();
      steps.add(new Step(extent, parts, erased));
    }
    return new DatasetScript(path, dtype, spec, steps);
  }

  static Part part(Selection selection, Shape shape, int elementSize, int coarse, Random random) {
    byte[] values = new byte[Math.toIntExact(selection.count(shape)) * elementSize];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) random.nextInt(coarse);
    }
    return new Part(selection, values);
  }

  private static Selection selection(Shape shape, Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Selection.none();
      case 1 -> Selection.all();
      case 2 -> strided(shape, random);
      case 3, 4 -> box(shape, random).union(box(shape, random)).union(box(shape, random));
      case 5 -> points(shape, random);
      default -> box(shape, random);
    };
  }

  static Selection box(Shape shape, Random random) {
    long[] start = new long[shape.rank()];
    long[] end = new long[shape.rank()];
    for (int i = 0; i < start.length; i++) {
      start[i] = random.nextLong(shape.extent(i));
      end[i] = start[i] + 1 + random.nextLong(shape.extent(i) - start[i]);
    }
    return Selection.blocks(List.of(new Box(start, end)));
  }

  private static Selection strided(Shape shape, Random random) {
    long[] start = new long[shape.rank()];
    long[] stride = new long[shape.rank()];
    long[] count = new long[shape.rank()];
    for (int i = 0; i < start.length; i++) {
      start[i] = random.nextLong(shape.extent(i));
      stride[i] = 2 + random.nextInt(3);
      count[i] = 1 + (shape.extent(i) - 1 - start[i]) / stride[i];
    }
    return Selection.at(start).stride(stride).count(count);
  }

  static Selection points(Shape shape, Random random) {
    List<Selection> points = new ArrayList<>();
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      long[] at = new long[shape.rank()];
      for (int d = 0; d < at.length; d++) {
        at[d] = random.nextLong(shape.extent(d));
      }
      points.add(Selection.at(at));
    }
    return Selection.unionAll(points);
  }

  /** Extends the dataset and writes the part of a rank. Collective. */
  void perform(int step, Dataset dataset, int rank) {
    Step now = steps.get(step);
    if (!Arrays.equals(now.extent(), dataset.shape().extent())) {
      dataset.extendTo(now.extent());
    }
    Part part = now.parts().get(rank);
    dataset.write(part.selection(), spec.datatype(), MemorySegment.ofArray(part.values()));
    if (!now.erased().isEmpty()) {
      dataset.erase(rank == 0 ? now.erased() : Selection.none());
    }
  }

  /** Returns the content of the dataset after all steps. */
  PlainArray model() {
    byte[] fill = spec.fill().orElseGet(() -> new byte[spec.datatype().size()]);
    PlainArray model = new PlainArray(Shape.of(steps.getLast().extent()), fill);
    for (Step step : steps) {
      Shape then = Shape.of(step.extent());
      for (Part part : step.parts()) {
        model.write(
            part.selection().equals(Selection.all()) ? all(then) : part.selection(), part.values());
      }
      model.erase(step.erased());
    }
    return model;
  }

  /** Returns the extent as a box, which does not change when the extent grows. */
  private static Selection all(Shape shape) {
    return Selection.blocks(List.of(Box.of(shape)));
  }
}
