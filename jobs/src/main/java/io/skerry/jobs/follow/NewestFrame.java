package io.skerry.jobs.follow;

import io.skerry.Dataset;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.jobs.detector.FramePicture;
import io.skerry.jobs.detector.PixelFrame;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

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
  record Frame(long index, Selection defined, long count, double[] values) {
    private OptionalDouble least() {
      return Arrays.stream(values).filter(Double::isFinite).min();
    }

    private OptionalDouble greatest() {
      return Arrays.stream(values).filter(Double::isFinite).max();
    }
  }

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
    boolean isNumeric =
        dataset.datatype() instanceof FixedPoint || dataset.datatype() instanceof FloatingPoint;
    return new Frame(
        index,
        defined,
        defined.count(shape),
        isNumeric ? dataset.readDoubles(defined) : new double[0]);
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
      newest.least().ifPresent(least -> line.append(", ").append(number(least)));
      newest.greatest().ifPresent(greatest -> line.append(" to ").append(number(greatest)));
    });
    lines.add(line.toString());
    if (frame.isPresent() && most > 0) {
      lines.add("  " + values(frame.get(), most));
    }
    return lines;
  }

  private String values(Frame newest, int most) {
    long[] coordinates = newest.defined().toCoordinates(dataset.shape());
    int rank = dataset.shape().rank();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Math.min(most, newest.values().length); i++) {
      String at =
          Arrays.toString(Arrays.copyOfRange(coordinates, i * rank, (i + 1) * rank))
              .replace(" ", "");
      texts.add(at + "=" + number(newest.values()[i]));
    }
    return String.join("  ", texts) + (newest.values().length > most ? "  ..." : "");
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
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
    if (newest.least().isPresent()) {
      inner =
          inner
              .with("least", newest.least().getAsDouble())
              .with("greatest", newest.greatest().orElseThrow());
    }
    if (most > 0) {
      inner = inner.with("values", new Json.Items(items(newest, most)));
    }
    return members.with("newest", inner);
  }

  private List<Json> items(Frame newest, int most) {
    long[] coordinates = newest.defined().toCoordinates(dataset.shape());
    int rank = dataset.shape().rank();
    List<Json> items = new ArrayList<>();
    for (int i = 0; i < Math.min(most, newest.values().length); i++) {
      List<Long> at = Arrays.stream(coordinates, i * rank, (i + 1) * rank).boxed().toList();
      double value = newest.values()[i];
      items.add(
          Json.object()
              .with("at", Json.numbers(at))
              .with("value", Double.isFinite(value) ? new Json.Real(value) : Json.Nothing.NULL));
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
    if (shape.rank() != 3 || frame.get().values().length == 0) {
      throw new JobException(
          "only frames of numbers in a dataset of three dimensions can be drawn: path=%s shape=%s"
              .formatted(dataset.path(), shape));
    }
    int rows = Math.toIntExact(shape.extent()[1]);
    int columns = Math.toIntExact(shape.extent()[2]);
    float[] pixels = dataset.readFloats(whole(shape, frame.get().index()));
    long[] coordinates = frame.get().defined().toCoordinates(shape);
    int[] kept = new int[coordinates.length / 3];
    Arrays.setAll(kept, i -> (int) (coordinates[3 * i + 1] * columns + coordinates[3 * i + 2]));
    FramePicture.write(
        png, PixelFrame.of(MemorySegment.ofArray(pixels), PixelType.F32, rows, columns), kept);
  }
}
