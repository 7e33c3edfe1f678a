package io.skerry;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/**
 * Implements {@link H5File}, {@link ObjectCopier} and {@link Verification}. Loaded as a service;
 * programs do not call it.
 */
public interface FileProvider {
  /**
   * Opens or creates a file. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param access the access: reading, writing or creation
   * @param ranks the ranks that open the file together
   * @param options the options
   * @return the open file
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file cannot be opened on any
   *     rank
   */
  H5File open(Path path, FileAccess access, Communicator ranks, FileOptions options);

  /**
   * Copies an object and all objects below it. Collective.
   *
   * @param how the files and the options of the copy
   * @param from the path of the object
   * @param to the path of the copy
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, or the object
   *     cannot be read
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  void copy(ObjectCopier how, String from, String to);

  /**
   * Copies the members of the root group of a file into a new file. Collective.
   *
   * @param how the files and the options of the copy
   * @throws io.skerry.parallel.CollectiveException on all ranks if the target has members, or an
   *     object cannot be read
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  void copyAll(ObjectCopier how);

  /**
   * Verifies a file. Local.
   *
   * @param path the path of the file
   * @param options the options with which the file is opened
   * @param watcher receives every finding and the progress
   * @return the space of all structures; empty if the file cannot be opened
   * @throws io.skerry.parallel.CollectiveException if the file does not exist or cannot be read
   */
  SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher);
}
