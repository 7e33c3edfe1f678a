package io.skerry.peers;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The location of a file or container that a task writes and reads.
 *
 * @param name the name for the tables
 * @param location the location, as {@link H5File#create(String, Communicator)} accepts it
 */
record StoreLocation(String name, String location) {
  H5File create() {
    return H5File.create(location, Communicator.self());
  }

  H5File open() {
    return H5File.open(location, Communicator.self());
  }

  /** Deletes the file or container, if there is one. */
  void delete() throws IOException {
    Connectors.Location parsed = Connectors.Location.parse(location);
    if (parsed.scheme().filter(scheme -> !scheme.equals("iod")).isEmpty()) {
      new FileTree(Path.of(parsed.path().toString())).delete();
      return;
    }
    Connector connector = Connectors.connector(parsed.scheme().orElseThrow());
    if (connector.isTaken(parsed.path())) {
      connector.remove(parsed.path());
    }
  }
}
