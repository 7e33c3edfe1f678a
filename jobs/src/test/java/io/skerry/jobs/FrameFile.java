package io.skerry.jobs;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Frames in memory that tests store.
 *
 * @param pixels one frame after the other; NaN where nothing is defined
 */
public record FrameFile(int frames, int rows, int columns, double[] pixels) {
  /** What makes a pixel. */
  public interface Maker {
    /** The value, NaN for none. */
    double at(int frame, int pixel);
  }

  public static FrameFile of(int frames, int rows, int columns, Maker maker) {
    double[] all = new double[frames * rows * columns];
    Arrays.setAll(all, i -> maker.at(i / (rows * columns), i % (rows * columns)));
    return new FrameFile(frames, rows, columns, all);
  }

  /** The values, with one for all that are not defined. */
  public double[] filled(double undefined) {
    return Arrays.stream(pixels).map(v -> Double.isNaN(v) ? undefined : v).toArray();
  }

  private Shape shape() {
    return Shape.of(frames, rows, columns);
  }

  /** Stores what is defined as /p of a new file. */
  public Path sparse(Path file, double fill, long... chunk) {
    byte[] bytes = new byte[8];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(fill);
    DatasetSpec spec = DatasetSpec.of(Datatype.F64, shape()).sparse(chunk).fillValue(bytes);
    long[] places =
        LongStream.range(0, pixels.length)
            .filter(i -> !Double.isNaN(pixels[(int) i]))
            .flatMap(i -> LongStream.of(i / columns / rows, i / columns % rows, i % columns))
            .toArray();
    try (H5File out = H5File.create(file)) {
      var dataset = out.createDataset("/p", spec);
      if (places.length > 0) {
        dataset.write(
            Selection.points(3, places),
            Arrays.stream(pixels).filter(value -> !Double.isNaN(value)).toArray());
      }
    }
    return file;
  }

  /** Stores everything as /p of a new file. */
  public Path dense(Path file, Datatype type) {
    try (H5File out = H5File.create(file)) {
      out.createDataset("/p", DatasetSpec.of(type, shape())).write(Selection.all(), filled(0));
    }
    return file;
  }
}
