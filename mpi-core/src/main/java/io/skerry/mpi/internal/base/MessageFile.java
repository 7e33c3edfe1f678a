package io.skerry.mpi.internal.base;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A file for ranks whose transport has no file access: each rank transfers its view through its own
 * {@link PositionalFile}, without waiting for other ranks.
 */
final class MessageFile extends AbstractMpiFile {
  private final CheckedCommunicator communicator;

  MessageFile(CheckedCommunicator communicator, PositionalFile file, OpenMode mode) {
    super(communicator, file, mode);
    this.communicator = communicator;
  }

  @Override
  protected void writeTogether(FileView view, MemorySegment data) {
    positional().write("writeAtAll", view, data);
  }

  @Override
  protected void readTogether(FileView view, MemorySegment data) {
    positional().read("readAtAll", view, data);
  }

  // Rank 0 truncates the file at once, as MPI libraries do. It extends the file only after all
  // ranks have made the call: extending writes the last byte, which must not coincide with a write
  // of that byte by another rank.
  @Override
  protected void resizeTogether(long bytes) {
    boolean first = communicator.rank() == 0;
    Optional<MpiException> failure =
        first ? failureOf(() -> positional().cut(bytes)) : Optional.empty();
    communicator.barrier();
    if (first && failure.isEmpty()) {
      failure = failureOf(() -> positional().extend(bytes));
    }
    communicator.barrier();
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private static Optional<MpiException> failureOf(Runnable action) {
    try {
      action.run();
      return Optional.empty();
    } catch (MpiException e) {
      return Optional.of(e);
    }
  }

  @Override
  protected void syncTogether() {
    try {
      positional().force();
    } finally {
      communicator.barrier();
    }
  }

  @Override
  protected void closeTogether() {
    // Each rank has its own channel, which is closed next.
  }
}
