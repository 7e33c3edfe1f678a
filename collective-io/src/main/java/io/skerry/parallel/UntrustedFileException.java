package io.skerry.parallel;

import java.nio.file.Path;

/**
 * Reports that a file names another file that the {@linkplain Trust policy} refuses. Local
 * operations throw it. Collective operations throw a {@link CollectiveException} on all ranks, with
 * this exception as the cause on the ranks that met the refusal.
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
   * A refusal under one policy, which another policy would not make.
   *
   * @param named the other file, as it is named
   * @param object path of the object that names it
   * @param file the file with that object
   * @param trust the policy that refuses it
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

  /** A refusal under every policy. */
  public static UntrustedFileException notRegular(
      String named, Path place, String object, Path file) {
    String reason = "not a regular file, which every policy of trust requires: " + place;
    return new UntrustedFileException(named, reason, text(named, reason, object, file));
  }

  private static String text(String named, String reason, String object, Path file) {
    return "another file is refused: named=%s reason=(%s) object=%s file=%s"
        .formatted(named, reason, object, file);
  }

  /** A copy of a refusal that another rank met. */
  public static UntrustedFileException of(String named, String reason, String message) {
    return new UntrustedFileException(named, reason, message);
  }

  /** The other file, as it is named. */
  public String named() {
    return named;
  }

  /** The rule that refuses it. */
  public String reason() {
    return reason;
  }
}
