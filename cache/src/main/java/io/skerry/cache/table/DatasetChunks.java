package io.skerry.cache.table;

import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.policy.EvictionOrder;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.cache.scheduling.WaitForGraph;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The chunks of one dataset in the cache, by number, with their total size, their eviction queue,
 * and the order of requests. A chunk in memory is found without waiting for a lock.
 */
public final class DatasetChunks {
  private final Layout layout;
  private final ChunkNumbers numbers;
  private final NumberTable<Entry> chunks;
  private final RequestOrder requests;
  private final Recency recency;
  private final ChunkQueue queue;
  private final ChunkSizes sizes;
  private final AtomicLong bytes = new AtomicLong();
  private final ScanDetector scan = new ScanDetector();
  private final Counters counters;

  /**
   * Changes when the extent changes and when the use of the dataset ends, so that prefetches can
   * determine whether they are obsolete.
   */
  private volatile long generation;

  private volatile boolean ended;

  /** Number of chunks in each dimension. */
  private volatile long[] extent;

  /**
   * Creates an empty table for the chunks of a dataset.
   *
   * @param waits wait-for graph that all datasets of the file share
   * @param recency the record of the uses of the chunks of all datasets
   * @param counters the counters of the cache; {@link #peek} increments the hit counter
   */
  public DatasetChunks(
      Layout layout,
      WaitForGraph waits,
      EvictionPolicy policy,
      Recency recency,
      Counters counters) {
    this.layout = layout;
    this.numbers = new ChunkNumbers(layout.grid(), layout.shape());
    this.chunks = new NumberTable<>(new Entry(this, Long.MIN_VALUE, ChunkState.Gone.INSTANCE));
    this.requests = new RequestOrder(layout.name(), layout.grid().rank(), waits);
    this.recency = recency;
    this.counters = counters;
    this.queue = new ChunkQueue(EvictionOrder.of(policy));
    this.sizes = new ChunkSizes(layout.format());
    this.extent = layout.grid().scaledExtent(layout.shape());
  }

  /**
   * The properties of a dataset that the cache needs.
   *
   * @param id address of the object header of the dataset
   * @param name path of the dataset, for error messages
   * @param shape current extent and maximum extent
   * @param format format of the chunks
   */
  public record Layout(long id, String name, Shape shape, ChunkFormat format) {
    ChunkGrid grid() {
      return ChunkGrid.of(format.chunkShape());
    }
  }

  /** Returns the address of the object header of the dataset. */
  public long id() {
    return layout.id();
  }

  /** Returns the path of the dataset, for error messages. */
  public String name() {
    return layout.name();
  }

  /** Returns the numbering of the chunks. */
  public ChunkNumbers numbers() {
    return numbers;
  }

  /** Returns the order of the requests to this dataset. */
  public RequestOrder requests() {
    return requests;
  }

  /** Returns the total size of the entries of this dataset in bytes, including their overhead. */
  public long bytes() {
    return bytes.get();
  }

  /**
   * Returns the newest version of a chunk, if it is in memory. Never waits for a lock, and
   * allocates only the result. The version does not change, even if the chunk is written or
   * evicted.
   *
   * @param number number of the chunk; see {@link #numbers}
   */
  public Optional<MemoryChunk> find(long number) {
    Entry entry = chunks.get(number);
    if (entry.state() instanceof ChunkState.Held held) {
      recency.used(entry);
      return Optional.of(held.chunk());
    }
    return Optional.empty();
  }

  /**
   * Like {@link #find}, but also records that only part of the chunk is used.
   *
   * @param number number of the chunk; see {@link #numbers}
   */
  public Optional<MemoryChunk> findPart(long number) {
    Entry entry = chunks.get(number);
    if (entry.state() instanceof ChunkState.Held held) {
      entry.usedInPart();
      recency.used(entry);
      return Optional.of(held.chunk());
    }
    return Optional.empty();
  }

  /**
   * Returns the newest version of a chunk for a read of part of it, if the chunk is in memory and
   * no write to its dataset is running or waiting. During a scan, the result is empty unless the
   * last block of the scan starts at this chunk, because the read must be recorded as part of the
   * scan.
   *
   * @param number number of the chunk; see {@link #numbers}
   */
  public Optional<MemoryChunk> peek(long number) {
    if (scan.isScanElsewhere(number)) {
      // The scan detector must see this read, which this method would not record.
      return Optional.empty();
    }
    long stamp = requests.stamp();
    Optional<MemoryChunk> found = findPart(number);
    if (found.isPresent() && requests.validate(stamp)) {
      counters.hits.increment();
      return found;
    }
    return Optional.empty();
  }

  /**
   * Returns the newest versions of several chunks under the conditions of {@link #peek(long)}. All
   * of them were the newest versions at the same moment.
   *
   * @param rows the parts of the chunks to read, one element for each chunk
   * @return the version of the chunk for each element of {@code rows}; an empty list if any of the
   *     chunks is not available
   */
  public List<MemoryChunk> peek(List<ChunkRows> rows) {
    long stamp = requests.stamp();
    List<MemoryChunk> found = new ArrayList<>(rows.size());
    for (ChunkRows part : rows) {
      long number = numbers.number(part);
      Optional<MemoryChunk> chunk =
          scan.isScanElsewhere(number) ? Optional.empty() : findPart(number);
      if (chunk.isEmpty()) {
        return List.of();
      }
      found.add(chunk.get());
    }
    if (!requests.validate(stamp)) {
      return List.of();
    }
    counters.hits.add(found.size());
    return found;
  }

  /** Returns a new chunk that has never been written. */
  public MemoryChunk fresh() {
    return layout.format().newChunk();
  }

  /** Returns the estimates of the memory that chunks need. */
  public ChunkSizes sizes() {
    return sizes;
  }

  public void saw(MemoryChunk chunk) {
    sizes.saw(chunk);
  }

  public ChunkFormat format() {
    return layout.format();
  }

  /**
   * Returns whether encoding chunks in advance is worthwhile: false if their encoded size is known
   * exactly.
   */
  public boolean gainsByEncoding() {
    return !(layout.format().encodedSize() instanceof EncodedSize.Exactly);
  }

  public void used(Entry entry) {
    recency.used(entry);
  }

  /** Returns whether the values of a chunk are neither in memory nor being loaded. */
  public boolean isAbsent(long number) {
    return switch (chunks.get(number).state()) {
      case ChunkState.Gone _, ChunkState.Located _ -> true;
      case ChunkState.Held _, ChunkState.Loading _ -> false;
    };
  }

  /** Returns whether a chunk is within the current extent. */
  public boolean isInside(long[] scaled) {
    long[] chunksNow = extent;
    boolean inside = true;
    for (int i = 0; i < scaled.length; i++) {
      inside &= scaled[i] >= 0 && scaled[i] < chunksNow[i];
    }
    return inside;
  }

  /** Returns the number of chunks in each dimension; callers must not change the array. */
  public long[] chunkExtent() {
    return extent;
  }

  /** Sets a new extent. Called before the chunks outside it are removed. */
  // Only one thread at a time writes the field.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void reshape(Shape shape) {
    extent = layout.grid().scaledExtent(shape);
    generation++;
  }

  /** Returns the key of a chunk. */
  public ChunkKey key(long number) {
    return new ChunkKey(layout.id(), numbers.point(number));
  }

  public long number(ChunkCoordinates chunk) {
    return numbers.number(chunk.scaled());
  }

  public NumberTable<Entry> chunks() {
    return chunks;
  }

  /** Returns the eviction queue, which is guarded by the eviction lock. */
  public ChunkQueue queue() {
    return queue;
  }

  /** Ends the use of the dataset: no more chunks may be added. */
  // Only one thread at a time writes the field.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void end() {
    ended = true;
    generation++;
    requests.end();
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Returns a number that changes when running prefetches become obsolete. */
  public long generation() {
    return generation;
  }

  public ScanDetector scan() {
    return scan;
  }

  public void weigh(long delta) {
    bytes.addAndGet(delta);
  }

  @Override
  public String toString() {
    return layout.name();
  }
}
