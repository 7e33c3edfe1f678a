package io.skerry.internal.dataset;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.exception.FormatException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Reads contiguous, external and compact datasets run by run. Values that need a conversion are
 * first read into a buffer of bounded size; other values are read directly into the memory of the
 * caller. Local.
 */
final class FlatReader {
  /**
   * The number of bytes to read before converting them: large enough for efficient I/O, small
   * enough for the processor cache.
   */
  private static final long STAGE = 1 << 20;

  private final HdfFile file;
  private final Shape shape;
  private final int elementSize;
  private final Optional<MemorySegment> fill;
  private final Storage storage;

  FlatReader(
      HdfFile file, Shape shape, int elementSize, Optional<MemorySegment> fill, Storage storage) {
    this.file = file;
    this.shape = shape;
    this.elementSize = elementSize;
    this.fill = fill;
    this.storage = storage;
  }

  /** Reads the selected values in selection order. */
  void read(Selection selection, TypedMemory target) {
    selection.checkWithin(shape);
    Sink sink =
        target.conversion().isIdentity() ? new Direct(target.values()) : new Converting(target);
    Joined joined = new Joined(sink);
    selection.forEachRun(
        shape,
        (coordinates, length) -> {
          long index = 0;
          for (int i = 0; i < shape.rank(); i++) {
            index = index * shape.extent(i) + coordinates[i];
          }
          joined.add(index * elementSize, length * elementSize);
        });
    joined.copy();
    sink.finish();
  }

  /** Receives stored elements, one run after the other. */
  private interface Sink {
    void take(long offset, long bytes);

    void finish();
  }

  private final class Direct implements Sink {
    private final MemorySegment packed;
    private long done;

    Direct(MemorySegment packed) {
      this.packed = packed;
    }

    @Override
    public void take(long offset, long bytes) {
      copy(offset, packed.asSlice(done, bytes));
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
    public void take(long offset, long bytes) {
      long at = 0;
      while (at < bytes) {
        long part = Math.min(bytes - at, stage.byteSize() - filled);
        copy(offset + at, stage.asSlice(filled, part));
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
   * Combines runs that are adjacent in the file into one read: for example, complete rows, or rows
   * of one element each.
   */
  private static final class Joined {
    private final Sink sink;
    private long offset;
    private long bytes;

    Joined(Sink sink) {
      this.sink = sink;
    }

    void add(long from, long more) {
      if (from != offset + bytes) {
        copy();
        offset = from;
      }
      bytes += more;
    }

    void copy() {
      if (bytes > 0) {
        sink.take(offset, bytes);
        bytes = 0;
      }
    }
  }

  private void copy(long offset, MemorySegment out) {
    switch (storage) {
      case Storage.Contiguous(Optional<Long> address) -> {
        if (address.isPresent()) {
          file.collective().read(file.tree().source(), address.get() + offset, out);
        } else {
          fill(out);
        }
      }
      case Storage.External(List<ExternalPiece> pieces) -> copy(pieces, offset, out);
      case Storage.Compact(MemorySegment data) -> {
        if (offset + out.byteSize() > data.byteSize()) {
          throw new FormatException(
              "compact data too short", offset + out.byteSize(), data.byteSize());
        }
        out.copyFrom(data.asSlice(offset, out.byteSize()));
      }
      case Storage.Chunked _, Storage.Virtual _ ->
          throw new IllegalStateException("not flat: storage=" + storage);
    }
  }

  private void copy(List<ExternalPiece> pieces, long offset, MemorySegment out) {
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

  private void fill(MemorySegment out) {
    fill(out, fill, elementSize);
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
