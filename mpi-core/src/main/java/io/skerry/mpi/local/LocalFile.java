package io.skerry.mpi.local;

import io.skerry.mpi.FileView;
import io.skerry.mpi.OpenMode;
import io.skerry.mpi.base.CollectiveFile;
import io.skerry.mpi.base.PositionalFile;
import java.lang.foreign.MemorySegment;

/** A file of ranks in one JVM: each rank applies its view through its own channel. */
final class LocalFile extends CollectiveFile {
  private final LocalCommunicator communicator;

  LocalFile(LocalCommunicator communicator, PositionalFile file, OpenMode mode) {
    super(communicator, file, mode);
    this.communicator = communicator;
  }

  // A collective transfer does not synchronise, so nobody is waited for; meeting all the same
  // finds a rank that makes another call.
  private void meet(String operation) {
    communicator.meet(Signature.of(operation), _ -> true);
  }

  @Override
  protected void writeTogether(FileView view, MemorySegment data) {
    meet("writeAtAll");
    long packed = 0;
    for (int i = 0; i < view.blocks(); i++) {
      positional().write("writeAtAll", view.offset(i), data.asSlice(packed, view.length(i)));
      packed += view.length(i);
    }
  }

  @Override
  protected void readTogether(FileView view, MemorySegment data) {
    meet("readAtAll");
    long packed = 0;
    for (int i = 0; i < view.blocks(); i++) {
      positional().read("readAtAll", view.offset(i), data.asSlice(packed, view.length(i)));
      packed += view.length(i);
    }
  }

  // As in MPI libraries rank 0 does it as soon as it comes, and the others wait for that only.
  @Override
  protected void resizeTogether(long bytes) {
    boolean first = communicator.rank() == 0;
    try {
      if (first) {
        positional().resize(bytes);
      }
    } finally {
      communicator.meet(Signature.sized("setSize", bytes), arrived -> first || arrived.has(0));
    }
  }

  @Override
  protected void syncTogether() {
    try {
      positional().force();
    } finally {
      communicator.meet(Signature.of("sync"), Meeting::hasAll);
    }
  }

  @Override
  protected void closeTogether() {
    if (!communicator.turnstile().poisoned()) {
      meet("close");
    }
  }
}
