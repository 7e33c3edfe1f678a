package io.skerry;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/**
 * The service that implements {@link H5File}, {@link ObjectCopier} and {@link Verification}; their
 * documentation describes all arguments and failures. Programs do not call this interface.
 */
public interface FileProvider {
  /**
   * Opens or creates a file. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param access the mode in which the file is opened: reading, writing or creation
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the open file
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot open or create
   *     the file, or if the ranks pass different paths, modes or options
   * @throws IllegalArgumentException if the system property {@code skerry.patience} has an invalid
   *     value on this rank
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the communication between the ranks fails
   */
  H5File open(Path path, FileAccess access, Communicator ranks, FileOptions options);

  /**
   * Opens or creates the file at a location. Collective.
   *
   * @param location the location, equal on all ranks
   * @param access the mode in which the file is opened: reading, writing or creation
   * @param ranks the ranks that open the file together
   * @param options the options; {@link FileOptions} states which of them must be equal on all ranks
   * @return the open file
   * @throws IllegalArgumentException if no store has the scheme of the location, if its path is
   *     invalid, or if the system property {@code skerry.patience} has an invalid value on this
   *     rank
   * @throws io.skerry.parallel.CollectiveException on all ranks if any rank cannot open or create
   *     the file, or if the ranks pass different paths, modes or options
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the communication between the ranks fails
   */
  H5File open(String location, FileAccess access, Communicator ranks, FileOptions options);

  /**
   * Follows a file that another program writes. Collective.
   *
   * @param path the path of the file, equal on all ranks
   * @param ranks the ranks that read the file together
   * @param options the options with which each epoch is opened
   * @return the follower
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
   *     H5File#follow(Path, Communicator, FileOptions)}
   * @throws java.io.UncheckedIOException if the file at the path of the live file must not be used
   * @throws IllegalArgumentException if the system property {@code skerry.patience} has an invalid
   *     value on this rank
   * @throws IllegalStateException if the communicator is closed or belongs to another thread
   * @throws io.skerry.mpi.MpiException if the live file cannot be read, or the communication
   *     between the ranks fails
   */
  H5File.Follower follow(Path path, Communicator ranks, FileOptions options);

  /**
   * Copies an object and all objects below it. Collective.
   *
   * @param how the files and the options of the copy
   * @param from the path of the object, equal on all ranks
   * @param to the path of the copy, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
   *     ObjectCopier#copy}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws NoSuchObjectException on all ranks if there is no dataset at a path that {@link
   *     ObjectCopier#named} contains
   * @throws io.skerry.exception.UnsupportedFeatureException if the files belong to different
   *     connectors and an option is not supported between them, or an object cannot be stored by
   *     the connector of the target; this exception may also be the cause of a {@code
   *     CollectiveException}
   * @throws IllegalArgumentException if one of the files was not opened by {@link H5File} or {@link
   *     io.skerry.spi.Connectors}
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  void copy(ObjectCopier how, String from, String to);

  /**
   * Copies the members and the attributes of the root group of a file into the root group of a new
   * file. Collective.
   *
   * @param how the files and the options of the copy
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
   *     ObjectCopier#copyAll}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws NoSuchObjectException on all ranks if there is no dataset at a path that {@link
   *     ObjectCopier#named} contains
   * @throws io.skerry.exception.UnsupportedFeatureException if the files belong to different
   *     connectors and an option is not supported between them, or an object cannot be stored by
   *     the connector of the target; this exception may also be the cause of a {@code
   *     CollectiveException}
   * @throws IllegalArgumentException if one of the files was not opened by {@link H5File} or {@link
   *     io.skerry.spi.Connectors}
   * @throws IllegalStateException if a file is closed, or the target is open for reading only
   */
  void copyAll(ObjectCopier how);

  /**
   * Verifies a file. Local, thread-safe.
   *
   * @param path the path of the file
   * @param options the options with which the file is opened
   * @param watcher the watcher, which receives every finding and the progress; an exception that it
   *     throws ends the verification
   * @return the space that all structures occupy; all numbers are 0 if a finding prevents the file
   *     from being opened
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be opened for
   *     reading, or is open for writing
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   * @throws java.io.UncheckedIOException if the journal of the file cannot be read
   * @throws IllegalArgumentException if the system property {@value
   *     io.skerry.parallel.Locking#PROPERTY} or {@code skerry.patience} has an invalid value
   */
  SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher);

  /**
   * Verifies the file at a location. Local, thread-safe.
   *
   * @param location the location
   * @param options the options with which the file is opened
   * @param watcher the watcher, which receives every finding and the progress; an exception that it
   *     throws ends the verification
   * @return the space usage; all numbers are 0 if a finding prevents the file from being opened
   * @throws io.skerry.exception.UnsupportedFeatureException if the store cannot verify files
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be opened for
   *     reading, or is open for writing, or if the storage of a container fails
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   * @throws java.io.UncheckedIOException if the journal of the file cannot be read
   * @throws IllegalArgumentException if no store has the scheme of the location, if its path is
   *     invalid, or if the system property {@value io.skerry.parallel.Locking#PROPERTY} or {@code
   *     skerry.patience} has an invalid value
   */
  SpaceReport verify(String location, FileOptions options, Verification.Watcher watcher);
}
