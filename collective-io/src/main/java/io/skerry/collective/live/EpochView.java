package io.skerry.collective.live;

import io.skerry.mpi.file.MpiFile;
import io.skerry.parallel.EpochExpiredException;
import java.lang.foreign.MemorySegment;

/** Restores the bytes that are read from a file to those of an epoch. Thread-safe; local. */
public interface EpochView extends AutoCloseable {
  /**
   * Restores bytes that were read from the HDF5 file to those of the epoch.
   *
   * @param position the position of the first byte in the HDF5 file
   * @param bytes the bytes that were read, which this method may change
   * @throws EpochExpiredException if the epoch is no longer kept; the bytes are then undefined
   */
  void restore(long position, MemorySegment bytes);

  /**
   * Checks that the epoch is still kept.
   *
   * @throws EpochExpiredException if it is not
   */
  void requireKept();

  /**
   * Checks that the file was not changed by a program that does not publish epochs.
   *
   * @param file the HDF5 file, read without this view
   * @throws EpochExpiredException if the epoch is no longer kept
   * @throws io.skerry.exception.FormatException if the file was changed
   */
  void checkUnchanged(MpiFile file);

  @Override
  void close();
}
