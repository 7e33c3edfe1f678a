package io.skerry.peers;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** One way to read and write files. The dataset is {@link #DATASET}, of two dimensions. */
interface Library {
  String DATASET = "data";

  /** Name in the tables. */
  String name();

  /**
   * Opens the file, reads the whole dataset, closes the file.
   *
   * @return the values: a new array, or native memory that the next read fills again
   */
  MemorySegment read(Path file) throws IOException;

  /** Creates a file with the dataset and closes it; forcing it to the device is the caller's. */
  void write(Path file, Layout layout, Source values) throws IOException;

  /**
   * Opens the file and lists the names in a group.
   *
   * @return the number of names and a sum over their bytes, whatever their order
   */
  long list(Path file, String group) throws IOException;

  /**
   * Opens the file and every dataset in a group.
   *
   * @return the sum of the first dimensions
   */
  long walk(Path file, String group) throws IOException;

  /** The part of a name in the result of {@link #list}. */
  static long token(String name) {
    return 1 + ((long) name.hashCode() << 20);
  }

  /**
   * The same values in the three forms that the libraries take them in.
   *
   * @param flat row-major
   * @param rows an array per row
   * @param memory native
   */
  record Source(float[] flat, float[][] rows, MemorySegment memory) {
    int rowCount() {
      return rows.length;
    }

    int columnCount() {
      return rows[0].length;
    }
  }
}
