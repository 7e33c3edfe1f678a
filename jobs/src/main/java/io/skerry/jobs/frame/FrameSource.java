package io.skerry.jobs.frame;

import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.parallel.Trust;
import java.nio.file.Path;

/** The source of the frames for a detector job. */
public sealed interface FrameSource {

  /**
   * A three-dimensional dataset: frames, rows, columns.
   *
   * @param file the file that contains the dataset
   * @param trust the policy for other files to which the file refers
   * @param dataset the absolute path of the dataset
   */
  record InFile(Path file, Trust trust, String dataset) implements FrameSource {

    /**
     * Parses {@code FILE:/path} like {@link ObjectArgument#parse}. The file name may contain
     * colons.
     *
     * @throws IllegalArgumentException if the text lacks the file or the path, or if the path is
     *     that of the root group
     */
    public static InFile parse(String text, Trust trust) {
      ObjectArgument place = ObjectArgument.parse("input", text);
      return new InFile(place.file(), trust, place.path());
    }
  }

  /**
   * Synthetic frames of unsigned 16-bit pixels. The frames depend only on the shape and the seed,
   * not on the number of ranks.
   */
  record Synthetic(FrameShape shape, long seed) implements FrameSource {}
}
