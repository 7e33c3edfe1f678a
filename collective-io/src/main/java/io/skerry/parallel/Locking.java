package io.skerry.parallel;

import java.util.Map;
import java.util.Optional;

/**
 * The use of POSIX file locks, which Skerry takes on the journal of a file. These locks prevent
 * other programs that use Skerry from opening a file that is open for writing, and from reading a
 * file whose writer may be in the middle of a flush. Other HDF5 libraries do not check them.
 *
 * <p>Some file systems have no locks: NFS without a lock service, Lustre mounted without {@code
 * flock}, and some user-space file systems. A program that requires locks fails there with an error
 * that names this option.
 */
public enum Locking {
  /** The file is opened only with a lock. */
  REQUIRED,
  /**
   * The file is opened without a lock if the file system does not support locks or does not answer
   * in time; otherwise like {@link #REQUIRED}.
   */
  BEST_EFFORT,
  /**
   * No lock is requested. Two programs that write to the file at the same time corrupt it, and a
   * reader may see an incomplete flush. A reader does not change the journal, and refuses a file
   * whose last flush can be completed only from the journal.
   */
  NONE;

  /**
   * The system property that sets the default for a process. It takes precedence over the
   * environment variable.
   */
  public static final String PROPERTY = "skerry.locking";

  /** The environment variable of the HDF5 library, with the values that the library accepts. */
  public static final String VARIABLE = "HDF5_USE_FILE_LOCKING";

  /**
   * Returns the default for this process: {@value #PROPERTY} ({@code required}, {@code best_effort}
   * or {@code none}), else {@value #VARIABLE} ({@code TRUE} or {@code 1}, {@code BEST_EFFORT},
   * {@code FALSE} or {@code 0}; any other value counts as unset), else {@link #REQUIRED}. Local,
   * thread-safe.
   *
   * @throws IllegalArgumentException if the property has another value
   */
  public static Locking ofProcess() {
    return of(Optional.ofNullable(System.getProperty(PROPERTY)), System.getenv());
  }

  /**
   * Returns the default for the given property value and environment variables. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the property has an invalid value
   */
  static Locking of(Optional<String> property, Map<String, String> environment) {
    if (property.isPresent()) {
      return switch (property.get()) {
        case "required" -> REQUIRED;
        case "best_effort" -> BEST_EFFORT;
        case "none" -> NONE;
        default ->
            throw new IllegalArgumentException(
                "not one of required, best_effort, none: " + PROPERTY + "=" + property.get());
      };
    }
    return switch (environment.getOrDefault(VARIABLE, "")) {
      case "FALSE", "0" -> NONE;
      case "BEST_EFFORT" -> BEST_EFFORT;
      default -> REQUIRED;
    };
  }
}
