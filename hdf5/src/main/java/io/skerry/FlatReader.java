package io.skerry;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** Reads datasets that are not chunked: run by run, straight from the file. Local. */
final class FlatReader {
  private final NativeFile file;
  private final Shape shape;
  private final int elementSize;
  private final Optional<MemorySegment> fill;
  private final Storage storage;

  FlatReader(
      NativeFile file,
      Shape shape,
      int elementSize,
      Optional<MemorySegment> fill,
      Storage storage) {
    this.file = file;
    this.shape = shape;
    this.elementSize = elementSize;
    this.fill = fill;
    this.storage = storage;
  }

  void read(Selection selection, MemorySegment packed) {
    selection.checkWithin(shape);
    Joined joined = new Joined(packed);
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
  }

  /**
   * Runs that follow each other in the file are read at once: whole rows, and rows of one element.
   */
  private final class Joined {
    private final MemorySegment packed;
    private long offset;
    private long bytes;
    private long done;

    Joined(MemorySegment packed) {
      this.packed = packed;
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
        FlatReader.this.copy(offset, packed.asSlice(done, bytes));
        done += bytes;
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
        piece.read(start, out.asSlice(done, bytes), file.path());
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

  /** Fills with the fill value; zeros if there is none. */
  static void fill(MemorySegment out, Optional<MemorySegment> fill, int elementSize) {
    if (fill.isEmpty()) {
      out.fill((byte) 0);
      return;
    }
    for (long at = 0; at < out.byteSize(); at += elementSize) {
      MemorySegment.copy(fill.get(), 0, out, at, elementSize);
    }
  }
}
