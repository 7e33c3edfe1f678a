package io.skerry.mpi;

import java.util.List;

/**
 * A human-readable description of the MPI library of this process. Immutable. All methods are local
 * and thread-safe; they do not fail.
 *
 * @param backEnd the name of the back end: {@code local}, {@code ffm}, {@code openmpi-java} or
 *     {@code mpj-express}
 * @param library the file or name of the library, or the path of the jar; {@code none} if no
 *     library is used
 * @param version the version text of the library, on one line
 * @param standard the version of the MPI standard that the library implements, such as {@code 3.1};
 *     empty if no library is used
 * @param threads the thread level that was requested or granted, such as {@code FUNNELED}
 * @param warnings the warnings about this library and its settings, each with a remedy
 */
public record MpiInstallation(
    String backEnd,
    String library,
    String version,
    String standard,
    String threads,
    List<String> warnings) {
  /** Creates a description with a copy of the warnings. Local, thread-safe; does not fail. */
  public MpiInstallation {
    warnings = List.copyOf(warnings);
  }

  /**
   * Returns the description for ranks that are threads of one JVM. Local, thread-safe; does not
   * fail.
   */
  public static MpiInstallation ofThreads() {
    return new MpiInstallation(
        "local", "none", "ranks are threads of one JVM", "", "FUNNELED", List.of());
  }
}
