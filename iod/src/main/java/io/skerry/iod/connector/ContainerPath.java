package io.skerry.iod.connector;

import io.skerry.Transactions;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Snapshots;
import io.skerry.parallel.FileAccess;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder of a container, and the state to read.
 *
 * <pre>
 * run              the newest version
 * run&#64;last         the same
 * run&#64;17           version 17
 * run&#64;prev:17      the newest version that is not above 17
 * run&#64;next:17      the oldest version that is not below 17
 * run&#64;calibrated   the snapshot of this name
 * </pre>
 *
 * @param folder the folder
 * @param snapshot the name of the snapshot; empty for the container itself
 * @param version the version to read, of the snapshot or of the container
 */
record ContainerPath(Path folder, Optional<String> snapshot, Transactions.Version version) {
  private static final char SEPARATOR = '@';

  /** The character that precedes the options of an engine. */
  private static final char QUERY = '?';

  /**
   * Parses a path. Local.
   *
   * @param access the access mode; only reading can use a state other than the newest
   * @throws IllegalArgumentException if the text after the last {@code @} of the name is neither a
   *     version nor a snapshot name, or no text precedes the {@code @}
   * @throws ContainerException if the name contains a valid {@code @} part, and the access is not
   *     reading
   */
  static ContainerPath parse(Path path, FileAccess access) {
    String name = Optional.ofNullable(path.getFileName()).map(Path::toString).orElse("");
    int query = name.indexOf(QUERY);
    int end = query < 0 ? name.length() : query;
    int separator = name.substring(0, end).lastIndexOf(SEPARATOR);
    if (separator < 0) {
      return new ContainerPath(path, Optional.empty(), Transactions.Version.last());
    }
    String state = name.substring(separator + 1, end);
    Optional<Transactions.Version> version = Transactions.Version.parse(state);
    if (separator == 0 || (version.isEmpty() && !Snapshots.NAME.matcher(state).matches())) {
      throw new IllegalArgumentException(
          "path of a container: expected=NAME, NAME@VERSION or NAME@SNAPSHOT actual=" + path);
    }
    if (access != FileAccess.READ) {
      throw new ContainerException(
          ContainerException.Reason.NO_VERSION,
          path.toString(),
          "a path without " + SEPARATOR + ", since a version can only be read",
          "access=" + access);
    }
    Path folder = path.resolveSibling(name.substring(0, separator) + name.substring(end));
    return version
        .map(known -> new ContainerPath(folder, Optional.empty(), known))
        .orElseGet(
            () -> new ContainerPath(folder, Optional.of(state), Transactions.Version.last()));
  }

  /** Returns the arguments with which the engine opens the container for reading. */
  Opening reading() {
    return snapshot.map(Opening::ofSnapshot).orElseGet(Opening::reading);
  }
}
