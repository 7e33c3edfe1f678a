package io.skerry.jobs;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Frames in memory that tests store.
 *
 * @param pixels one frame after the other; NaN where nothing is defined
 */
record FrameFile(int frames, int rows, int columns, double[] pixels) {
  /** What makes a pixel. */
  interface Maker {
    /** The value, NaN for none. */
    double at(int frame, int pixel);
  }

  static FrameFile of(int frames, int rows, int columns, Maker maker) {
    double[] all = new double[frames * rows * columns];
    Arrays.setAll(all, i -> maker.at(i / (rows * columns), i % (rows * columns)));
    return new FrameFile(frames, rows, columns, all);
  }

  /** The values, with one for all that are not defined. */
  double[] filled(double undefined) {
    return Arrays.stream(pixels).map(v -> Double.isNaN(v) ? undefined : v).toArray();
  }

  private Shape shape() {
    return Shape.of(frames, rows, columns);
  }

  /** Stores what is defined as /p of a new file. */
  Path sparse(Path file, double fill, long... chunk) {
    byte[] bytes = new byte[8];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(fill);
    DatasetSpec spec = DatasetSpec.of(Datatype.F64, shape()).sparse(chunk).fillValue(bytes);
    try (H5File out = H5File.create(file)) {
      var dataset = out.createDataset("/p", spec);
      for (int frame = 0; frame < frames; frame++) {
        for (int row = 0; row < rows; row++) {
          for (int column = 0; column < columns; column++) {
            double value = pixels[(frame * rows + row) * columns + column];
            if (!Double.isNaN(value)) {
              dataset.write(Selection.at(frame, row, column).extent(1, 1, 1), new double[] {value});
            }
          }
        }
      }
    }
    return file;
  }

  /** Stores everything as /p of a new file. */
  Path dense(Path file, Datatype type) {
    try (H5File out = H5File.create(file)) {
      out.createDataset("/p", DatasetSpec.of(type, shape())).write(Selection.all(), filled(0));
    }
    return file;
  }
}
