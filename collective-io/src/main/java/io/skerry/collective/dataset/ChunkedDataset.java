package io.skerry.collective.dataset;

import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.exception.FormatException;
import io.skerry.format.index.ImplicitIndex;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A chunked dataset as the collective code sees it. Every rank has one for each dataset it opened;
 * all change in step.
 */
public final class ChunkedDataset {
  private final long id;
  private final String name;
  private final ChunkFormat format;
  private final ChunkGrid grid;

  /** The format of partial chunks at the edge, if theirs differs. */
  private final Optional<ChunkFormat> edgeFormat;

  private Optional<Consumer<MemorySegment>> overwritten = Optional.empty();
  // Looked at by threads that do not wait for a change under way.
  private volatile Optional<DatasetChunks> chunks = Optional.empty();
  private volatile ChunkIndex index;
  private volatile Shape shape;
  private volatile Shape storedShape;
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile ExtentState extent = ExtentState.STORED;
  private volatile boolean changed;
  private WeakReference<Hold> held = new WeakReference<>(new Hold());

  /**
   * @param id address of the object header, the dataset's identity on all ranks
   * @param name path, for messages
   * @param shape current and maximum extent
   * @param format what a chunk is
   * @param index where the chunks are; its spine is the same on all ranks
   */
  public ChunkedDataset(long id, String name, Shape shape, ChunkFormat format, ChunkIndex index) {
    this.id = id;
    this.name = name;
    this.shape = shape;
    this.storedShape = shape;
    this.format = format;
    this.grid = ChunkGrid.of(format.chunkShape());
    this.index = index;
    this.edgeFormat =
        index.layout().edges() == EdgeChunks.UNFILTERED
            ? Optional.of(format.withoutFilters())
            : Optional.empty();
  }

  /**
   * Has elements told of that other values have taken the place of, packed, on the rank that owns
   * their chunk: they may lead to something that nothing else leads to. Fill values may be among
   * them.
   */
  public void onOverwrite(Consumer<MemorySegment> told) {
    overwritten = Optional.of(told);
  }

  /** Who is told of overwritten elements. */
  public Optional<Consumer<MemorySegment>> overwritten() {
    return overwritten;
  }

  /** What every user of the dataset has a reference to, and nothing else has. */
  public static final class Hold {
    private Hold() {}
  }

  /**
   * A hold on the dataset: while one can be reached, the ranks keep what they know of it. Local.
   */
  public synchronized Hold hold() {
    Hold hold = held.get();
    if (hold == null) {
      hold = new Hold();
      held = new WeakReference<>(hold);
    }
    return hold;
  }

  /** Chunks of it change: it is kept until the next flush. All ranks call it. */
  public void changes() {
    changed = true;
  }

  /** Returns whether the file holds all that is known of it, and nobody uses it here. */
  public synchronized boolean isUnused() {
    return !changed && extent == ExtentState.STORED && held.get() == null;
  }

  /** Gives it its place in the cache of the file. */
  public void cacheIn(ChunkCache cache) {
    chunks = Optional.of(cache.open(new DatasetChunks.Layout(id, name, shape, format)));
  }

  /**
   * Its chunks in memory.
   *
   * @throws IllegalStateException if it was deleted: another dataset may have its identity by now
   */
  public DatasetChunks chunks() {
    return chunks.orElseThrow(
        () -> new IllegalStateException("a dataset that was deleted: dataset=" + name));
  }

  /**
   * Refuses a dataset that is not in the file any more.
   *
   * @throws IllegalStateException if it was deleted
   */
  public void requirePresence() {
    var unused = chunks();
  }

  /** It is not in the file any more. */
  public void delete() {
    chunks = Optional.empty();
  }

  /** Address of the object header. */
  public long id() {
    return id;
  }

  /** Path at which it was opened. */
  public String name() {
    return name;
  }

  /** Current and maximum extent. */
  public Shape shape() {
    return shape;
  }

  /** The chunk format; what it stores holds for all chunks but those of another {@link #format}. */
  public ChunkFormat format() {
    return format;
  }

  /**
   * The format of one chunk: if the layout says so, chunks that stick out over the present extent
   * are stored without filters.
   */
  public ChunkFormat format(ChunkCoordinates chunk) {
    return format(chunk, shape);
  }

  /** The format of one chunk as the last flush has stored it: by the extent that there was. */
  public ChunkFormat storedFormat(ChunkCoordinates chunk) {
    return format(chunk, storedShape);
  }

  private ChunkFormat format(ChunkCoordinates chunk, Shape within) {
    return edgeFormat.isPresent() && !isWhole(grid.valid(chunk.scaled(), within))
        ? edgeFormat.get()
        : format;
  }

  /** How the extent is cut into chunks. */
  public ChunkGrid grid() {
    return grid;
  }

  /** The replicated part of the chunk index. */
  public ChunkIndex index() {
    return index;
  }

  /** Takes the index that a commit made; the caller has agreed on it with all ranks. */
  public void reindex(ChunkIndex newIndex) {
    index = newIndex;
  }

  /**
   * Takes a new extent; the caller has agreed on it with all ranks.
   *
   * @throws IllegalArgumentException if it exceeds the maximum
   */
  public void reshape(long[] extent) {
    reshapes();
    Shape before = shape;
    shape = before.withExtent(extent);
    for (int i = 0; i < extent.length; i++) {
      if (extent[i] < before.extent(i)) {
        // After the extent: who has seen this number sees the extent too.
        cuts.incrementAndGet();
        return;
      }
    }
  }

  /**
   * How often the extent has shrunk. If it is the same before somebody looks at the extent and
   * after he has read, what he has read was inside all the time.
   */
  public int cuts() {
    return cuts.get();
  }

  /** Whether the file has the present extent. */
  private enum ExtentState {
    STORED,
    NEW
  }

  /** It is about to get another extent; what its chunks become suits that one only. */
  public void reshapes() {
    extent = ExtentState.NEW;
  }

  /** A flush has stored the extent, and all chunks. */
  public void stored() {
    storedShape = shape;
    extent = ExtentState.STORED;
    changed = false;
  }

  /**
   * Returns whether a chunk may be stored over the one that is in the file before the next flush. A
   * kill then leaves some values of the last flush and some newer ones: each must be one that the
   * file as it was at that flush has a use for, which neither what was cut off is, nor what leads
   * to content elsewhere.
   */
  public boolean supportsInPlaceUpdate() {
    return format.storedAt(0).isPresent() && overwritten.isEmpty() && extent == ExtentState.STORED;
  }

  /** Returns whether chunks cannot move, because the index is implicit. */
  public boolean hasFixedChunks() {
    return index() instanceof ImplicitIndex;
  }

  /**
   * Decodes a stored chunk.
   *
   * @throws FormatException if the image is damaged; names dataset and chunk
   */
  public MemoryChunk decode(ChunkCoordinates chunk, ChunkImage image) {
    try {
      return format(chunk).decode(image);
    } catch (FormatException e) {
      throw e.inObject(name() + " chunk " + chunk);
    }
  }

  /**
   * What a new extent does to a stored chunk.
   *
   * @throws IllegalArgumentException if it exceeds the maximum
   */
  public Fate fate(ChunkCoordinates chunk, long[] extent) {
    long[] scaled = chunk.scaled();
    long[] before = grid.valid(scaled, shape);
    long[] after = grid.valid(scaled, shape.withExtent(extent));
    boolean inside = true;
    boolean cut = false;
    for (int i = 0; i < after.length; i++) {
      inside &= after[i] > 0;
      cut |= after[i] < before[i];
    }
    if (!inside) {
      return Fate.GONE;
    }
    boolean otherFormat = edgeFormat.isPresent() && isWhole(before) != isWhole(after);
    return cut || otherFormat ? Fate.CHANGED : Fate.UNTOUCHED;
  }

  /** Returns whether partial chunks at the edge are stored in another way than whole ones. */
  public boolean hasOtherEdges() {
    return edgeFormat.isPresent();
  }

  private boolean isWhole(long[] valid) {
    return Arrays.equals(valid, grid.sizes());
  }

  /** What a new extent does to a chunk. */
  public enum Fate {
    /** Nothing. */
    UNTOUCHED,
    /** Elements are cut off, or it has to be stored in another way. */
    CHANGED,
    /** No element is left. */
    GONE
  }

  /** The selected elements in the form in which a set of defined ones is given. */
  public Selection everything(Selection selection, Shape within) {
    boolean some = Arrays.stream(within.extent()).allMatch(size -> size > 0);
    return some
        ? selection.intersect(Selection.box(new long[within.rank()], within.extent()))
        : Selection.none();
  }

  /** Returns whether any element of a chunk lies inside the extent. */
  public boolean isInside(ChunkCoordinates chunk) {
    return validElements(chunk.scaled()) > 0;
  }

  /** Elements of a chunk that lie inside the extent. */
  public long validElements(long[] scaled) {
    long product = 1;
    for (long size : grid.valid(scaled, shape)) {
      product *= size;
    }
    return product;
  }

  @Override
  public String toString() {
    return name;
  }
}
