package io.skerry.collective.live;

import io.skerry.mpi.file.MpiFile;
import io.skerry.parallel.EpochExpiredException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The last epoch of a writer that has closed the file. It can be read until another program changes
 * the file.
 *
 * @param hdf5 the path of the file
 * @param place the epoch, with the file when it was closed
 */
record ClosedEpoch(Path hdf5, EpochPlace place) implements EpochView {
  @Override
  public void restore(long position, MemorySegment bytes) {
    requireKept();
  }

  @Override
  public void requireKept() {
    if (!ClosedFile.isUnchanged(hdf5, place.closed())) {
      throw new EpochExpiredException(
          "another program has changed the file since its writer closed it: epoch=%d file=%s"
              .formatted(place.epoch(), hdf5),
          place.epoch());
    }
  }

  @Override
  public void checkUnchanged(MpiFile file) {
    requireKept();
  }

  @Override
  public void close() {}
}
