package io.skerry;

import io.skerry.collective.CollectiveFile.Access;
import io.skerry.collective.FileOptions;
import io.skerry.connector.Connector;
import io.skerry.connector.StoredFile;
import io.skerry.mpi.Communicator;
import java.nio.file.Path;

/** Stores the object model in HDF5 files. */
public record NativeConnector() implements Connector {
  @Override
  public String name() {
    return "native";
  }

  @Override
  public StoredFile open(Path path, Access access, Communicator ranks, FileOptions options) {
    return NativeFile.open(path, access, ranks, options);
  }
}
