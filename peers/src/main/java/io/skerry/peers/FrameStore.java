package io.skerry.peers;

import java.io.IOException;
import java.nio.file.Path;

/** A library that stores sparse frames. The written data is prepared from {@link Frames}. */
interface FrameStore extends AutoCloseable {
  /** Name in the tables. */
  String name();

  /** The file it writes, or a folder of files. */
  Path path();

  /**
   * Writes all frames, where nothing is yet, and closes the file.
   *
   * @return a check of the written data
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

  /** The amount that a call writes or reads. */
  enum Pace {
    /** One frame after the other. */
    FRAMES,
    /** All of them. */
    WHOLE
  }
}
