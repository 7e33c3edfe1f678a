package io.skerry.jobs.pca;

import io.skerry.Dataset;
import io.skerry.H5Object;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Reads a stack of frames from a dataset as differences from a base value. Only the defined
 * elements of a sparse dataset are read. All methods are local.
 *
 * @param dataset the dataset, open for independent reads
 * @param shape the shape of the frames
 * @param base the value that is subtracted from all values; pixels with this value are omitted
 * @param undefined the value of undefined pixels; {@code base} equals this value if the frames are
 *     centered, and is 0 otherwise
 */
record FrameStack(Dataset dataset, FrameShape shape, double base, double undefined) {
  /**
   * Returns the stack of frames in a dataset.
   *
   * @throws JobException if the object is not a non-empty, three-dimensional dataset of integers or
   *     floating-point numbers, if it has more frames, or more pixels per frame, than a Java array
   *     can hold, if it has fewer frames, or fewer pixels per frame, than there are components, or
   *     if its fill value is needed and is not finite
   */
  static FrameStack of(H5Object object, PcaOptions options) {
    if (!(object instanceof Dataset dataset)) {
      throw new JobException(
          "not a dataset: path=%s file=%s".formatted(object.shownPath(), options.in()));
    }
    FrameShape shape = shapeOf(dataset);
    if (!(dataset.datatype() instanceof FixedPoint
        || dataset.datatype() instanceof FloatingPoint)) {
      throw new JobException(
          "pixels must be numbers: path=%s type=%s"
              .formatted(dataset.shownPath(), dataset.datatype()));
    }
    long most = Math.min(shape.frames(), shape.framePixels());
    if (options.components() > most) {
      throw new JobException(
          "more components than frames or pixels: components=%d frames=%d pixels=%d"
              .formatted(options.components(), shape.frames(), shape.framePixels()));
    }
    double undefined = dataset.isSparse() ? undefined(dataset, options.undefined()) : 0;
    double base = options.centering() == Centering.MEAN ? undefined : 0;
    return new FrameStack(dataset.independent(), shape, base, undefined);
  }

  private static FrameShape shapeOf(Dataset dataset) {
    Shape shape = dataset.shape();
    if (dataset.isNull() || shape.rank() != 3 || shape.elements() == 0) {
      throw new JobException(
          "frames need three dimensions, none of them empty: path=%s shape=%s"
              .formatted(dataset.shownPath(), shape));
    }
    long rows = shape.extent(1);
    long columns = shape.extent(2);
    // A Java array has at most 2^31-1 elements, in practice a few elements fewer.
    if (rows > (Integer.MAX_VALUE - 8) / columns || shape.extent(0) > Integer.MAX_VALUE - 8) {
      throw new JobException(
          "too many frames or pixels: path=%s shape=%s limit=2^31-9"
              .formatted(dataset.shownPath(), shape));
    }
    return new FrameShape(shape.extent(0), (int) rows, (int) columns);
  }

  private static double undefined(Dataset dataset, OptionalDouble given) {
    if (given.isPresent()) {
      return given.getAsDouble();
    }
    Endian order = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Endian.LITTLE : Endian.BIG;
    double[] fill = new double[1];
    Conversion.between(dataset.datatype(), Datatype.F64.withOrder(order))
        .convert(MemorySegment.ofArray(dataset.fillValue()), MemorySegment.ofArray(fill), 1);
    if (!Double.isFinite(fill[0])) {
      throw new JobException(
          "the fill value is no number to count with, say --undefined VALUE: path=%s fill=%s"
              .formatted(dataset.shownPath(), fill[0]));
    }
    return fill[0];
  }

  /**
   * Checks that all elements are finite numbers.
   *
   * @param bad the linear index of the first element that is infinite or NaN; {@link
   *     Long#MAX_VALUE} if there is none
   * @throws JobException if there is such an element
   */
  void requireFinite(long bad) {
    if (bad != Long.MAX_VALUE) {
      long pixel = bad % shape.framePixels();
      throw new JobException(
          "not a finite number: path=%s frame=%d row=%d column=%d"
              .formatted(
                  dataset.shownPath(),
                  bad / shape.framePixels(),
                  pixel / shape.columns(),
                  pixel % shape.columns()));
    }
  }

  /**
   * Returns the number of frames in one chunk, at most the number of all frames; 1 if the dataset
   * is not chunked.
   */
  int chunkFrames() {
    List<Long> chunk = dataset.storage().chunk();
    return chunk.isEmpty() ? 1 : (int) Math.min(chunk.getFirst(), shape.frames());
  }

  /** Reads consecutive frames, at least one. */
  FrameBatch read(int first, int frames) {
    Selection box = Selection.at(first, 0, 0).extent(frames, shape.rows(), shape.columns());
    if (!dataset.isSparse()) {
      return dense(first, frames, dataset.readDoubles(box));
    }
    Selection defined = dataset.defined(box);
    double[] values = dataset.readDoubles(defined);
    if (base == undefined) {
      return sparse(first, frames, defined, values);
    }
    double[] whole = new double[Math.multiplyExact(frames, shape.framePixels())];
    Arrays.fill(whole, undefined);
    int[] at = {0};
    defined.forEachRun(
        dataset.shape(),
        (start, length) -> {
          int to = (int) (start[0] - first) * shape.framePixels() + pixel(start);
          System.arraycopy(values, at[0], whole, to, (int) length);
          at[0] += (int) length;
        });
    return dense(first, frames, whole);
  }

  private int pixel(long[] place) {
    return (int) (place[1] * shape.columns() + place[2]);
  }

  private FrameBatch sparse(int first, int frames, Selection defined, double[] values) {
    Gathered gathered = new Gathered(frames, values.length);
    int[] at = {0};
    defined.forEachRun(
        dataset.shape(),
        (start, length) -> {
          int frame = (int) (start[0] - first);
          int pixel = pixel(start);
          for (int i = 0; i < length; i++) {
            gathered.put(frame, pixel + i, values[at[0]++] - base);
          }
        });
    return gathered.batch(first);
  }

  private FrameBatch dense(int first, int frames, double[] values) {
    int count = 0;
    for (double value : values) {
      count += value - base != 0 ? 1 : 0;
    }
    Gathered gathered = new Gathered(frames, count);
    int at = 0;
    for (int frame = 0; frame < frames; frame++) {
      for (int pixel = 0; pixel < shape.framePixels(); pixel++) {
        gathered.put(frame, pixel, values[at++] - base);
      }
    }
    return gathered.batch(first);
  }

  /** Collects the values of a batch in order and omits zeros. */
  private static final class Gathered {
    private final int[] ends;
    private final int[] pixels;
    private final double[] values;
    private int count;

    Gathered(int frames, int most) {
      ends = new int[frames];
      pixels = new int[most];
      values = new double[most];
    }

    void put(int frame, int pixel, double value) {
      if (value != 0) {
        pixels[count] = pixel;
        values[count++] = value;
        ends[frame] = count;
      }
    }

    FrameBatch batch(int first) {
      for (int frame = 1; frame < ends.length; frame++) {
        ends[frame] = Math.max(ends[frame], ends[frame - 1]);
      }
      return count == pixels.length
          ? new FrameBatch(first, ends, pixels, values)
          : new FrameBatch(first, ends, Arrays.copyOf(pixels, count), Arrays.copyOf(values, count));
    }
  }
}
