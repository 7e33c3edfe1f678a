package io.skerry;

import io.skerry.collective.CollectiveFile.Access;
import io.skerry.collective.FileOptions;
import io.skerry.connector.Connectors;
import io.skerry.mpi.Communicator;
import java.nio.file.Path;

/** The provider of HDF5 files. */
public final class NativeFiles implements FileProvider {
  @Override
  public H5File open(Path path, Access access, Communicator ranks, FileOptions options) {
    return Connectors.open(new NativeConnector(), path, access, ranks, options);
  }

  @Override
  public void copy(ObjectCopier how, String from, String to) {
    new ObjectCopy(how).copy(from, to);
  }

  @Override
  public void copyAll(ObjectCopier how) {
    new ObjectCopy(how).copyAll();
  }

  @Override
  public SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher) {
    return FileVerification.of(path, options, watcher);
  }
}
