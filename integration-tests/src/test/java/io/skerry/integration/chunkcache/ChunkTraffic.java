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
 * <p>Of reads the place tells which chunk is meant: whoever reads does not move it. Of writes the
 * bytes do, wherever they go: each chunk begins with a number of its own.
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
   * @param chunkBytes of each chunk as it is stored
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

  /** Chunks that lie next to each other may be written at once. */
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
   * How often each chunk was written in parts where it was before, counted in bytes: whoever writes
   * every element once has written the chunk once.
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

  /** Bytes that were written, of chunks and of everything else. */
  synchronized long writtenBytes() {
    return written;
  }

  /** How often each of the chunks that begin with these numbers was written as a whole. */
  synchronized List<Integer> writes(List<Long> firstValues) {
    return firstValues.stream().map(first -> writes.getOrDefault(first, 0)).toList();
  }

  /**
   * How many calls have read each chunk, alone or with its neighbours. Metadata are read with
   * whatever lies around them; a call for chunks begins and ends where one does.
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

  /** Forgets what was counted. */
  synchronized void clear() {
    reads.clear();
    writes.clear();
    parts.clear();
    written = 0;
  }
}
