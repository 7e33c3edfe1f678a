package io.skerry.collective.plan;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.exception.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pieces of one rank's requests, by chunk and, within a chunk, in request order. The planning
 * time is proportional to the number of runs in the selections and the number of chunks that they
 * touch, not to the number of elements. Values with variable-length content are an exception: they
 * are gathered during planning, since the number of bytes to send is not known in advance.
 */
public final class WritePlan {
  private final SortedMap<ChunkKey, List<Piece>> chunks;

  private WritePlan(SortedMap<ChunkKey, List<Piece>> chunks) {
    this.chunks = chunks;
  }

  /** Returns the plan of a rank without requests. */
  public static WritePlan empty() {
    return new WritePlan(new TreeMap<>());
  }

  /**
   * Cuts requests into pieces at the chunk boundaries of their datasets.
   *
   * @throws IllegalArgumentException if a selection is outside the extent, or the packed values do
   *     not have the number of bytes that the selection requires (with variable-length content, at
   *     least that number)
   * @throws UnsupportedFeatureException if values with variable-length content would have to be
   *     converted
   */
  public static WritePlan of(List<WriteRequest> requests) {
    SortedMap<ChunkKey, List<Piece>> chunks = new TreeMap<>(Comparator.naturalOrder());
    for (WriteRequest request : requests) {
      check(request);
      ChunkedDataset dataset = request.dataset();
      for (ChunkSlice slice : dataset.grid().cut(request.selection(), dataset.shape())) {
        long[] scaled = slice.scaled();
        ChunkKey key = ChunkKey.of(dataset.id(), scaled);
        long valid = dataset.validElements(scaled);
        int size = dataset.format().datatype().size();
        chunks
            .computeIfAbsent(key, k -> new ArrayList<>(1))
            .add(new Piece(key, slice, valid, size, change(request, slice)));
      }
    }
    return new WritePlan(chunks);
  }

  /**
   * Returns the change for one slice. Values with variable-length content are gathered to determine
   * their size.
   */
  private static WriteRequest.Change change(WriteRequest request, ChunkSlice slice) {
    ChunkedDataset dataset = request.dataset();
    Optional<ContentPacking> packing = dataset.format().contentPacking();
    if (packing.isPresent() && request.change() instanceof WriteRequest.Values(var packed, _)) {
      long bytes = packing.get().bytes(request.selection().count(dataset.shape()));
      return new WriteRequest.Gathered(
          packing.get().gather(slice, PackedContent.split(packed, bytes)));
    }
    return request.change();
  }

  /** Returns the pieces by chunk. */
  public SortedMap<ChunkKey, List<Piece>> chunks() {
    return chunks;
  }

  /** Returns this plan without the pieces of the given chunks. */
  public WritePlan without(Set<ChunkKey> keys) {
    SortedMap<ChunkKey, List<Piece>> rest = new TreeMap<>(chunks);
    rest.keySet().removeAll(keys);
    return new WritePlan(rest);
  }

  private static void check(WriteRequest request) {
    ChunkedDataset dataset = request.dataset();
    request.selection().checkWithin(dataset.shape());
    if (request.change() instanceof WriteRequest.Values(var packed, var conversion)) {
      boolean withContent = dataset.format().contentPacking().isPresent();
      if (withContent && !conversion.isIdentity()) {
        throw new UnsupportedFeatureException(
            "conversion of elements that are packed with their content: " + conversion,
            dataset.name());
      }
      long expected =
          Math.multiplyExact(request.selection().count(dataset.shape()), conversion.from().size());
      boolean fits = withContent ? packed.byteSize() >= expected : packed.byteSize() == expected;
      if (!fits) {
        throw new IllegalArgumentException(
            "values do not fit the selection: expectedBytes="
                + expected
                + " actualBytes="
                + packed.byteSize()
                + " dataset="
                + dataset.name());
      }
    }
  }
}
