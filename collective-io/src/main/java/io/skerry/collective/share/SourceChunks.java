package io.skerry.collective.share;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The slices of a source that this rank needs, in ascending order of their chunks.
 *
 * @param <S> the kind of source
 */
final class SourceChunks<S extends SharedSource> {
  private final S source;
  private final List<ChunkSlice> slices;
  private final ChunkNumbers numbers;
  private final long[] chunks;
  private final int[] order;

  SourceChunks(S source) {
    this.source = source;
    this.slices = source.slices();
    this.numbers = ChunkNumbers.of(source);
    long[] unordered = slices.stream().mapToLong(s -> numbers.number(s.scaled())).toArray();
    this.order =
        IntStream.range(0, unordered.length)
            .boxed()
            .sorted(Comparator.comparingLong(i -> unordered[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    this.chunks = Arrays.stream(order).mapToLong(i -> unordered[i]).toArray();
  }

  S source() {
    return source;
  }

  ChunkNumbers numbers() {
    return numbers;
  }

  int elementSize() {
    return source.elementSize();
  }

  /**
   * Returns a string that is equal on two ranks if and only if both read the same source and number
   * its chunks in the same way.
   */
  String key() {
    return source.key() + "\n" + source.grid() + " " + numbers.form();
  }

  /** Returns the number of slices. */
  int size() {
    return order.length;
  }

  /** Returns the number of the chunk that contains a slice. */
  long chunk(int at) {
    return chunks[at];
  }

  ChunkSlice slice(int at) {
    return slices.get(order[at]);
  }

  /** Returns the size of the values of a slice, in bytes. */
  long bytes(int at) {
    return slice(at).elements().count() * elementSize();
  }

  /** Returns the index of a slice in {@link SharedSource#slices}. */
  int index(int at) {
    return order[at];
  }

  /** Returns the needed chunks. */
  ChunkRuns runs() {
    ChunkRuns.Builder runs = new ChunkRuns.Builder();
    for (int at = 0; at < chunks.length; at++) {
      runs.add(chunks[at], slice(at).elements().count());
    }
    return runs.build();
  }

  /** Returns the union of sets of elements; there must be at least one. */
  static RunSet union(List<RunSet> elements) {
    List<RunSet> sets = elements.stream().distinct().toList();
    // The sets are merged pairwise, so that each run is merged only a few times.
    while (sets.size() > 1) {
      List<RunSet> merged = new ArrayList<>();
      for (int i = 0; i < sets.size(); i += 2) {
        merged.add(i + 1 < sets.size() ? sets.get(i).union(sets.get(i + 1)) : sets.get(i));
      }
      sets = merged;
    }
    return sets.getFirst();
  }
}
