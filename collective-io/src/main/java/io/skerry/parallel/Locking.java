package io.skerry.parallel;

import java.util.Map;
import java.util.Optional;

/**
 * Use of POSIX locks, which keep other programs from a file that is open for writing, and readers
 * from one whose writer may be in the middle of a flush.
 *
 * <p>Some file systems have no locks: NFS without a lock service, Lustre mounted without {@code
 * flock}, some that run in user space. There a program that needs them fails with an error that
 * names this option.
 */
public enum Locking {
  /** Without a lock the file is not opened. */
  REQUIRED,
  /**
   * Where the file system has no locks, the file is opened without; elsewhere as {@link #REQUIRED}.
   */
  BEST_EFFORT,
  /**
   * No lock is asked for. Two programs that write the file at the same time destroy it, and a
   * reader may meet half a flush. A reader leaves the journal alone; it refuses a file with a flush
   * that only the journal completes.
   */
  NONE;

  /** The system property that chooses the standard of a process, before the environment does. */
  public static final String PROPERTY = "skerry.locking";

  /** The HDF5 library's variable in the environment, with the values that the library takes. */
  public static final String VARIABLE = "HDF5_USE_FILE_LOCKING";

  /**
   * The standard of this process: {@value #PROPERTY} ({@code required}, {@code best_effort} or
   * {@code none}), else {@value #VARIABLE} ({@code TRUE} or {@code 1}, {@code BEST_EFFORT}, {@code
   * FALSE} or {@code 0}; anything else counts as unset), else {@link #REQUIRED}.
   *
   * @throws IllegalArgumentException if the property is none of its values
   */
  public static Locking ofProcess() {
    return of(Optional.ofNullable(System.getProperty(PROPERTY)), System.getenv());
  }

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
