package io.skerry.collective.live;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MemoryView;
import io.skerry.mpi.file.MpiFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file that is read at one epoch. All reads return the bytes of that epoch, or fail with an
 * {@link io.skerry.parallel.EpochExpiredException}; the file cannot be written. Its size may be
 * larger than at the end of the epoch. Collective and thread-safe like the file itself.
 */
public final class EpochFile implements MpiFile {
  private final MpiFile file;
  private final EpochView epoch;

  /** The size when the file was checked; a smaller size is due to another writer. */
  private volatile long openedSize;

  /** Creates the view of a file at an epoch. Closing it closes both arguments. */
  public EpochFile(MpiFile file, EpochView epoch) {
    this.file = file;
    this.epoch = epoch;
  }

  /**
   * Checks that the file has not been changed by a program that does not publish epochs.
   *
   * @throws io.skerry.exception.FormatException if the superblock is not that of the epoch
   * @throws io.skerry.parallel.EpochExpiredException if the epoch is no longer kept
   */
  public void check() {
    openedSize = file.size();
    epoch.checkUnchanged(file);
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public String component() {
    return file.component();
  }

  @Override
  public void readAt(long offset, MemorySegment data) {
    try {
      file.readAt(offset, data);
    } catch (MpiException e) {
      // Another writer may have truncated the file.
      epoch.requireKept();
      throw e;
    }
    epoch.restore(offset, data);
  }

  @Override
  public void readAtAll(FileView view, MemorySegment data) {
    try {
      file.readAtAll(view, data);
    } catch (MpiException e) {
      epoch.requireKept();
      throw e;
    }
    long at = 0;
    for (int i = 0; i < view.blocks(); i++) {
      epoch.restore(view.offset(i), data.asSlice(at, view.length(i)));
      at += view.length(i);
    }
  }

  @Override
  public boolean scatterAt(long offset, MemorySegment memory, MemoryView places) {
    places.requireWithin(memory.byteSize());
    return false;
  }

  @Override
  public long size() {
    long size = file.size();
    if (size < openedSize) {
      epoch.requireKept();
    }
    return size;
  }

  @Override
  public void sync() {
    file.sync();
  }

  @Override
  public void writeAtAll(FileView view, MemorySegment data) {
    throw readOnly();
  }

  @Override
  public void writeAt(long offset, MemorySegment data) {
    throw readOnly();
  }

  @Override
  public void setSize(long bytes) {
    throw readOnly();
  }

  private IllegalStateException readOnly() {
    return new IllegalStateException("the file is open for reading at an epoch: file=" + path());
  }

  @Override
  public void abandon() {
    try (epoch) {
      file.abandon();
    }
  }

  @Override
  public void close() {
    try (epoch) {
      file.close();
    }
  }
}
