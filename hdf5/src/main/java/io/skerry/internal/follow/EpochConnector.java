package io.skerry.internal.follow;

import io.skerry.collective.live.EpochPlace;
import io.skerry.internal.file.NativeFileOpener;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Path;

/**
 * The connector that opens HDF5 files at an epoch.
 *
 * @param place the epoch, equal on all ranks
 */
record EpochConnector(EpochPlace place) implements Connector {
  @Override
  public String name() {
    return "native";
  }

  @Override
  public StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options) {
    return NativeFileOpener.openAt(path, place, ranks, options);
  }
}
