package io.skerry.collective.read;

import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.dataspace.grid.SliceConversion;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.index.api.ChunkRecord;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * Reads selected elements of a chunk whose stored image consists exactly of its values, without
 * reading the other elements. Local, thread-safe.
 *
 * @param wanted the dataset, and the memory for the values of one selection
 */
record PartReader(ChunkImageReader images, SliceTarget wanted) {
  /**
   * The maximum gap, in bytes, between two runs of elements that are read together. Copying a gap
   * of this size from the page cache takes no longer than another system call.
   */
  private static final long GAP = 8 << 10;

  /** The maximum number of bytes of several runs that are read together. */
  private static final long STAGE = 1 << 20;

  /**
   * Reads the elements of a slice.
   *
   * @param memory the owner of the buffers
   * @return true if the values were read; if false, the caller must read and decode the chunk
   */
  boolean read(ChunkSlice slice, ChunkRecord record, Leases memory) {
    if (!InPlaceReader.isPlain(wanted.dataset(), record)) {
      return false;
    }
    TypedMemory target = wanted.target();
    long bytes = slice.elements().count() * size();
    OptionalLong place = slice.contiguousPlace();
    if (place.isPresent() && target.conversion().isIdentity()) {
      MemorySegment out = target.values().asSlice(place.getAsLong() * size(), bytes);
      read(slice.elements(), record, out, memory);
      return true;
    }
    MemorySegment values = memory.take(bytes);
    read(slice.elements(), record, values, memory);
    new SliceConversion(target.conversion()).scatter(slice, values, target.values());
    return true;
  }

  private long size() {
    return wanted.dataset().format().datatype().size();
  }

  /** Returns the offset of an element in the image. */
  private long at(long element) {
    return wanted.dataset().format().storedAt(element).orElseThrow();
  }

  /**
   * Reads elements.
   *
   * @param values the memory for their values, in ascending order of the elements
   */
  private void read(RunSet elements, ChunkRecord record, MemorySegment values, Leases memory) {
    MemorySegment stage = MemorySegment.NULL;
    int end = 0;
    for (int run = 0; run < elements.runs(); run = end) {
      long from = at(elements.start(run));
      end = run + 1;
      while (end < elements.runs() && isNear(elements, end, from)) {
        end++;
      }
      long bytes = at(elements.end(end - 1) - 1) + size() - from;
      long place = elements.before(run) * size();
      if (end == run + 1) {
        images.readAlone(record, from, values.asSlice(place, bytes));
        continue;
      }
      if (stage.byteSize() == 0) {
        stage = memory.take(Math.min(STAGE, record.sections().size()));
      }
      images.readAlone(record, from, stage.asSlice(0, bytes));
      for (int i = run; i < end; i++) {
        long length = elements.length(i) * size();
        MemorySegment.copy(stage, at(elements.start(i)) - from, values, place, length);
        place += length;
      }
    }
  }

  /**
   * Returns whether a run is read together with the previous one.
   *
   * @param from the offset of the first run that is read together with the previous one
   */
  private boolean isNear(RunSet elements, int run, long from) {
    long gap = (elements.start(run) - elements.end(run - 1)) * size();
    return gap <= GAP && at(elements.end(run) - 1) + size() - from <= STAGE;
  }
}
