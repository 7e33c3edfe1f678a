package io.skerry;

/** A path that leads nowhere, or to another kind of object than asked for. */
public final class NoSuchObjectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String path;

  /**
   * @param what what is wrong
   * @param path the path
   * @param file the file
   */
  public NoSuchObjectException(String what, String path, String file) {
    super(what + ": path=" + path + " file=" + file);
    this.path = path;
  }

  /** The path. */
  public String path() {
    return path;
  }
}
