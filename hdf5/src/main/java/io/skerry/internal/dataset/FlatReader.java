package io.skerry.internal.dataset;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads contiguous, external and compact datasets run by run. Values that need a conversion are
 * first read into a buffer of bounded size; other values are read directly into the memory of the
 * caller. Runs of a block in the file with short gaps between them are read together. Local.
 */
public final class FlatReader {
  /**
   * The maximum size, in bytes, of a buffer for elements to convert, unless one element is larger:
   * large enough for efficient I/O, small enough for the processor cache.
   */
  private static final long STAGE = 1 << 20;

  private final Shape shape;
  private final int elementSize;
  private final Content content;
  private final Gaps gaps;

  private FlatReader(Shape shape, int elementSize, Content content, Gaps gaps) {
    this.shape = shape;
    this.elementSize = elementSize;
    this.content = content;
    this.gaps = gaps;
  }

  /** The treatment of short gaps between runs. */
  private enum Gaps {
    /** Gaps are read together with the runs, which saves system calls. */
    READ,
    /** Gaps are not read: the bytes are in memory, or a gap may be missing in an external file. */
    SKIPPED
  }

  /** The bytes of all elements of a dataset. */
  @FunctionalInterface
  private interface Content {
    /**
     * Copies bytes.
     *
     * @param offset the byte offset from the beginning of the first element
     */
    void copy(long offset, MemorySegment out);
  }

  /**
   * Returns a reader of a dataset.
   *
   * @param fill the value of elements without storage; empty if it is not defined
   */
  static FlatReader of(
      HdfFile file, Shape shape, int elementSize, Optional<MemorySegment> fill, Storage storage) {
    Content content =
        switch (storage) {
          case Storage.Contiguous(Optional<Long> address) when address.isEmpty() ->
              (_, out) -> fill(out, fill, elementSize);
          case Storage.Contiguous(Optional<Long> address) ->
              (offset, out) ->
                  file.collective().read(file.tree().source(), address.get() + offset, out);
          case Storage.External(List<ExternalPiece> pieces) ->
              (offset, out) -> copy(pieces, file, offset, out);
          case Storage.Compact(MemorySegment data) -> (offset, out) -> copy(data, offset, out);
          case Storage.Chunked _, Storage.Virtual _ -> throw notFlat(storage);
        };
    return new FlatReader(shape, elementSize, content, gaps(storage));
  }

  private static Gaps gaps(Storage storage) {
    boolean inFile = storage instanceof Storage.Contiguous(Optional<Long> at) && at.isPresent();
    return inFile ? Gaps.READ : Gaps.SKIPPED;
  }

  /**
   * Returns a reader of a dataset that is stored in one block or in its object header.
   *
   * @param source the bytes of the file
   * @param storage the block, which must be allocated, or the bytes in the header
   */
  public static FlatReader of(ByteSource source, Shape shape, int elementSize, Storage storage) {
    Content content =
        switch (storage) {
          case Storage.Contiguous(Optional<Long> address) -> {
            long block = address.orElseThrow();
            yield (offset, out) -> source.read(block + offset, out);
          }
          case Storage.Compact(MemorySegment data) -> (offset, out) -> copy(data, offset, out);
          case Storage.External _, Storage.Chunked _, Storage.Virtual _ -> throw notFlat(storage);
        };
    return new FlatReader(shape, elementSize, content, gaps(storage));
  }

  private static IllegalStateException notFlat(Storage storage) {
    return new IllegalStateException("not flat: storage=" + storage);
  }

  /** Reads the selected values in selection order. */
  public void read(Selection selection, TypedMemory target) {
    selection.checkWithin(shape);
    Sink sink =
        target.conversion().isIdentity() ? new Direct(target.values()) : new Converting(target);
    Joined joined =
        switch (gaps) {
          case READ -> new Joined(new Sieve(content, sink));
          case SKIPPED -> new Joined((offset, bytes) -> sink.take(content, offset, bytes));
        };
    selection.forEachRun(
        shape,
        (coordinates, length) -> {
          long index = 0;
          for (int i = 0; i < shape.rank(); i++) {
            index = index * shape.extent(i) + coordinates[i];
          }
          joined.add(index * elementSize, length * elementSize);
        });
    joined.finish();
    sink.finish();
  }

  /** Receives the positions of runs of stored elements, one run after the other. */
  private interface Runs {
    void add(long offset, long bytes);

    default void finish() {}
  }

  /** Receives stored elements, one run after the other. */
  private interface Sink {
    void take(Content content, long offset, long bytes);

    void finish();
  }

  private static final class Direct implements Sink {
    private final MemorySegment packed;
    private long done;

    Direct(MemorySegment packed) {
      this.packed = packed;
    }

    @Override
    public void take(Content content, long offset, long bytes) {
      content.copy(offset, packed.asSlice(done, bytes));
      done += bytes;
    }

    @Override
    public void finish() {
      // Nothing is left to do: the values were copied directly to their final positions.
    }
  }

  private final class Converting implements Sink {
    private final TypedMemory target;
    private final MemorySegment stage;
    private long filled;
    private long done;

    Converting(TypedMemory target) {
      this.target = target;
      int size = target.conversion().to().size();
      long elements = Math.min(target.values().byteSize() / size, STAGE / elementSize);
      this.stage = HeapBytes.allocate(Math.max(1, elements) * elementSize);
    }

    @Override
    public void take(Content content, long offset, long bytes) {
      long at = 0;
      while (at < bytes) {
        long part = Math.min(bytes - at, stage.byteSize() - filled);
        content.copy(offset + at, stage.asSlice(filled, part));
        at += part;
        filled += part;
        if (filled == stage.byteSize()) {
          finish();
        }
      }
    }

    @Override
    public void finish() {
      long elements = filled / elementSize;
      long at = done * target.conversion().to().size();
      target.conversion().convert(stage, target.values().asSlice(at), elements);
      done += elements;
      filled = 0;
    }
  }

  /**
   * Combines successive runs that are adjacent in the bytes of the dataset into one read: for
   * example, complete rows, or rows of one element each.
   */
  private static final class Joined implements Runs {
    private final Runs next;
    private long offset;
    private long bytes;

    Joined(Runs next) {
      this.next = next;
    }

    @Override
    public void add(long from, long more) {
      if (from != offset + bytes) {
        pass();
        offset = from;
      }
      bytes += more;
    }

    @Override
    public void finish() {
      pass();
      next.finish();
    }

    private void pass() {
      if (bytes > 0) {
        next.add(offset, bytes);
        bytes = 0;
      }
    }
  }

  /**
   * Reads several short ascending runs with short gaps between them by one call into a window, from
   * which the runs are copied. The class has the purpose and the name of the sieve buffer of HDF5
   * ({@code H5Pset_sieve_buf_size}).
   */
  private static final class Sieve implements Runs {
    /**
     * The maximum gap, in bytes, between two runs that are read together. Copying a gap of this
     * size from the page cache takes no longer than another system call.
     */
    private static final long GAP = 8 << 10;

    /**
     * The maximum length, in bytes, of a run that is read together with others. A longer run is
     * read directly into the memory of the caller.
     */
    private static final long SHORT = 16 << 10;

    /** The maximum size, in bytes, of a window; it fits into a processor cache. */
    private static final long WINDOW = 256 << 10;

    /** The maximum number of runs that are read together. */
    private static final int RUNS = 4096;

    private final Content content;
    private final Sink sink;
    private long[] offsets = new long[2];
    private long[] lengths = new long[2];
    private MemorySegment window = MemorySegment.NULL;
    private int count;

    Sieve(Content content, Sink sink) {
      this.content = content;
      this.sink = sink;
    }

    @Override
    public void add(long offset, long bytes) {
      if (count == RUNS || count > 0 && !isNear(offset, bytes)) {
        finish();
      }
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, Math.min(RUNS, 8 * count));
        lengths = Arrays.copyOf(lengths, offsets.length);
      }
      offsets[count] = offset;
      lengths[count] = bytes;
      count++;
    }

    private boolean isNear(long offset, long bytes) {
      long gap = offset - end();
      return gap >= 0
          && gap <= GAP
          && Math.max(bytes, lengths[count - 1]) <= SHORT
          && offset + bytes - offsets[0] <= WINDOW;
    }

    private long end() {
      return offsets[count - 1] + lengths[count - 1];
    }

    @Override
    public void finish() {
      Content from = content;
      if (count > 1) {
        long first = offsets[0];
        long span = end() - first;
        if (window.byteSize() < span) {
          window = HeapBytes.allocate(Math.min(WINDOW, 2 * span));
        }
        content.copy(first, window.asSlice(0, span));
        from = (offset, out) -> MemorySegment.copy(window, offset - first, out, 0, out.byteSize());
      }
      for (int run = 0; run < count; run++) {
        sink.take(from, offsets[run], lengths[run]);
      }
      count = 0;
    }
  }

  private static void copy(MemorySegment data, long offset, MemorySegment out) {
    if (offset + out.byteSize() > data.byteSize()) {
      throw new FormatException("compact data too short", offset + out.byteSize(), data.byteSize());
    }
    MemorySegment.copy(data, offset, out, 0, out.byteSize());
  }

  private static void copy(
      List<ExternalPiece> pieces, HdfFile file, long offset, MemorySegment out) {
    long before = 0;
    long done = 0;
    for (ExternalPiece piece : pieces) {
      long start = offset + done - before;
      if (done < out.byteSize() && start < piece.size()) {
        long bytes = Math.min(out.byteSize() - done, piece.size() - start);
        piece.read(start, out.asSlice(done, bytes), file.collective().others());
        done += bytes;
      }
      before += Math.min(piece.size(), Long.MAX_VALUE - before);
    }
    if (done < out.byteSize()) {
      throw new FormatException(
          "bytes in the external data files", "at least " + (offset + out.byteSize()), before);
    }
  }

  /** Fills memory with the fill value in the memory type, or with zeros if none is defined. */
  static void fill(TypedMemory target, Optional<MemorySegment> fill) {
    int from = target.conversion().from().size();
    if (target.conversion().isIdentity()) {
      fill(target.values(), fill, from);
      return;
    }
    int to = target.conversion().to().size();
    long left = target.values().byteSize() / to;
    long block = Math.max(1, Math.min(left, STAGE / from));
    MemorySegment elements = HeapBytes.allocate(block * from);
    fill(elements, fill, from);
    for (long at = 0; left > 0; at += block, left -= block) {
      MemorySegment out = target.values().asSlice(at * to);
      target.conversion().convert(elements, out, Math.min(block, left));
    }
  }

  /** Fills a buffer with the fill value in the file datatype, or with zeros if none is defined. */
  private static void fill(MemorySegment out, Optional<MemorySegment> fill, int elementSize) {
    if (fill.isEmpty()) {
      out.fill((byte) 0);
      return;
    }
    for (long at = 0; at < out.byteSize(); at += elementSize) {
      MemorySegment.copy(fill.get(), 0, out, at, elementSize);
    }
  }
}
