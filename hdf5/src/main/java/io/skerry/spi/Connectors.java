package io.skerry.spi;

import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens the files that a connector stores; programs use them in the same way as HDF5 files. */
public final class Connectors {
  /** A scheme has two characters or more, unlike the letter of a drive. */
  private static final Pattern LOCATION = Pattern.compile("([a-z][a-z0-9+.-]+):(.+)");

  private Connectors() {}

  /**
   * Opens or creates the file at a location: a scheme, a colon and a path, as in {@code iod:run}.
   * The connector of the scheme is found as a service; see {@link Connector.Provider}. A location
   * without scheme is the path of an HDF5 file. Collective.
   *
   * @param location the location, equal on all ranks
   * @param access the access mode: reading, writing or creation
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the open file
   * @throws IllegalArgumentException if no connector has the scheme, if the path is invalid, or if
   *     the system property {@code skerry.patience} has an invalid value on this rank
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot open or create
   *     the file, or if the ranks pass different paths, access modes or options
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the communication between the ranks fails
   */
  public static H5File open(
      String location, FileAccess access, Communicator ranks, FileOptions options) {
    Matcher parts = LOCATION.matcher(location);
    if (parts.matches()) {
      return open(connector(parts.group(1)), Path.of(parts.group(2)), access, ranks, options);
    }
    Path path = Path.of(location);
    return switch (access) {
      case CREATE -> H5File.create(path, ranks, options);
      case CREATE_NEW -> H5File.createNew(path, ranks, options);
      case READ -> H5File.open(path, ranks, options);
      case WRITE -> H5File.openForWriting(path, ranks, options);
    };
  }

  private static Connector connector(String scheme) {
    List<String> known = new ArrayList<>();
    for (Connector.Provider provider :
        ServiceLoader.load(Connector.Provider.class, Connector.class.getClassLoader())) {
      if (provider.scheme().equals(scheme)) {
        return provider.connector();
      }
      known.add(provider.scheme());
    }
    throw new IllegalArgumentException(
        "no connector has the scheme: expected=one of " + known + " actual=" + scheme);
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
    return new ConnectedFile(connector.open(path, access, ranks, options), ranks.rankSet());
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
   * Returns the object through which programs use an object of a connector. Local, thread-safe.
   *
   * @param asked the file through which the object was opened
   * @param stored the object of the connector, which may belong to another file
   * @return the object for programs
   * @throws IllegalArgumentException if the file does not belong to a connector
   */
  public static H5Object opened(H5File asked, StoredObject stored) {
    if (asked instanceof ConnectedFile file) {
      return ConnectedObject.of(file, stored);
    }
    throw new IllegalArgumentException("not a file of a connector: file=" + asked.path());
  }
}
