package io.skerry;

import io.skerry.chunk.text.PrintableText;
import io.skerry.mpi.AgreedFailure;

/**
 * A path that leads nowhere, or to another kind of object than asked for. All ranks look at the
 * same metadata and throw it together.
 */
public final class NoSuchObjectException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  private final String path;

  /**
   * @param what what is wrong
   * @param path the path
   * @param file the file
   */
  public NoSuchObjectException(String what, String path, String file) {
    super(PrintableText.text(what + ": path=" + path + " file=" + file));
    this.path = path;
  }

  /** The path. */
  public String path() {
    return path;
  }
}
