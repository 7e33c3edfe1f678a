package io.skerry.collective.share;

import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.bytes.SegmentPool;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the elements of one source that one or more ranks need, and distributes their values. Each
 * chunk is read only once. Local, not thread-safe.
 */
final class ChunkReads {
  private final SourceChunks<SharedValues> chunks;
  private final SegmentPool pool;
  private final SortedMap<Long, List<Ask>> asked = new TreeMap<>();

  ChunkReads(SourceChunks<SharedValues> chunks, SegmentPool pool) {
    this.chunks = chunks;
    this.pool = pool;
  }

  /** Elements of one chunk that a rank needs. */
  private sealed interface Ask {
    RunSet elements();
  }

  /**
   * Elements that another rank needs.
   *
   * @param place the memory for their values
   */
  private record Sent(RunSet elements, MemorySegment place) implements Ask {}

  /**
   * Elements that this rank needs.
   *
   * @param slice the index of the slice in the source
   */
  private record Own(RunSet elements, int slice) implements Ask {}

  /**
   * Adds elements that another rank needs.
   *
   * @param place the memory for their values
   */
  void add(long chunk, RunSet elements, MemorySegment place) {
    of(chunk).add(new Sent(elements, place));
  }

  /** Adds a slice that this rank needs. */
  void add(int at) {
    of(chunks.chunk(at)).add(new Own(chunks.slice(at).elements(), chunks.index(at)));
  }

  private List<Ask> of(long chunk) {
    return asked.computeIfAbsent(chunk, _ -> new ArrayList<>());
  }

  /** Reads and distributes all elements that were added. */
  void run() {
    SharedValues source = chunks.source();
    List<Selection> parts = new ArrayList<>();
    asked.forEach((chunk, asks) ->
        parts.add(
            source
                .grid()
                .toDataset(
                    SourceChunks.union(asks.stream().map(Ask::elements).toList()),
                    chunks.numbers().scaled(chunk))));
    Selection all = Selection.unionAll(parts);
    try (Leases leases = new Leases(pool)) {
      MemorySegment values = leases.take(all.count(source.extent()) * source.elementSize());
      source.read(all, values);
      for (ChunkSlice slice : source.grid().cut(all, source.extent())) {
        distribute(slice, values);
      }
    }
  }

  /** Distributes the values of one chunk. */
  private void distribute(ChunkSlice slice, MemorySegment values) {
    int size = chunks.elementSize();
    RunSet read = slice.elements();
    try (Leases leases = new Leases(pool)) {
      MemorySegment packed;
      if (slice.contiguousPlace().isPresent()) {
        packed = values.asSlice(slice.contiguousPlace().getAsLong() * size, read.count() * size);
      } else {
        packed = leases.take(read.count() * size);
        slice.gather(values, size, packed);
      }
      for (Ask ask : asked.getOrDefault(chunks.numbers().number(slice.scaled()), List.of())) {
        switch (ask) {
          case Sent(RunSet elements, MemorySegment place) -> extract(packed, read, elements, place);
          case Own(RunSet elements, int index) -> {
            MemorySegment own = packed;
            if (elements.count() < read.count()) {
              own = leases.take(elements.count() * size);
              extract(packed, read, elements, own);
            }
            chunks.source().take(index, own);
          }
        }
      }
    }
  }

  /**
   * Copies the values of the elements in {@code wanted} from the packed values of the elements in
   * {@code read}, which contains all of them.
   */
  private void extract(MemorySegment packed, RunSet read, RunSet wanted, MemorySegment out) {
    int size = chunks.elementSize();
    long at = 0;
    int run = 0;
    for (int i = 0; i < wanted.runs(); i++) {
      long start = wanted.start(i);
      run = read.firstEndingAfter(start, run);
      long bytes = wanted.length(i) * size;
      long from = (read.before(run) + start - read.start(run)) * size;
      MemorySegment.copy(packed, from, out, at, bytes);
      at += bytes;
    }
  }
}
