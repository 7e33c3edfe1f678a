package io.skerry.internal;

import io.skerry.FileProvider;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.internal.copy.ObjectCopy;
import io.skerry.internal.copy.generic.GenericCopy;
import io.skerry.internal.file.NativeConnector;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.follow.FileFollower;
import io.skerry.internal.verify.FileVerification;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.nio.file.Path;

/** The service provider that opens and verifies HDF5 files, and copies their objects. */
public final class NativeFiles implements FileProvider {
  @Override
  public H5File open(Path path, FileAccess access, Communicator ranks, FileOptions options) {
    return Connectors.open(new NativeConnector(), path, access, ranks, options);
  }

  @Override
  public H5File open(String location, FileAccess access, Communicator ranks, FileOptions options) {
    return Connectors.open(location, access, ranks, options);
  }

  @Override
  public H5File.Follower follow(Path path, Communicator ranks, FileOptions options) {
    return FileFollower.open(path, ranks, options);
  }

  @Override
  public void copy(ObjectCopier how, String from, String to) {
    if (isNative(how)) {
      new ObjectCopy(how).copy(from, to);
    } else {
      new GenericCopy(how).copy(from, to);
    }
  }

  @Override
  public void copyAll(ObjectCopier how) {
    if (isNative(how)) {
      new ObjectCopy(how).copyAll();
    } else {
      new GenericCopy(how).copyAll();
    }
  }

  /** Returns whether both files are HDF5 files, whose bytes are copied where possible. */
  private static boolean isNative(ObjectCopier how) {
    return Connectors.stored(how.source()) instanceof NativeFile
        && Connectors.stored(how.target()) instanceof NativeFile;
  }

  @Override
  public SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher) {
    return FileVerification.of(path, options, watcher);
  }

  @Override
  public SpaceReport verify(String location, FileOptions options, Verification.Watcher watcher) {
    Connectors.Location parsed = Connectors.Location.parse(location);
    return parsed.scheme().isPresent()
        ? Connectors.connector(parsed.scheme().get()).verify(parsed.path(), options, watcher)
        : verify(parsed.path(), options, watcher);
  }
}
