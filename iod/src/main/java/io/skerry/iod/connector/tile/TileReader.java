package io.skerry.iod.connector.tile;

import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.dataspace.grid.SliceConversion;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Reads selected elements of a dataset. Several tiles are read at the same time: by workers, or
 * from other ranks. Methods are local and throw the exceptions of {@link Tiles}, and an {@link
 * IllegalArgumentException} if the selection is not within the extent.
 *
 * @param tiles the tiles
 * @param extent the extent of the dataset
 * @param workers the threads that read and decode tiles; empty if only the calling thread has
 *     access to the values of the container
 * @param cached the decoded tiles that are kept; empty if none are
 */
public record TileReader(
    Tiles tiles, Shape extent, Optional<WorkerPool> workers, Optional<CachedTiles> cached) {
  /** The maximum number of tiles that are looked up one by one. */
  private static final long FEW = 1 << 12;

  /** The maximum size in bytes of the tiles that are in transit from other ranks. */
  private static final long AHEAD = 32 << 20;

  /** The maximum number of tiles that are in transit from other ranks. */
  private static final int MOST_AHEAD = 32;

  /**
   * Returns a reader.
   *
   * @param workers the threads that read and decode tiles; empty if only the calling thread has
   *     access to the values of the container; the cache is then not used, because the container is
   *     slow to return the version of a tile
   * @param cache the cache of the file
   * @param readable the newest readable transaction
   */
  public static TileReader of(
      Tiles tiles, Shape extent, Optional<WorkerPool> workers, TileCache cache, long readable) {
    return new TileReader(
        tiles,
        extent,
        workers,
        Optional.of(new CachedTiles(tiles, cache, readable))
            .filter(cached -> workers.isPresent() && cached.isUsed()));
  }

  private Optional<MemoryChunk> kept(ChunkSlice slice) {
    return cached.flatMap(found -> found.find(slice.scaled()));
  }

  private TileLayout layout() {
    return tiles.layout();
  }

  private List<ChunkSlice> slices(Selection selection) {
    return layout().grid().cut(TileLayout.flat(selection, extent), TileLayout.flat(extent));
  }

  /**
   * Reads elements; those that are not defined have the fill value.
   *
   * @param conversion the conversion from the file datatype to the memory datatype
   * @param target one value for each selected element, in selection order
   */
  public void read(Selection selection, Conversion conversion, MemorySegment target) {
    SliceConversion scatter = new SliceConversion(conversion);
    List<ChunkSlice> slices = slices(selection);
    if (workers.isEmpty()) {
      readAhead(slices, scatter, target);
      return;
    }
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (ChunkSlice slice : slices) {
      tasks.add(() -> {
        Optional<MemoryChunk> kept = kept(slice);
        if (kept.isPresent()) {
          scatter.scatter(slice, packed(kept.get(), slice.elements()), target);
          return true;
        }
        try (Tiles.Reading reading = tiles.read(slice.scaled())) {
          return scatter(slice, reading, scatter, target);
        }
      });
    }
    var unused = workers.get().runAll(List.of(target), tasks);
  }

  /** Reads tiles one after the other, while the next ones are in transit. */
  private void readAhead(List<ChunkSlice> slices, SliceConversion scatter, MemorySegment target) {
    long bytes = layout().format().elements() * layout().datatype().size();
    long most = Math.clamp(AHEAD / Math.max(1, bytes), 1, MOST_AHEAD);
    Deque<Tiles.Reading> begun = new ArrayDeque<>();
    try {
      int next = 0;
      for (ChunkSlice slice : slices) {
        for (; next < slices.size() && begun.size() < most; next++) {
          begun.add(tiles.read(slices.get(next).scaled()));
        }
        try (Tiles.Reading reading = begun.remove()) {
          var unused = scatter(slice, reading, scatter, target);
        }
      }
    } finally {
      begun.forEach(Tiles.Reading::close);
    }
  }

  /** Copies the elements of one tile to the target. Returns whether the tile is stored. */
  private boolean scatter(
      ChunkSlice slice, Tiles.Reading reading, SliceConversion scatter, MemorySegment target) {
    boolean isStored =
        reading
            .decoded((format, image) -> {
              // The values may be a view of the image, so they are copied right here.
              scatter.scatter(slice, stored(format, image, slice.elements()), target);
              return true;
            })
            .isPresent();
    if (!isStored) {
      scatter.scatter(slice, missing(slice.elements()), target);
    }
    return isStored;
  }

  private static MemorySegment stored(ChunkFormat format, ChunkImage image, RunSet elements) {
    return format.readStored(image, elements, (bytes, _) -> HeapBytes.allocate(bytes));
  }

  private MemorySegment values(ChunkSlice slice) {
    RunSet elements = slice.elements();
    return tiles
        .decoded(
            slice.scaled(), (format, image) -> HeapBytes.copyOf(stored(format, image, elements)))
        .orElseGet(() -> missing(elements));
  }

  private MemorySegment missing(RunSet elements) {
    return packed(layout().format().newChunk(), elements);
  }

  private MemorySegment packed(MemoryChunk chunk, RunSet elements) {
    return layout().format().readPacked(chunk, elements, (bytes, _) -> HeapBytes.allocate(bytes));
  }

  /**
   * Reads elements with their content from tiles that hold both.
   *
   * @throws java.util.NoSuchElementException if the tiles do not hold content
   */
  public PackedContent readContent(Selection selection) {
    ContentPacking packing = layout().format().contentPacking().orElseThrow();
    List<ContentPacking.Share> shares = new ArrayList<>();
    for (ChunkSlice slice : slices(selection)) {
      shares.add(new ContentPacking.Share(slice, values(slice)));
    }
    return packing.assemble(selection.count(extent), shares);
  }

  /**
   * Returns the part of a selection that is in stored tiles, unless it touches so few tiles that
   * looking up each of them is faster.
   */
  private Selection stored(Selection selection) {
    if (extent.rank() == 0 || layout().grid().maxChunksTouched(selection, extent) <= FEW) {
      return selection;
    }
    List<ChunkCoordinates> stored = new ArrayList<>();
    tiles.forEach((scaled, _) -> stored.add(ChunkCoordinates.of(scaled)));
    return layout().grid().within(selection, stored, extent);
  }

  /** Returns the defined elements of a selection. A list of points keeps its order. */
  public Selection defined(Selection selection) {
    selection.checkWithin(extent);
    if (layout().format().definedness() == ChunkFormat.Definedness.ALL) {
      return extent.rank() == 0 || extent.elements() == 0
          ? selection
          : selection.intersect(Selection.box(new long[extent.rank()], extent.extent()));
    }
    List<Selection> found = new ArrayList<>();
    List<ChunkSlice> slices = slices(stored(selection));
    for (ChunkSlice slice : slices) {
      // The elements of a few tiles are likely to be read next.
      Optional<MemoryChunk> kept = slices.size() <= MOST_AHEAD ? kept(slice) : Optional.empty();
      kept.map(chunk -> layout().format().defined(chunk, slice.elements()))
          .or(() ->
              tiles
                  .decoded(slice.scaled(), ChunkFormat::decodeDefined)
                  .map(defined -> defined.intersect(slice.elements())))
          .filter(defined -> !defined.isEmpty())
          .ifPresent(defined -> found.add(layout().grid().toDataset(defined, slice.scaled())));
    }
    return selection.intersect(Selection.unionAll(found));
  }
}
