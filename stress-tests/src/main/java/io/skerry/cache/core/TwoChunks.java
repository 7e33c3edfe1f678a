package io.skerry.cache.core;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.api.ChunkChange;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.SliceReader;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.request.ChangeRequest;
import io.skerry.cache.request.ReadRequest;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A dataset of two chunks that each contain one number, accessed through a {@link ChunkCache}. It
 * is small enough for many interleavings to be tried. All operations of the cache run in the
 * threads that call it.
 */
final class TwoChunks {
  private static final ChunkGrid GRID = ChunkGrid.of(1);
  private static final Shape SHAPE = Shape.of(2);
  private static final Selection BOTH = Selection.all();
  private static final DatasetChunks.Layout LAYOUT =
      new DatasetChunks.Layout(
          800, "/data", SHAPE, DenseChunkFormat.of(new long[] {1}, Datatype.U8));

  private static final CacheOptions AMPLE =
      CacheOptions.standard().withPolicy(EvictionPolicy.LRU).withPrefetch(0).withFixedSize(1 << 20);

  private static final CacheOptions NOTHING_STAYS = AMPLE.withFixedSize(0);

  /** A closed pool, which has no worker threads and starts none for background work. */
  private static final WorkerPool CALLERS = new WorkerPool(1);

  static {
    CALLERS.close();
  }

  private final AtomicIntegerArray stored = new AtomicIntegerArray(2);
  private final ChunkCache cache = new ChunkCache(AMPLE, new Stored(), CALLERS);
  private final DatasetChunks dataset = cache.open(LAYOUT);

  /** A version of a chunk. Its field is not final, so that unsafe publication is detected. */
  static final class Version implements MemoryChunk {
    private int value;

    Version(int value) {
      this.value = value;
    }

    @Override
    public long bytes() {
      return 100;
    }

    @Override
    public long definedCount() {
      return 1;
    }
  }

  private static int value(MemoryChunk chunk) {
    return ((Version) chunk).value;
  }

  /** The store that contains the stored numbers. */
  private final class Stored implements ChunkStore {
    @Override
    public void load(List<ChunkKey> keys, WorkerPool.Crew crew, Arrival arrival) {
      for (int i = 0; i < keys.size(); i++) {
        arrival.loaded(i, new Version(stored.get(index(keys.get(i)))));
      }
    }

    @Override
    public Optional<RunSet> locate(ChunkKey key) {
      return Optional.empty();
    }

    @Override
    public Optional<ChunkImage> encode(ChunkKey key, MemoryChunk chunk) {
      return Optional.of(image(value(chunk)));
    }

    @Override
    public void store(List<Image> images) {
      for (Image image : images) {
        MemorySegment bytes = image.image().orElseThrow().bytes();
        stored.set(index(image.key()), bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
      }
    }

    @Override
    public boolean storesAnyTime(long id) {
      return true;
    }

    private static int index(ChunkKey key) {
      return (int) key.chunk().at(0);
    }
  }

  private static ChunkImage image(int value) {
    byte[] bytes = new byte[Integer.BYTES];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    segment.set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
    return new ChunkImage(segment, SectionTable.plain(bytes.length));
  }

  /** A change that replaces the number of a chunk, or adds to it. */
  private record Change(int index, Base base, int number) implements ChunkChange {
    @Override
    public ChunkCoordinates chunk() {
      return ChunkCoordinates.of(index);
    }

    @Override
    public Coverage coverage() {
      return base == Base.REPLACED ? Coverage.WHOLE : Coverage.PART;
    }

    @Override
    public MemoryChunk apply(MemoryChunk before) {
      return new Version(base == Base.REPLACED ? number : value(before) + number);
    }
  }

  private static Selection one(int index) {
    return Selection.box(new long[] {index}, new long[] {1});
  }

  /** Reads one number. */
  int read(int index) {
    return read(one(index))[index];
  }

  /** Reads both numbers with one request; returns the first number plus 1000 times the second. */
  int readBoth() {
    int[] found = read(BOTH);
    return found[0] + 1000 * found[1];
  }

  private int[] read(Selection selection) {
    int[] found = new int[2];
    SliceReader reader = (slice, chunk) -> found[(int) slice.scaled()[0]] = value(chunk);
    cache.read(new ReadRequest(dataset, selection, GRID.cut(selection, SHAPE), reader, List.of()));
    return found;
  }

  /** Reads one number without a lock; empty if that is not possible at the moment. */
  Optional<Integer> peek(int index) {
    return dataset.peek(index).map(TwoChunks::value);
  }

  /**
   * Reads both numbers without a lock; returns a result like that of {@link #readBoth}, or empty if
   * the read is not possible at the moment.
   */
  Optional<Integer> peekBoth() {
    List<MemoryChunk> found = dataset.peek(GRID.rows(BOTH));
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(value(found.get(0)) + 1000 * value(found.get(1)));
  }

  /** Replaces one number. */
  void set(int index, int number) {
    change(one(index), List.of(new Change(index, ChunkChange.Base.REPLACED, number)));
  }

  /** Adds to one number. */
  void add(int index, int number) {
    change(one(index), List.of(new Change(index, ChunkChange.Base.PRESENT, number)));
  }

  /** Adds a number to both numbers with one request. */
  void addToBoth(int number) {
    List<Change> changes = new ArrayList<>();
    for (int index = 0; index < 2; index++) {
      changes.add(new Change(index, ChunkChange.Base.PRESENT, number));
    }
    change(BOTH, changes);
  }

  private void change(Selection selection, List<Change> changes) {
    cache.write(List.of(new ChangeRequest(dataset, selection, changes, List.of())));
  }

  /**
   * Evicts all chunks that can be evicted, including those whose loads end before the limit is
   * restored.
   */
  void evict() {
    cache.configure(NOTHING_STAYS);
    cache.configure(AMPLE);
  }

  /**
   * Puts a copy of the stored chunk into the cache, as an independent fetch does, unless the cache
   * already has a version.
   */
  void offerCopy(int index) {
    cache.keyed().putStored(key(index), new Version(stored.get(index)));
  }

  /** Publishes a version that is not stored yet. */
  void publish(int index, int number) {
    cache.keyed().putUnstored(key(index), new Version(number));
  }

  /**
   * Removes the copy of the stored chunk, if there is one, as is done after another version has
   * been stored.
   */
  void forgetCopy(int index) {
    try (var _ = cache.quiet(RequestOrder.Kind.WRITE)) {
      cache.keyed().forgetStored(key(index));
    }
  }

  private static ChunkKey key(int index) {
    return ChunkKey.of(LAYOUT.id(), index);
  }

  /** Returns the stored number of a chunk. */
  int stored(int index) {
    return stored.get(index);
  }

  /** Returns the number of loads. */
  int loads() {
    return (int) cache.statistics().loads();
  }

  /**
   * Returns the sum of the byte and chunk counts that the cache reports; 0 if all chunks have been
   * evicted.
   */
  int left() {
    CacheStatistics now = cache.statistics();
    return (int) (now.bytes() + now.unstoredBytes() + now.chunks() + dataset.bytes());
  }
}
