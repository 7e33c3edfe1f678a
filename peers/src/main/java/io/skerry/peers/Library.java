package io.skerry.peers;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A compared library that reads and writes files. Each file contains the two-dimensional dataset
 * {@link #DATASET}.
 */
interface Library {
  String DATASET = "data";

  /** Returns the name of the library for the tables. */
  String name();

  /**
   * Opens the file, reads the entire dataset and closes the file.
   *
   * @return the values: a new array, or native memory that the next read overwrites
   */
  MemorySegment read(Path file) throws IOException;

  /** Creates a file with the dataset and closes the file; the caller forces it to the device. */
  void write(Path file, Layout layout, Source values) throws IOException;

  /**
   * Opens the file and lists the names in a group.
   *
   * @return the sum of {@link #token} over the names
   */
  long list(Path file, String group) throws IOException;

  /**
   * Opens the file, then every dataset in a group.
   *
   * @return the sum of the sizes of the datasets' first dimensions
   */
  long walk(Path file, String group) throws IOException;

  /** Returns the contribution of one name to the result of {@link #list}. */
  static long token(String name) {
    return 1 + ((long) name.hashCode() << 20);
  }

  /**
   * The values to write, in the three forms that the libraries require.
   *
   * @param flat the values in one array, row-major
   * @param rows the values in one array per row
   * @param memory the values in native memory, row-major
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
