package io.skerry.integration.chunkcache;

import io.skerry.ChunkInfo;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Counts how often each chunk of a file is read and written, from the calls that reach the file.
 *
 * <p>A read is assigned to a chunk by its offset, since reads do not move chunks. A write is
 * assigned by its content, since a write may move a chunk: each chunk begins with a unique number.
 */
final class ChunkTraffic implements FileProbe {
  private record Extent(long offset, long length) {
    long end() {
      return offset + length;
    }

    boolean meets(ChunkInfo chunk) {
      return offset < chunk.address() + chunk.size() && chunk.address() < end();
    }

    boolean covers(ChunkInfo chunk) {
      return offset <= chunk.address() && chunk.address() + chunk.size() <= end();
    }
  }

  private final long chunkBytes;
  private final List<Extent> reads = new ArrayList<>();
  private final Map<Long, Integer> writes = new HashMap<>();
  private final List<Extent> parts = new ArrayList<>();
  private long written;

  /**
   * @param chunkBytes stored size of each chunk in bytes
   */
  ChunkTraffic(long chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  @Override
  public synchronized Optional<MpiException> before(
      int rank, FileCall call, FileView view, MemorySegment data) {
    switch (call) {
      case READ, READ_ALONE -> {
        for (int i = 0; i < view.blocks(); i++) {
          reads.add(new Extent(view.offset(i), view.length(i)));
        }
      }
      case WRITE, WRITE_ALONE -> {
        long at = 0;
        for (int i = 0; i < view.blocks(); i++) {
          written(new Extent(view.offset(i), view.length(i)), data.asSlice(at, view.length(i)));
          at += view.length(i);
        }
      }
      case RESIZE, SYNC, SIZE, CLOSE -> {}
    }
    return Optional.empty();
  }

  /** Records a write, which may cover several adjacent chunks. */
  private void written(Extent place, MemorySegment bytes) {
    written += bytes.byteSize();
    if (bytes.byteSize() % chunkBytes != 0) {
      parts.add(place);
    } else {
      for (long at = 0; at < bytes.byteSize(); at += chunkBytes) {
        writes.merge(bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at), 1, Integer::sum);
      }
    }
  }

  /**
   * Returns how often each chunk was partly written at its old address: the number of bytes written
   * there divided by the chunk size, rounded up. Writing each element once counts as one write.
   */
  synchronized List<Integer> partWrites(List<ChunkInfo> before) {
    return before.stream()
        .map(chunk -> {
          long bytes =
              parts.stream().filter(part -> part.meets(chunk)).mapToLong(Extent::length).sum();
          return Math.toIntExact(Math.ceilDiv(bytes, chunkBytes));
        })
        .toList();
  }

  /** Returns the number of bytes written, metadata included. */
  synchronized long writtenBytes() {
    return written;
  }

  /** Returns how often each chunk, identified by its first value, was written as a whole. */
  synchronized List<Integer> writes(List<Long> firstValues) {
    return firstValues.stream().map(first -> writes.getOrDefault(first, 0)).toList();
  }

  /**
   * Returns the number of calls that read each chunk, alone or with its neighbors. Reads of
   * metadata may include adjacent bytes, so only reads that begin and end at chunk boundaries
   * count.
   */
  synchronized List<Integer> reads(List<ChunkInfo> places) {
    Set<Long> starts = new HashSet<>();
    Set<Long> ends = new HashSet<>();
    for (ChunkInfo chunk : places) {
      starts.add(chunk.address());
      ends.add(chunk.address() + chunk.size());
    }
    List<Extent> ofChunks =
        reads.stream()
            .filter(read -> starts.contains(read.offset()) && ends.contains(read.end()))
            .toList();
    return places.stream()
        .map(chunk -> (int) ofChunks.stream().filter(read -> read.covers(chunk)).count())
        .toList();
  }

  /** Resets all counts. */
  synchronized void clear() {
    reads.clear();
    writes.clear();
    parts.clear();
    written = 0;
  }
}
