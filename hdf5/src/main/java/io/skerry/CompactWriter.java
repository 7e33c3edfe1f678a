package io.skerry;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.collective.Operation;
import io.skerry.format.Bytes;
import io.skerry.format.object.CompactLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Supplier;

/**
 * Writes elements that stand in the object header: every rank tells all others what it writes, and
 * all change their copy of the header in the order of ranks. Collective.
 */
final class CompactWriter {
  private final NativeFile file;
  private final String path;
  private final long header;
  private final Shape shape;
  private final int elementSize;

  CompactWriter(NativeFile file, String path, long header, Shape shape, int elementSize) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.shape = shape;
    this.elementSize = elementSize;
  }

  void write(Selection selection, Supplier<MemorySegment> packed) {
    boolean unused =
        file.collective()
            .together(Operation.WRITE, path, () -> letter(selection, packed.get()), this::apply);
  }

  /** Runs, each as offset u32, bytes u32 and the bytes. */
  private ByteWriter letter(Selection selection, MemorySegment packed) {
    selection.checkWithin(shape);
    long expected = Math.multiplyExact(selection.count(shape), elementSize);
    if (packed.byteSize() != expected) {
      throw new IllegalArgumentException(
          "as many values as selected elements are needed: expectedBytes="
              + expected
              + " actualBytes="
              + packed.byteSize());
    }
    ByteWriter letter = ByteWriter.create();
    long[] from = {0};
    selection.forEachRun(
        shape,
        (coordinates, length) -> {
          long index = 0;
          for (int i = 0; i < shape.rank(); i++) {
            index = index * shape.extent(i) + coordinates[i];
          }
          long bytes = length * elementSize;
          letter.u32(index * elementSize).u32(bytes).bytes(packed.asSlice(from[0], bytes));
          from[0] += bytes;
        });
    return letter;
  }

  private boolean apply(List<ByteReader> letters) {
    CompactLayout old = file.tree().header(header).require(CompactLayout.class);
    MemorySegment data = MemorySegment.ofArray(old.data().segment().toArray(ValueLayout.JAVA_BYTE));
    boolean changed = false;
    for (ByteReader letter : letters) {
      while (letter.remaining() > 0) {
        long offset = letter.u32();
        MemorySegment bytes = letter.slice(letter.u32());
        MemorySegment.copy(bytes, 0, data, offset, bytes.byteSize());
        changed = true;
      }
    }
    if (changed) {
      file.tree().replace(header, new CompactLayout(Bytes.of(data)));
    }
    return true;
  }
}
