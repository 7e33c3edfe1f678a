package io.skerry.peers;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A compared library that stores sparse frames. The data to write is prepared from {@link Frames}
 * in advance.
 */
interface FrameStore extends AutoCloseable {
  /** Returns the name of the library for the tables. */
  String name();

  /** Returns the path of the file that the library writes, or of a folder of files. */
  Path path();

  /**
   * Creates the file, writes all frames and closes the file. Nothing may exist at the path yet.
   *
   * @return a check of the written data
   */
  Race.Check write(Pace pace) throws IOException;

  /**
   * Opens the file, reads the coordinates and values of all kept pixels, and closes the file.
   *
   * @return a check whose result is the sum of {@link Frames#token} over all kept pixels
   */
  Race.Check read(Pace pace) throws IOException;

  @Override
  void close() throws IOException;

  /** The amount of data that one call of the library writes or reads. */
  enum Pace {
    /** One frame per call. */
    FRAMES,
    /** All frames in one call. */
    WHOLE
  }
}
