package io.skerry.iod.engine;

import io.skerry.chunk.text.PrintableText;

/** Thrown if there is no container that can be used in the requested way at a location. */
public final class ContainerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reasons why a location cannot be used. */
  public enum Reason {
    /** Nothing is stored at the location. */
    MISSING("there is no container"),
    /** The location of a new container or snapshot is taken. */
    EXISTS("the location is taken"),
    /** Something other than a container is stored at the location. */
    NOT_A_CONTAINER("not a container"),
    /** The creation or removal of the container was interrupted. */
    INCOMPLETE("an incomplete container"),
    /** A later version of this program wrote the container. */
    NEWER_VERSION("a container of a newer version"),
    /** Another opener writes to the container. */
    IN_USE("the container is open for writing elsewhere"),
    /** A shard is missing, belongs to another container, or has another number. */
    WRONG_SHARD("a shard does not belong to the container"),
    /** There is no complete snapshot with the name. */
    NO_SNAPSHOT("there is no such snapshot"),
    /** There is no such version, it was purged, or it must not be read in this way. */
    NO_VERSION("there is no such version");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  private final Reason reason;
  private final String path;
  private final String expected;
  private final String actual;

  /**
   * Creates an exception.
   *
   * @param reason why the location cannot be used
   * @param path the path of the container, shard or snapshot
   * @param expected what the caller needs
   * @param actual what was found
   */
  public ContainerException(Reason reason, String path, Object expected, Object actual) {
    super(
        PrintableText.message(
            reason.text + ": path=" + path + " expected=" + expected + " actual=" + actual));
    this.reason = reason;
    this.path = path;
    this.expected = String.valueOf(expected);
    this.actual = String.valueOf(actual);
  }

  /** Returns the reason why the location cannot be used. */
  public Reason reason() {
    return reason;
  }

  /** Returns the path of the container, shard or snapshot. */
  public String path() {
    return path;
  }

  /** Returns what the caller needs. */
  public String expected() {
    return expected;
  }

  /** Returns what was found. */
  public String actual() {
    return actual;
  }
}
