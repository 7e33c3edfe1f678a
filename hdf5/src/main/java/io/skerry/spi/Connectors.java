package io.skerry.spi;

import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/** Opens files that a connector stores, for programs that use them as any other file. */
public final class Connectors {
  private Connectors() {}

  /**
   * Opens or creates a file. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if any of them cannot open it
   */
  public static H5File open(
      Connector connector, Path path, FileAccess access, Communicator ranks, FileOptions options) {
    return new ConnectedFile(connector.open(path, access, ranks, options));
  }

  /**
   * The file as its connector has it. Local.
   *
   * @throws IllegalArgumentException if it is no file of a connector
   */
  public static StoredFile stored(H5File file) {
    if (file instanceof ConnectedFile connected) {
      return connected.stored();
    }
    throw new IllegalArgumentException("not a file of a connector: file=" + file.path());
  }

  /** The object of a connector as programs use it. Local. */
  public static H5Object opened(H5File asked, StoredObject stored) {
    if (asked instanceof ConnectedFile file) {
      return ConnectedObject.of(file, stored);
    }
    throw new IllegalArgumentException("not a file of a connector: file=" + asked.path());
  }
}
