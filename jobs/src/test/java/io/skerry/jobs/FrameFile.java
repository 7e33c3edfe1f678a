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
 * Frames in memory that tests store in files.
 *
 * @param frames the number of frames
 * @param rows the number of rows of a frame
 * @param columns the number of columns of a frame
 * @param pixels the pixels, frame by frame and row-major; NaN for an undefined pixel
 */
public record FrameFile(int frames, int rows, int columns, double[] pixels) {
  /** Computes the pixels. */
  public interface Maker {
    /** Returns the value of a pixel; NaN for an undefined pixel. */
    double at(int frame, int pixel);
  }

  public static FrameFile of(int frames, int rows, int columns, Maker maker) {
    double[] all = new double[frames * rows * columns];
    Arrays.setAll(all, i -> maker.at(i / (rows * columns), i % (rows * columns)));
    return new FrameFile(frames, rows, columns, all);
  }

  /** Returns the pixels with a value in place of undefined ones. */
  public double[] filled(double undefined) {
    return Arrays.stream(pixels).map(v -> Double.isNaN(v) ? undefined : v).toArray();
  }

  private Shape shape() {
    return Shape.of(frames, rows, columns);
  }

  /** Stores the defined pixels in the sparse dataset {@code /p} of a new file. */
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

  /** Stores all pixels in the dense dataset {@code /p} of a new file, undefined ones as 0. */
  public Path dense(Path file, Datatype type) {
    try (H5File out = H5File.create(file)) {
      out.createDataset("/p", DatasetSpec.of(type, shape())).write(Selection.all(), filled(0));
    }
    return file;
  }
}
