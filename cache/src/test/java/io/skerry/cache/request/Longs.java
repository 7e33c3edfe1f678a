package io.skerry.cache.request;

import io.skerry.cache.api.ChunkChange;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.MemoryStore;
import io.skerry.cache.api.SliceReader;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A dataset of {@code long} values in a cache, as the library reads and writes it. */
public final class Longs {
  private final ChunkCache cache;
  private final DatasetChunks dataset;
  private final ChunkFormat format;
  private final ChunkGrid grid;
  private volatile Shape shape;

  private Longs(ChunkCache cache, DatasetChunks dataset, ChunkFormat format, Shape shape) {
    this.cache = cache;
    this.dataset = dataset;
    this.format = format;
    this.grid = ChunkGrid.of(format.chunkShape());
    this.shape = shape;
  }

  public static Longs open(
      ChunkCache cache, MemoryStore store, long id, ChunkFormat format, Shape shape) {
    store.add(id, format);
    var layout = new DatasetChunks.Layout(id, "/" + id, shape, format);
    return new Longs(cache, cache.open(layout), format, shape);
  }

  public DatasetChunks dataset() {
    return dataset;
  }

  ChunkFormat format() {
    return format;
  }

  public Shape shape() {
    return shape;
  }

  public boolean isSparse() {
    return format.definedness() == ChunkFormat.Definedness.WRITTEN;
  }

  public ChunkKey key(long... scaled) {
    return ChunkKey.of(dataset.id(), scaled);
  }

  public Entry entry(long... scaled) {
    return dataset.chunks().get(dataset.numbers().number(scaled));
  }

  public boolean isHeld(long... scaled) {
    return entry(scaled).chunk().isPresent();
  }

  /** Selects the elements of a chunk within the extent. */
  public Selection chunk(long... scaled) {
    long[] origin = grid.origin(scaled);
    return Selection.at(origin).extent(grid.valid(scaled, shape));
  }

  /** Selects the first element of a chunk. */
  public Selection corner(long... scaled) {
    return Selection.at(grid.origin(scaled));
  }

  public ReadRequest reading(Selection selection, long[] values) {
    MemorySegment target = MemorySegment.ofArray(values);
    return reading(
        selection,
        (slice, chunk) -> slice.scatter(packed(slice.elements(), chunk), Long.BYTES, target));
  }

  public ReadRequest reading(Selection selection, SliceReader reader) {
    List<ChunkSlice> slices = grid.cut(selection, shape);
    return new ReadRequest(dataset, selection, slices, reader, List.of());
  }

  /** Returns the values of some elements of a version. */
  public MemorySegment packed(RunSet elements, MemoryChunk chunk) {
    MemorySegment packed = MemorySegment.ofArray(new long[(int) elements.count()]);
    format.read(chunk, elements, packed);
    return packed;
  }

  public long[] read(Selection selection) {
    long[] values = new long[(int) selection.count(shape)];
    cache.read(reading(selection, values));
    return values;
  }

  /** Reads a chunk without a ticket, if possible. */
  public Optional<long[]> peek(long... scaled) {
    RunSet valid = grid.inside(scaled, shape);
    return dataset
        .peek(dataset.numbers().number(scaled))
        .map(chunk -> packed(valid, chunk).toArray(ValueLayout.JAVA_LONG));
  }

  /** Reads a block of several chunks without a ticket, if possible. */
  public Optional<long[]> peek(Selection block) {
    List<ChunkRows> rows = grid.rows(block);
    List<MemoryChunk> found = dataset.peek(rows);
    long[] values = new long[(int) block.count(shape)];
    for (int i = 0; i < found.size(); i++) {
      format.readRows(found.get(i), rows.get(i), MemorySegment.ofArray(values));
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(values);
  }

  public ChangeRequest writing(Selection selection, long value) {
    return changing(
        selection,
        slice -> {
          long[] values = new long[(int) slice.elements().count()];
          Arrays.fill(values, value);
          MemorySegment packed = MemorySegment.ofArray(values);
          return before -> format.write(before, slice.elements(), packed);
        });
  }

  ChangeRequest erasing(Selection selection) {
    return changing(selection, slice -> before -> format.erase(before, slice.elements()));
  }

  /** A function that returns the change to the chunk of a slice. */
  @FunctionalInterface
  interface Step {
    UnaryOperator<MemoryChunk> on(ChunkSlice slice);
  }

  ChangeRequest changing(Selection selection, Step step) {
    List<Change> changes =
        grid.cut(selection, shape).stream().map(s -> new Change(s, step.on(s))).toList();
    return new ChangeRequest(dataset, selection, changes, List.of());
  }

  private record Change(ChunkSlice slice, UnaryOperator<MemoryChunk> step) implements ChunkChange {
    @Override
    public ChunkCoordinates chunk() {
      return ChunkCoordinates.of(slice.scaled());
    }

    @Override
    public Base base() {
      return slice.coversWholeChunk() ? Base.REPLACED : Base.PRESENT;
    }

    @Override
    public Coverage coverage() {
      return slice.coversWholeChunk() ? Coverage.WHOLE : Coverage.PART;
    }

    @Override
    public MemoryChunk apply(MemoryChunk before) {
      return step.apply(before);
    }
  }

  public void write(Selection selection, long value) {
    cache.write(List.of(writing(selection, value)));
  }

  public void erase(Selection selection) {
    cache.write(List.of(erasing(selection)));
  }

  /** Returns whether each selected element is defined, in the order of the selection. */
  public boolean[] defined(Selection selection) {
    List<ChunkSlice> slices = grid.cut(selection, shape);
    long[] marks = new long[(int) selection.count(shape)];
    MemorySegment target = MemorySegment.ofArray(marks);
    cache.defined(
        new DefinedRequest(
            dataset,
            selection,
            () -> slices,
            (slice, defined) -> slice.scatter(marks(slice, defined), Long.BYTES, target)));
    boolean[] answer = new boolean[marks.length];
    for (int i = 0; i < answer.length; i++) {
      answer[i] = marks[i] == 1;
    }
    return answer;
  }

  private static MemorySegment marks(ChunkSlice slice, RunSet defined) {
    RunSet elements = slice.elements();
    long[] marks = new long[(int) elements.count()];
    int at = 0;
    for (int run = 0; run < elements.runs(); run++) {
      for (long i = elements.start(run); i < elements.end(run); i++) {
        marks[at++] = defined.contains(i) ? 1 : 0;
      }
    }
    return MemorySegment.ofArray(marks);
  }

  /**
   * Sets another extent and clears the removed elements in the file. The caller excludes other
   * users.
   */
  public void reshape(MemoryStore store, Shape next) {
    Shape before = shape;
    cache.keyed().reshape(dataset.id(), next);
    shape = next;
    long[] chunks = grid.scaledExtent(before);
    for (long number = 0; number < Arrays.stream(chunks).reduce(1, (a, b) -> a * b); number++) {
      long[] scaled = point(number, chunks);
      long[] valid = grid.valid(scaled, next);
      if (!Arrays.equals(valid, grid.valid(scaled, before))) {
        cut(store, scaled, valid);
      }
    }
  }

  private void cut(MemoryStore store, long[] scaled, long[] valid) {
    ChunkKey key = key(scaled);
    boolean isGone = Arrays.stream(valid).anyMatch(size -> size == 0);
    boolean isKnown = store.isStored(key) || cache.keyed().unstored(key).isPresent();
    if (isKnown) {
      MemoryChunk present = cache.keyed().find(key).orElseGet(() -> store.decoded(key));
      cache.keyed().putUnstored(key, isGone ? format.newChunk() : format.clip(present, valid));
    }
  }

  private static long[] point(long number, long[] chunks) {
    long[] scaled = new long[chunks.length];
    long left = number;
    for (int d = chunks.length - 1; d >= 0; d--) {
      scaled[d] = left % chunks[d];
      left /= chunks[d];
    }
    return scaled;
  }
}
