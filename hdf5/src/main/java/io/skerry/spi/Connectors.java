package io.skerry.spi;

import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Opens the files that a connector stores; programs use them in the same way as HDF5 files. Methods
 * that look for the connector of a scheme throw a {@link java.util.ServiceConfigurationError} on
 * this rank, before any collective call, if an installed provider cannot be loaded.
 */
public final class Connectors {
  /**
   * The modules of Skerry that provide connectors, by scheme, for messages about a missing module.
   */
  private static final Map<String, String> MODULES =
      Map.of("iod", "io.skerry.iod", "iod+rados", "io.skerry.iod.rados");

  private Connectors() {}

  /**
   * The position of this rank among the ranks that have a file open. Immutable.
   *
   * @param rank the number of this rank, from 0
   * @param of the number of ranks
   */
  public record Position(int rank, int of) {}

  /**
   * A location: a scheme and a path, as in {@code iod:run}, or the path of an HDF5 file. Immutable.
   *
   * @param scheme the scheme; empty for an HDF5 file
   * @param path the path
   */
  public record Location(Optional<String> scheme, Path path) {
    /** A scheme has two characters or more, unlike the letter of a drive. */
    private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9+.-]+):(.+)", Pattern.DOTALL);

    /**
     * Parses a location. A text has a scheme if it begins with a lower-case letter, then one or
     * more lower-case letters, digits or characters {@code +.-}, a colon and at least one more
     * character. The path of an HDF5 file that has this form must be preceded by a folder, as in
     * {@code ./run:1.h5}. Local, thread-safe.
     *
     * @param text the location
     * @return the parts
     * @throws java.nio.file.InvalidPathException if the path is invalid
     */
    public static Location parse(String text) {
      Matcher parts = FORM.matcher(text);
      return parts.matches()
          ? new Location(Optional.of(parts.group(1)), Path.of(parts.group(2)))
          : new Location(Optional.empty(), Path.of(text));
    }

    /**
     * Returns the scheme of a text that begins with a location, as {@link #parse} does. Local,
     * thread-safe; does not fail.
     *
     * @param text the location, which other text may follow
     * @return the scheme; empty if there is none
     */
    public static Optional<String> scheme(String text) {
      Matcher parts = FORM.matcher(text);
      return parts.matches() ? Optional.of(parts.group(1)) : Optional.empty();
    }

    /**
     * Returns the location of another file in the same store. Local, thread-safe; does not fail.
     *
     * @param other the path of the other file
     * @return the location
     */
    public Location at(Path other) {
      return new Location(scheme, other);
    }

    /**
     * Returns the path without the version or the snapshot that a location with a scheme may name
     * after the character {@code @}, as in {@code iod:run@17}. Local, thread-safe; does not fail.
     *
     * @return the path of the file itself
     */
    public Path base() {
      String name = Optional.ofNullable(path.getFileName()).map(Path::toString).orElse("");
      int end = name.lastIndexOf('@');
      return scheme.isPresent() && end > 0 ? path.resolveSibling(name.substring(0, end)) : path;
    }

    /** Returns the text of the location. Local, thread-safe; does not fail. */
    @Override
    public String toString() {
      return scheme.map(name -> name + ":").orElse("") + path;
    }
  }

  /**
   * Returns whether a scheme belongs to an installed connector, or to a connector of Skerry whose
   * module is missing. Local, thread-safe.
   *
   * @param scheme the scheme
   * @return true if a location with this scheme does not name a file
   */
  public static boolean isScheme(String scheme) {
    return MODULES.containsKey(scheme)
        || providers().anyMatch(provider -> provider.scheme().equals(scheme));
  }

  /**
   * Opens or creates the file at a location: a scheme, a colon and a path, as in {@code iod:run}.
   * The connector of the scheme is found as a service; see {@link Connector.Provider}. A location
   * without scheme is the path of an HDF5 file. Collective.
   *
   * @param location the location, equal on all ranks; {@link Location#parse} states its form
   * @param access the access mode: reading, writing or creation
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the open file
   * @throws IllegalArgumentException before any collective call, if no connector has the scheme, if
   *     the path is invalid ({@link java.nio.file.InvalidPathException}), or if the system property
   *     {@code skerry.patience} has an invalid value on this rank
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot open or create
   *     the file, or if the ranks pass different paths, access modes or options
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the communication between the ranks fails
   */
  public static H5File open(
      String location, FileAccess access, Communicator ranks, FileOptions options) {
    Location parsed = Location.parse(location);
    Path path = parsed.path();
    if (parsed.scheme().isPresent()) {
      return open(connector(parsed.scheme().get()), path, access, ranks, options);
    }
    return switch (access) {
      case CREATE -> H5File.create(path, ranks, options);
      case CREATE_NEW -> H5File.createNew(path, ranks, options);
      case READ -> H5File.open(path, ranks, options);
      case WRITE -> H5File.openForWriting(path, ranks, options);
    };
  }

  private static Stream<Connector.Provider> providers() {
    return ServiceLoader.load(Connector.Provider.class, Connector.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get);
  }

  /**
   * Returns the connector of a scheme. Local, thread-safe.
   *
   * @param scheme the scheme of a location
   * @return the connector
   * @throws IllegalArgumentException if no connector has the scheme
   */
  public static Connector connector(String scheme) {
    return providers()
        .filter(provider -> provider.scheme().equals(scheme))
        .findFirst()
        .map(Connector.Provider::connector)
        .orElseThrow(() -> new IllegalArgumentException(missing(scheme)));
  }

  private static String missing(String scheme) {
    List<String> known = providers().map(Connector.Provider::scheme).sorted().toList();
    return "no connector has the scheme: scheme="
        + scheme
        + " installed="
        + known
        + Optional.ofNullable(MODULES.get(scheme))
            .map(module -> " missing module=" + module)
            .orElse("; a file of this name needs a folder before it, as in ./" + scheme + ":name");
  }

  /**
   * Opens or creates a file. Collective.
   *
   * @param connector the connector that stores the file
   * @param path the path of the file, equal on all ranks
   * @param access the access mode: reading, writing or creation
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the open file
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot open or create
   *     the file, or if the ranks pass different paths, access modes or options
   * @throws IllegalArgumentException if the system property {@code skerry.patience} has an invalid
   *     value on this rank
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the communication between the ranks fails
   */
  public static H5File open(
      Connector connector, Path path, FileAccess access, Communicator ranks, FileOptions options) {
    return new ConnectedFile(
        connector.open(path, access, ranks, options), ranks.rankSet(), ranks.rank());
  }

  /**
   * Returns the connector's own object for a file. Local, thread-safe.
   *
   * @param file a file that {@link #open} or {@link H5File} has opened
   * @return the file as the connector represents it
   * @throws IllegalArgumentException if the file does not belong to a connector
   */
  public static StoredFile stored(H5File file) {
    if (file instanceof ConnectedFile connected) {
      return connected.stored();
    }
    throw new IllegalArgumentException("not a file of a connector: file=" + file.path());
  }

  /**
   * Returns the position of this rank among the ranks that have a file open. Local, thread-safe.
   *
   * @param file a file that {@link #open} or {@link H5File} has opened
   * @return the position
   * @throws IllegalArgumentException if the file does not belong to a connector
   */
  public static Position position(H5File file) {
    if (file instanceof ConnectedFile connected) {
      return connected.position();
    }
    throw new IllegalArgumentException("not a file of a connector: file=" + file.path());
  }

  /**
   * Returns the object through which programs use an object of a connector. Local, thread-safe.
   *
   * @param asked the file through which the object was opened
   * @param stored the object of the connector, which may belong to another file
   * @return the API object for the object of the connector
   * @throws IllegalArgumentException if the file does not belong to a connector
   */
  public static H5Object opened(H5File asked, StoredObject stored) {
    if (asked instanceof ConnectedFile file) {
      return ConnectedObject.of(file, stored);
    }
    throw new IllegalArgumentException("not a file of a connector: file=" + asked.path());
  }
}
