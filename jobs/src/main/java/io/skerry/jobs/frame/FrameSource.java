package io.skerry.jobs.frame;

import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.parallel.Trust;
import java.nio.file.Path;

/** Where the detector job takes its frames from. */
public sealed interface FrameSource {

  /**
   * The dataset of three dimensions (frames, rows, columns) at {@code dataset} in {@code file}.
   *
   * @param trust policy for the other files that the file names
   */
  record InFile(Path file, Trust trust, String dataset) implements FrameSource {

    /**
     * Reads {@code FILE:/path}. The last {@code :/} separates, so a file name may hold colons.
     *
     * @throws IllegalArgumentException if there is no file or no absolute path in it
     */
    public static InFile parse(String text, Trust trust) {
      ObjectArgument place = ObjectArgument.parse("input", text);
      return new InFile(place.file(), trust, place.path());
    }
  }

  /** Made frames of unsigned 16-bit pixels, the same for the same seed on any number of ranks. */
  record Synthetic(FrameShape shape, long seed) implements FrameSource {}
}
