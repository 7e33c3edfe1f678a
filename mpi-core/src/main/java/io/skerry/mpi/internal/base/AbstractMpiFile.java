package io.skerry.mpi.internal.base;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MemoryView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Checks all calls on a file and implements the independent calls; back ends implement the
 * collective calls.
 */
public abstract class AbstractMpiFile implements MpiFile {
  private final CheckedCommunicator communicator;
  private final PositionalFile file;
  private final OpenMode mode;
  private volatile boolean closed;

  protected AbstractMpiFile(CheckedCommunicator communicator, PositionalFile file, OpenMode mode) {
    this.communicator = communicator;
    this.file = file;
    this.mode = mode;
  }

  protected abstract void writeTogether(FileView view, MemorySegment data);

  protected abstract void readTogether(FileView view, MemorySegment data);

  protected abstract void resizeTogether(long bytes);

  protected abstract void syncTogether();

  /** Closes the file that the back end opened; the positional file is closed afterwards. */
  protected abstract void closeTogether();

  /** Returns the positional file of this rank, for independent reads and writes. */
  protected final PositionalFile positional() {
    return file;
  }

  @Override
  public final Path path() {
    return file.path();
  }

  @Override
  public final void writeAtAll(FileView view, MemorySegment data) {
    enter("writeAtAll");
    requireWritable("writeAtAll");
    requireBytes("writeAtAll", view, data);
    try {
      BufferChecks.requireReadable("writeAtAll", data);
    } catch (RuntimeException e) {
      // The other ranks wait for this rank in the collective write.
      writeTogether(FileView.EMPTY, MemorySegment.NULL);
      throw e;
    }
    writeTogether(view, data);
  }

  /**
   * Returns the failure to report for a failed transfer. MPI libraries seldom report that a device
   * is full. Therefore, if a write failed for an unspecified reason on a device with too little
   * free space, the result is a failure of class {@code NO_SPACE}; otherwise, it is the given
   * failure.
   *
   * @param failure the failure of the transfer
   * @param bytes the number of bytes to transfer
   */
  protected final MpiException explained(MpiException failure, long bytes) {
    var kind = failure.errorClass();
    boolean unclear = kind == MpiErrorClass.IO || kind == MpiErrorClass.OTHER;
    if (!failure.operation().equals("writeAtAll") || !unclear) {
      return failure;
    }
    long free = file.freeBytes();
    if (free >= bytes) {
      return failure;
    }
    var text =
        "no space is left: free=%d needed=%d path=%s cause=%s"
            .formatted(free, bytes, file.path(), failure.text());
    var explained =
        new MpiException(
            failure.operation(),
            MpiErrorClass.NO_SPACE,
            failure.code(),
            text,
            failure.communicator(),
            failure.rank());
    explained.initCause(failure);
    return explained;
  }

  @Override
  public final void readAtAll(FileView view, MemorySegment data) {
    enter("readAtAll");
    requireBytes("readAtAll", view, data);
    try {
      requireReads(view, data);
    } catch (RuntimeException e) {
      // The other ranks wait for this rank in the collective read.
      readTogether(FileView.EMPTY, MemorySegment.NULL);
      throw e;
    }
    readTogether(view, data);
  }

  /**
   * Checks that this rank can read the blocks of a view into memory. MPI libraries do not report
   * short collective reads reliably, so the end of the view is compared with the size of the file
   * before the read.
   */
  private void requireReads(FileView view, MemorySegment data) {
    if (view.isEmpty()) {
      BufferChecks.requireReadable("readAtAll", data);
      return;
    }
    BufferChecks.requireWritable("readAtAll", data);
    long size = file.size();
    if (view.end() > size) {
      int block = 0;
      while (view.offset(block) + view.length(block) <= size) {
        block++;
      }
      long actual = Math.max(0, size - view.offset(block));
      throw file.shortRead("readAtAll", view.offset(block), view.length(block), actual);
    }
  }

  @Override
  public final void writeAt(long offset, MemorySegment data) {
    requireOpen("writeAt");
    requireWritable("writeAt");
    file.write("writeAt", offset, data);
  }

  @Override
  public final void readAt(long offset, MemorySegment data) {
    requireOpen("readAt");
    file.read("readAt", offset, data);
  }

  @Override
  public final boolean scatterAt(long offset, MemorySegment memory, MemoryView places) {
    requireOpen("scatterAt");
    places.requireWithin(memory.byteSize());
    return file.scatter(offset, memory, places);
  }

  @Override
  public final long size() {
    requireOpen("size");
    return file.size();
  }

  @Override
  public final void setSize(long bytes) {
    enter("setSize");
    requireWritable("setSize");
    if (bytes < 0) {
      throw new IllegalArgumentException("a size must not be negative: bytes=" + bytes);
    }
    resizeTogether(bytes);
  }

  @Override
  public final void sync() {
    enter("sync");
    syncTogether();
  }

  @Override
  public final void close() {
    if (closed) {
      return;
    }
    communicator.enter("close");
    closed = true;
    try (file) {
      closeTogether();
    }
  }

  @Override
  public final void abandon() {
    if (!closed) {
      closed = true;
      file.close();
    }
  }

  private void enter(String operation) {
    communicator.enter(operation);
    requireOpen(operation);
  }

  private void requireOpen(String operation) {
    if (closed) {
      throw new IllegalStateException(
          "%s on a closed file: path=%s".formatted(operation, file.path()));
    }
  }

  private void requireWritable(String operation) {
    if (mode == OpenMode.READ) {
      throw new IllegalStateException(
          "%s on a file opened for reading: path=%s".formatted(operation, file.path()));
    }
  }

  private static void requireBytes(String operation, FileView view, MemorySegment data) {
    if (view.totalBytes() != data.byteSize()) {
      throw new IllegalArgumentException(
          "%s: view and data differ in size: view=%d data=%d"
              .formatted(operation, view.totalBytes(), data.byteSize()));
    }
  }
}
