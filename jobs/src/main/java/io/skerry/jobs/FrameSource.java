package io.skerry.jobs;

import java.nio.file.Path;

/** Where the detector job takes its frames from. */
public sealed interface FrameSource {

  /** The dataset of three dimensions (frames, rows, columns) at {@code dataset} in {@code file}. */
  record InFile(Path file, String dataset) implements FrameSource {

    /**
     * Reads {@code FILE:/path}. The last {@code :/} separates, so a file name may hold colons.
     *
     * @throws IllegalArgumentException if there is no file or no absolute path in it
     */
    public static InFile parse(String text) {
      int colon = text.lastIndexOf(":/");
      if (colon < 1 || colon + 2 == text.length()) {
        throw new IllegalArgumentException("not FILE:/path: input=" + text);
      }
      return new InFile(Path.of(text.substring(0, colon)), text.substring(colon + 1));
    }
  }

  /** Made frames of unsigned 16-bit pixels, the same for the same seed on any number of ranks. */
  record Synthetic(FrameShape shape, long seed) implements FrameSource {}
}
