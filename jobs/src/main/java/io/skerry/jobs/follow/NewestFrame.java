package io.skerry.jobs.follow;

import io.skerry.Dataset;
import io.skerry.jobs.detector.FramePicture;
import io.skerry.jobs.detector.PixelFrame;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Box;
import io.skerry.selection.RunIterator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * The state of a dataset at one epoch: its extent, the number of defined elements, and its newest
 * frame. The newest frame is the last one with a defined element; a frame consists of all elements
 * with the same first index. All elements of a dense dataset are defined.
 *
 * @param dataset the dataset, open at the epoch
 * @param defined the number of defined elements
 * @param frame the newest frame; empty if no element is defined
 */
record NewestFrame(Dataset dataset, long defined, Optional<Frame> frame) {
  /**
   * A frame.
   *
   * @param index its first index
   * @param defined its defined elements
   * @param count their number
   * @param values their values, if they are numbers
   */
  record Frame(long index, Selection defined, long count, FrameValues values) {}

  /**
   * Reads the state of a dataset.
   *
   * @throws JobException if the dataset has no dimension
   */
  static NewestFrame of(Dataset dataset) {
    Shape shape = dataset.shape();
    if (dataset.isNull() || shape.rank() == 0) {
      throw new JobException("a dataset without dimensions has no frames: path=" + dataset.path());
    }
    Selection all = dataset.isSparse() ? dataset.defined(Selection.all()) : Selection.all();
    Optional<Box> bounds = all.boundingBox(shape);
    return new NewestFrame(
        dataset, all.count(shape), bounds.map(box -> frame(dataset, all, box.end()[0] - 1)));
  }

  private static Frame frame(Dataset dataset, Selection all, long index) {
    Shape shape = dataset.shape();
    Selection frame = whole(shape, index);
    Selection defined = dataset.isSparse() ? all.intersect(frame) : frame;
    return new Frame(index, defined, defined.count(shape), FrameValues.read(dataset, defined));
  }

  private static Selection whole(Shape shape, long index) {
    long[] start = new long[shape.rank()];
    long[] size = shape.extent();
    start[0] = index;
    size[0] = 1;
    return Selection.box(start, size);
  }

  /**
   * Returns one line of text, and one more for the values.
   *
   * @param most the maximum number of values
   */
  List<String> lines(int most) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT, "%s  %s  %,d defined", dataset.path(), dataset.shape(), defined));
    List<String> lines = new ArrayList<>();
    frame.ifPresent(newest -> {
      line.append(
          String.format(Locale.ROOT, "  newest %d: %,d defined", newest.index(), newest.count()));
      newest
          .values()
          .bounds()
          .ifPresent(bounds ->
              line.append(", ")
                  .append(newest.values().text(bounds.least()))
                  .append(" to ")
                  .append(newest.values().text(bounds.greatest())));
    });
    lines.add(line.toString());
    if (frame.isPresent() && most > 0) {
      lines.add("  " + values(frame.get(), most));
    }
    return lines;
  }

  private String values(Frame newest, int most) {
    List<String> texts = new ArrayList<>();
    List<long[]> places = places(newest, most);
    for (int i = 0; i < places.size(); i++) {
      texts.add(Arrays.toString(places.get(i)).replace(" ", "") + "=" + newest.values().text(i));
    }
    return String.join("  ", texts) + (newest.values().size() > most ? "  ..." : "");
  }

  /** Returns the coordinates of the first values. */
  private List<long[]> places(Frame newest, int most) {
    long[] extent = dataset.shape().extent();
    List<long[]> places = new ArrayList<>();
    long number = Math.min(most, newest.values().size());
    if (number > 0) {
      forEach(newest.defined(), number, index -> places.add(coordinates(index, extent)));
    }
    return places;
  }

  /** Visits the row-major indices of the first elements of a selection. */
  private void forEach(Selection selection, long most, LongConsumer visitor) {
    RunIterator runs = selection.runs(dataset.shape());
    long[] offsets = new long[256];
    long[] lengths = new long[256];
    long left = most;
    while (left > 0) {
      int number = runs.next(offsets, lengths, left);
      if (number == 0) {
        return;
      }
      for (int i = 0; i < number; i++) {
        for (long at = 0; at < lengths[i]; at++) {
          visitor.accept(offsets[i] + at);
        }
        left -= lengths[i];
      }
    }
  }

  private static long[] coordinates(long offset, long[] extent) {
    long[] at = new long[extent.length];
    long left = offset;
    for (int d = extent.length - 1; d >= 0; d--) {
      at[d] = left % extent[d];
      left /= extent[d];
    }
    return at;
  }

  /**
   * Returns the members of a JSON object.
   *
   * @param most the maximum number of values
   */
  Json.Members json(Json.Members begin, int most) {
    Json.Members members =
        begin
            .with("path", dataset.path())
            .with("extent", Json.numbers(Arrays.stream(dataset.shape().extent()).boxed().toList()))
            .with("defined", defined);
    if (frame.isEmpty()) {
      return members;
    }
    Frame newest = frame.get();
    Json.Members inner =
        Json.object().with("index", newest.index()).with("defined", newest.count());
    Optional<FrameValues.Bounds> bounds = newest.values().bounds();
    if (bounds.isPresent()) {
      inner =
          inner
              .with("least", newest.values().json(bounds.get().least()))
              .with("greatest", newest.values().json(bounds.get().greatest()));
    }
    if (most > 0) {
      inner = inner.with("values", new Json.Items(items(newest, most)));
    }
    return members.with("newest", inner);
  }

  private List<Json> items(Frame newest, int most) {
    List<Json> items = new ArrayList<>();
    List<long[]> places = places(newest, most);
    for (int i = 0; i < places.size(); i++) {
      items.add(
          Json.object()
              .with("at", Json.numbers(Arrays.stream(places.get(i)).boxed().toList()))
              .with("value", newest.values().json(i)));
    }
    return items;
  }

  /**
   * Draws the newest frame as a PNG file. Does nothing if no element is defined.
   *
   * @throws JobException if the dataset does not have three dimensions, or is not numeric
   */
  void draw(Path png) {
    if (frame.isEmpty()) {
      return;
    }
    Shape shape = dataset.shape();
    if (shape.rank() != 3 || frame.get().values().size() == 0) {
      throw new JobException(
          "only frames of numbers in a dataset of three dimensions can be drawn: path=%s shape=%s"
              .formatted(dataset.path(), shape));
    }
    int rows = Math.toIntExact(shape.extent()[1]);
    int columns = Math.toIntExact(shape.extent()[2]);
    float[] pixels = dataset.readFloats(whole(shape, frame.get().index()));
    long begin = frame.get().index() * rows * columns;
    IntStream.Builder kept = IntStream.builder();
    forEach(
        frame.get().defined(), Long.MAX_VALUE, index -> kept.add(Math.toIntExact(index - begin)));
    FramePicture.write(
        png,
        PixelFrame.of(MemorySegment.ofArray(pixels), PixelType.F32, rows, columns),
        kept.build().toArray());
  }
}
