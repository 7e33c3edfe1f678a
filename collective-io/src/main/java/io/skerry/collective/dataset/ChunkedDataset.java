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
import java.util.function.Function;

/**
 * The state of an open chunked dataset, shared by reads, writes and flushes. Every rank has an
 * object for each open dataset; collective operations change these objects in the same way.
 */
public final class ChunkedDataset {
  private final long id;
  private final String name;
  private final ChunkFormat format;
  private final ChunkGrid grid;

  /**
   * The format of partial chunks at the edge of the extent; empty if it does not differ from that
   * of the other chunks.
   */
  private final Optional<ChunkFormat> edgeFormat;

  private Optional<Function<MemorySegment, Runnable>> overwritten = Optional.empty();
  // These fields are volatile because threads read them without waiting for a change in progress.
  private volatile Optional<DatasetChunks> chunks = Optional.empty();
  private volatile ChunkIndex index;
  private volatile Shape shape;
  private volatile Shape storedShape;
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile ExtentState extent = ExtentState.STORED;
  private volatile boolean changed;
  private WeakReference<Hold> held = new WeakReference<>(new Hold());

  /**
   * Creates an open dataset.
   *
   * @param id the address of the object header, which identifies the dataset on all ranks
   * @param name the path of the dataset, for messages; a long path is shortened
   * @param shape the current and the maximum extent
   * @param format the format of the chunks
   * @param index the chunk index, whose header and upper blocks are equal on all ranks
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
   * Sets a listener for overwritten elements. Such an element may have been the only reference to
   * content in the global heap. The owner of the chunk calls the listener with the packed elements,
   * which may include fill values. If several ranks have the file open, the call precedes their
   * agreement on the write.
   *
   * @param listener the listener, which reads the content of the elements and returns the action
   *     that releases this content; the action runs if the write succeeds, and must not fail
   */
  public void onOverwrite(Function<MemorySegment, Runnable> listener) {
    overwritten = Optional.of(listener);
  }

  /** Returns the listener for overwritten elements; empty if there is none. */
  public Optional<Function<MemorySegment, Runnable>> overwritten() {
    return overwritten;
  }

  /**
   * A token that marks the dataset as in use while the token is reachable. The dataset itself
   * refers to the token only weakly.
   */
  public static final class Hold {
    private Hold() {}
  }

  /**
   * Returns the token that marks the dataset as in use. While the token is reachable on any rank,
   * all ranks keep the state of the dataset. Local.
   */
  public synchronized Hold hold() {
    Hold hold = held.get();
    if (hold == null) {
      hold = new Hold();
      held = new WeakReference<>(hold);
    }
    return hold;
  }

  /**
   * Records that chunks of the dataset are about to change, so that all ranks keep its state until
   * the next flush. Called on every rank that requests a change.
   */
  public void changes() {
    changed = true;
  }

  /** Returns true if chunks of the dataset may have changed on this rank since the last flush. */
  public boolean isChanged() {
    return changed;
  }

  /**
   * Returns whether the state of the dataset is not needed on this rank: it is stored in the file,
   * and no user refers to the dataset.
   */
  public synchronized boolean isUnused() {
    return !changed && extent == ExtentState.STORED && held.get() == null;
  }

  /** Registers the dataset with the chunk cache of the file. */
  public void cacheIn(ChunkCache cache) {
    chunks = Optional.of(cache.open(new DatasetChunks.Layout(id, name, shape, format)));
  }

  /**
   * Returns the chunks of the dataset that are in memory.
   *
   * @throws IllegalStateException if the dataset was deleted or its unused state was released;
   *     another dataset may now have the same address
   */
  public DatasetChunks chunks() {
    return chunks.orElseThrow(
        () -> new IllegalStateException("the dataset was deleted: dataset=" + name));
  }

  /**
   * Checks that the dataset is still in the file.
   *
   * @throws IllegalStateException if the dataset was deleted
   */
  public void requirePresence() {
    var unused = chunks();
  }

  /**
   * Detaches the dataset from the chunk cache, after the dataset was deleted or its unused state
   * was released.
   */
  public void delete() {
    chunks = Optional.empty();
  }

  /** Returns the address of the object header. */
  public long id() {
    return id;
  }

  /**
   * Returns the path by which the dataset was first opened, for messages. A long path is shortened.
   */
  public String name() {
    return name;
  }

  /** Returns the current and the maximum extent, in elements. */
  public Shape shape() {
    return shape;
  }

  /**
   * Returns the format of chunks in memory. Partial chunks at the edge may be stored in a different
   * format; see {@link #format(ChunkCoordinates)}.
   */
  public ChunkFormat format() {
    return format;
  }

  /**
   * Returns the format of a chunk. If the layout specifies it, chunks that are partly outside the
   * current extent are stored without filters.
   */
  public ChunkFormat format(ChunkCoordinates chunk) {
    return format(chunk, shape);
  }

  /** Returns the format of a chunk as of the last flush, determined by the extent at that time. */
  public ChunkFormat storedFormat(ChunkCoordinates chunk) {
    return format(chunk, storedShape);
  }

  private ChunkFormat format(ChunkCoordinates chunk, Shape within) {
    return edgeFormat.isPresent() && !isWhole(grid.valid(chunk.scaled(), within))
        ? edgeFormat.get()
        : format;
  }

  /** Returns the chunk grid, which divides the extent into chunks. */
  public ChunkGrid grid() {
    return grid;
  }

  /** Returns the part of the chunk index that is equal on all ranks. */
  public ChunkIndex index() {
    return index;
  }

  /** Installs the index that a commit created. All ranks have agreed on it. */
  public void reindex(ChunkIndex newIndex) {
    index = newIndex;
  }

  /**
   * Sets the extent. All ranks have agreed on it.
   *
   * @param extent the size of each dimension in elements
   * @throws IllegalArgumentException if the extent is not valid for the dataset
   */
  public void reshape(long[] extent) {
    reshapes();
    Shape before = shape;
    shape = before.withExtent(extent);
    for (int i = 0; i < extent.length; i++) {
      if (extent[i] < before.extent(i)) {
        // The count is incremented after the extent is set, so a thread that sees the new count
        // also sees the new extent.
        cuts.incrementAndGet();
        return;
      }
    }
  }

  /**
   * Returns the number of times that the extent has shrunk. If this number is the same before a
   * reader gets the extent and after the read, the elements were inside the extent during the whole
   * read.
   */
  public int cuts() {
    return cuts.get();
  }

  /** The state of the current extent. */
  private enum ExtentState {
    /** The current extent is stored in the file. */
    STORED,
    /** The extent is about to change, or has changed since the last flush. */
    NEW
  }

  /** Announces a new extent. From now on, chunks may be changed to match that extent. */
  public void reshapes() {
    extent = ExtentState.NEW;
  }

  /** Records that a flush has stored the extent and all chunks. */
  public void stored() {
    storedShape = shape;
    extent = ExtentState.STORED;
    changed = false;
  }

  /**
   * Returns whether a chunk in the file may be overwritten before the next flush. If the process is
   * killed, the chunk then contains some values of the last flush and some newer values. Each of
   * these values must be valid in the file as of the last flush. This does not hold for values of a
   * new extent or for references to content in the global heap.
   */
  public boolean supportsInPlaceUpdate() {
    return format.storedAt(0).isPresent() && overwritten.isEmpty() && extent == ExtentState.STORED;
  }

  /** Returns whether all chunks have fixed addresses, because the index is implicit. */
  public boolean hasFixedChunks() {
    return index() instanceof ImplicitIndex;
  }

  /**
   * Decodes a stored chunk.
   *
   * @throws FormatException if the image is damaged; the exception names the dataset and the chunk
   */
  public MemoryChunk decode(ChunkCoordinates chunk, ChunkImage image) {
    try {
      return format(chunk).decode(image);
    } catch (FormatException e) {
      throw e.inObject(name() + " chunk " + chunk);
    }
  }

  /**
   * Returns the effect of a new extent on a stored chunk.
   *
   * @throws IllegalArgumentException if the extent is not valid for the dataset
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

  /**
   * Returns whether partial chunks at the edge are stored in a different format from that of
   * complete chunks.
   */
  public boolean hasOtherEdges() {
    return edgeFormat.isPresent();
  }

  private boolean isWhole(long[] valid) {
    return Arrays.equals(valid, grid.sizes());
  }

  /** The effect of a new extent on a chunk. */
  public enum Fate {
    /** The chunk does not change. */
    UNTOUCHED,
    /** Elements of the chunk are removed, or the chunk must be stored in a different format. */
    CHANGED,
    /** All elements of the chunk are removed. */
    GONE
  }

  /**
   * Returns all selected elements within an extent, for a dataset whose elements are all defined.
   */
  public Selection everything(Selection selection, Shape within) {
    boolean some = Arrays.stream(within.extent()).allMatch(size -> size > 0);
    return some
        ? selection.intersect(Selection.box(new long[within.rank()], within.extent()))
        : Selection.none();
  }

  /** Returns whether any element of a chunk is inside the extent. */
  public boolean isInside(ChunkCoordinates chunk) {
    return validElements(chunk.scaled()) > 0;
  }

  /** Returns the number of elements of a chunk that are inside the extent. */
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
