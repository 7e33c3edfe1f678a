package io.skerry.parallel;

import java.nio.file.Path;

/**
 * Reports that a file names another file that the {@linkplain Trust policy} refuses. Local
 * operations throw it. Unless the method states otherwise, collective operations throw a {@link
 * CollectiveException} on all ranks, with this exception as the cause on the ranks where the file
 * was refused.
 */
public final class UntrustedFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String named;
  private final String reason;

  private UntrustedFileException(String named, String reason, String message) {
    super(message);
    this.named = named;
    this.reason = reason;
  }

  /**
   * Creates an exception for a file that the policy refuses but another policy would allow. Local,
   * thread-safe; does not fail.
   *
   * @param named the name of the other file, as stored in the object
   * @param reason the rule by which the other file is refused
   * @param object the path of the object that names the other file
   * @param file the file that contains the object
   * @param trust the policy that refuses the other file
   */
  public static UntrustedFileException refused(
      String named, String reason, String object, Path file, Trust trust) {
    return new UntrustedFileException(
        named,
        reason,
        text(named, reason, object, file)
            + " trust="
            + trust.spelling()
            + ", allowed by FileOptions.withTrust(Trust.ALL) or --trust all");
  }

  /**
   * Creates an exception for a file that is not a regular file, which every policy refuses. Local,
   * thread-safe; does not fail.
   *
   * @param named the name of the other file, as stored in the object
   * @param place the path of the other file
   * @param object the path of the object that names the other file
   * @param file the file that contains the object
   */
  public static UntrustedFileException notRegular(
      String named, Path place, String object, Path file) {
    String reason = "not a regular file, which every policy of trust requires: " + place;
    return new UntrustedFileException(named, reason, text(named, reason, object, file));
  }

  private static String text(String named, String reason, String object, Path file) {
    return "another file is refused: named=%s reason=(%s) object=%s file=%s"
        .formatted(named, reason, object, file);
  }

  /**
   * Creates a copy of an exception that another rank threw. Local, thread-safe; does not fail.
   *
   * @param named the name of the refused file, as stored in the object that refers to it
   * @param reason the rule by which the file is refused
   * @param message the complete message of the exception
   */
  public static UntrustedFileException of(String named, String reason, String message) {
    return new UntrustedFileException(named, reason, message);
  }

  /**
   * Returns the name of the refused file, as stored in the object that refers to it. Local,
   * thread-safe; does not fail.
   */
  public String named() {
    return named;
  }

  /** Returns the rule by which the file is refused. Local, thread-safe; does not fail. */
  public String reason() {
    return reason;
  }
}
