package io.skerry.internal.file;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Path;

/** The connector that stores objects in HDF5 files. */
public record NativeConnector() implements Connector {
  @Override
  public String name() {
    return "native";
  }

  @Override
  public StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options) {
    return NativeFileOpener.open(path, access, ranks, options);
  }
}
