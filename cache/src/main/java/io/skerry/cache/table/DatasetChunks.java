package io.skerry.cache.table;

import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.policy.EvictionOrder;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.cache.scheduling.WaitForGraph;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Shape;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The header of one dataset in the cache: its chunks by number, what they weigh, in which order
 * they go, and which requests are under way.
 *
 * <p>A chunk that is in memory is found without a lock and without allocating anything: one probe
 * of a table, one volatile read. Of the hit a note is taken once per epoch of recency.
 */
public final class DatasetChunks {
  private final Layout layout;
  private final ChunkNumbers numbers;
  private final NumberTable<Entry> chunks;
  private final RequestOrder requests;
  private final Recency recency;
  private final ChunkQueue line;
  private final ChunkSizes sizes;
  private final AtomicLong bytes = new AtomicLong();
  private final ScanDetector scan = new ScanDetector();

  /** Changes with the extent and at the end, so that whoever loads ahead notices. */
  private volatile long generation;

  private volatile boolean ended;

  /** Chunks per dimension. */
  private volatile long[] extent;

  public DatasetChunks(Layout layout, WaitForGraph waits, EvictionPolicy policy, Recency recency) {
    this.layout = layout;
    this.numbers = new ChunkNumbers(layout.grid(), layout.shape());
    this.chunks = new NumberTable<>(new Entry(this, Long.MIN_VALUE, ChunkState.Gone.INSTANCE));
    this.requests = new RequestOrder(layout.name(), layout.grid().rank(), waits);
    this.recency = recency;
    this.line = new ChunkQueue(EvictionOrder.of(policy));
    this.sizes = new ChunkSizes(layout.format());
    this.extent = layout.grid().scaledExtent(layout.shape());
  }

  /**
   * What the cache has to know of a dataset.
   *
   * @param id address of the dataset's object header
   * @param name its path, for messages
   * @param shape its extent at present, and what it may become
   * @param format of its chunks
   */
  public record Layout(long id, String name, Shape shape, ChunkFormat format) {
    ChunkGrid grid() {
      return ChunkGrid.of(format.chunkShape());
    }
  }

  /** Address of the dataset's object header. */
  public long id() {
    return layout.id();
  }

  /** Path of the dataset, for messages. */
  public String name() {
    return layout.name();
  }

  /** The numbers of the chunks. */
  public ChunkNumbers numbers() {
    return numbers;
  }

  /** The order of requests whose selections overlap. */
  public RequestOrder requests() {
    return requests;
  }

  /** Bytes of the chunks in memory. */
  public long bytes() {
    return bytes.get();
  }

  /**
   * The newest version of a chunk, if it is in memory. Neither locks nor allocates; what it gives
   * stays what it is, also if the chunk is written or evicted meanwhile.
   *
   * @param number see {@link #numbers}
   */
  public Optional<MemoryChunk> find(long number) {
    Entry entry = chunks.get(number);
    if (entry.state() instanceof ChunkState.Held held) {
      recency.used(entry);
      return Optional.of(held.chunk());
    }
    return Optional.empty();
  }

  /** As {@link #find}, with a note that only part of the chunk is used. */
  public Optional<MemoryChunk> findPart(long number) {
    Entry entry = chunks.get(number);
    if (entry.state() instanceof ChunkState.Held held) {
      entry.usedInPart();
      recency.used(entry);
      return Optional.of(held.chunk());
    }
    return Optional.empty();
  }

  /** A chunk that was never written. */
  public MemoryChunk fresh() {
    return layout.format().newChunk();
  }

  /** What its chunks take in memory. */
  public ChunkSizes sizes() {
    return sizes;
  }

  public void saw(MemoryChunk chunk) {
    sizes.saw(chunk);
  }

  public ChunkFormat format() {
    return layout.format();
  }

  /** Returns whether encoding takes time. */
  public boolean gainsByEncoding() {
    return !(layout.format().encodedSize() instanceof EncodedSize.Exactly);
  }

  public void used(Entry entry) {
    recency.used(entry);
  }

  /** Returns whether nobody has a chunk or is getting it. */
  public boolean isAbsent(long number) {
    return switch (chunks.get(number).state()) {
      case ChunkState.Gone _, ChunkState.Located _ -> true;
      case ChunkState.Held _, ChunkState.Loading _ -> false;
    };
  }

  /** Returns whether a chunk lies inside the extent that was last told. */
  public boolean isInside(long[] scaled) {
    long[] chunksNow = extent;
    boolean inside = true;
    for (int i = 0; i < scaled.length; i++) {
      inside &= scaled[i] >= 0 && scaled[i] < chunksNow[i];
    }
    return inside;
  }

  /** Chunks per dimension, for who does not change it. */
  public long[] chunkExtent() {
    return extent;
  }

  /** Takes another extent, before the chunks outside of it are dropped. */
  // One thread at a time writes it.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void reshape(Shape shape) {
    extent = layout.grid().scaledExtent(shape);
    generation++;
  }

  /** The name of a chunk outside of the cache. */
  public ChunkKey key(long number) {
    return new ChunkKey(layout.id(), numbers.point(number));
  }

  public long number(ChunkCoordinates chunk) {
    return numbers.number(chunk.scaled());
  }

  public NumberTable<Entry> chunks() {
    return chunks;
  }

  /** Guarded by the lock of evictions. */
  public ChunkQueue line() {
    return line;
  }

  /** No chunk may come any more: the dataset is forgotten. */
  // One thread at a time writes it.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void end() {
    ended = true;
    generation++;
    requests.end();
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Changes when chunks that were not asked for are no longer wanted. */
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
