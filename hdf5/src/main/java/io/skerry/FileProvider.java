package io.skerry;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/**
 * Does what {@link H5File}, {@link ObjectCopier} and {@link Verification} offer. Found as a
 * service; programs do not call it.
 */
public interface FileProvider {
  /** Opens or creates a file. Collective. */
  H5File open(Path path, FileAccess access, Communicator ranks, FileOptions options);

  /** Copies an object and what is below it. Collective. */
  void copy(ObjectCopier how, String from, String to);

  /** Copies the root group of a file into a new one. Collective. */
  void copyAll(ObjectCopier how);

  /** Verifies a file. Local. */
  SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher);
}
