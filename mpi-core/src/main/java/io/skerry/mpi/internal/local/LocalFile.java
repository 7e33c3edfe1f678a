package io.skerry.mpi.internal.local;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.base.AbstractMpiFile;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A file for ranks in one JVM. Each rank transfers the blocks of its view through its own {@link
 * PositionalFile}.
 */
final class LocalFile extends AbstractMpiFile {
  private static final Optional<MpiException> NONE = Optional.empty();

  private final LocalCommunicator communicator;

  LocalFile(LocalCommunicator communicator, PositionalFile file, OpenMode mode) {
    super(communicator, file, mode);
    this.communicator = communicator;
  }

  // Detects ranks that make different calls. Does not wait for other ranks, since a collective
  // transfer need not synchronize them.
  private void meet(String operation) {
    communicator.meet(CallSignature.of(operation), _ -> true);
  }

  @Override
  protected void writeTogether(FileView view, MemorySegment data) {
    meet("writeAtAll");
    positional().write("writeAtAll", view, data);
  }

  @Override
  protected void readTogether(FileView view, MemorySegment data) {
    meet("readAtAll");
    positional().read("readAtAll", view, data);
  }

  // Rank 0 truncates the file at once, as MPI libraries do. It extends the file only after all
  // ranks have made the call: extending writes the last byte, which must not coincide with a write
  // of that byte by another rank.
  @Override
  protected void resizeTogether(long bytes) {
    boolean first = communicator.rank() == 0;
    var failure = first ? failureOf(() -> positional().cut(bytes)) : NONE;
    communicator.meet(CallSignature.sized("setSize", bytes), arrived -> !first || arrived.hasAll());
    if (first && failure.isEmpty()) {
      failure = failureOf(() -> positional().extend(bytes));
    }
    communicator.meet(CallSignature.of("setSize"), arrived -> first || arrived.has(0));
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private static Optional<MpiException> failureOf(Runnable action) {
    try {
      action.run();
      return NONE;
    } catch (MpiException e) {
      return Optional.of(e);
    }
  }

  @Override
  protected void syncTogether() {
    try {
      positional().force();
    } finally {
      communicator.meet(CallSignature.of("sync"), CollectiveRound::hasAll);
    }
  }

  @Override
  protected void closeTogether() {
    if (!communicator.scheduler().poisoned()) {
      meet("close");
    }
  }
}
