package io.skerry.peers;

import java.io.IOException;
import java.nio.file.Path;

/** One way to keep sparse frames. What it writes is made from {@link Frames} beforehand. */
interface FrameStore extends AutoCloseable {
  /** Name in the tables. */
  String name();

  /** The file it writes, or a folder of files. */
  Path path();

  /**
   * Writes all frames, where nothing is yet, and closes the file.
   *
   * @return how to find out what was written
   */
  Race.Check write(Pace pace) throws IOException;

  /**
   * Opens the file, finds the coordinates and values of all kept pixels, closes the file.
   *
   * @return gives the sum of {@link Frames#token} over them
   */
  Race.Check read(Pace pace) throws IOException;

  @Override
  void close() throws IOException;

  /** How much is written or read by one call. */
  enum Pace {
    /** One frame after the other. */
    FRAMES,
    /** All of them. */
    WHOLE
  }
}
