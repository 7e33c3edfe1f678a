package io.skerry.internal.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.datatype.conversion.ElementParts;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.format.Bytes;
import io.skerry.format.layout.CompactLayout;
import io.skerry.internal.value.PackedArrays;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes elements that are stored in the object header. Every rank sends its elements to all other
 * ranks, and each rank applies the elements of all ranks, in rank order, to its copy of the header.
 * Collective.
 */
final class CompactWriter {
  private final HdfFile file;
  private final String path;
  private final long header;
  private final Shape shape;
  private final int elementSize;

  CompactWriter(HdfFile file, String path, long header, Shape shape, int elementSize) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.shape = shape;
    this.elementSize = elementSize;
  }

  /**
   * Writes values of a memory type. Parts of elements that the conversion does not write keep their
   * values.
   */
  void write(Selection selection, Supplier<TypedMemory> packed) {
    boolean unused =
        file.collective()
            .steps()
            .together(Operation.WRITE, path, () -> message(selection, packed.get()), this::apply);
  }

  /**
   * Encodes runs of bytes. Each run consists of its offset in the data of the dataset as u32, its
   * length in bytes as u32, and the bytes.
   */
  private ByteWriter message(Selection selection, TypedMemory memory) {
    selection.checkWithin(shape);
    long count = selection.count(shape);
    long expected = Math.multiplyExact(count, memory.conversion().from().size());
    if (memory.values().byteSize() != expected) {
      throw new IllegalArgumentException(
          "as many values as selected elements are needed: expectedBytes="
              + expected
              + " actualBytes="
              + memory.values().byteSize());
    }
    MemorySegment packed = PackedArrays.buffer(count, memory.conversion().to());
    memory.conversion().convert(memory.values(), packed, count);
    Optional<ElementParts> parts =
        memory.conversion().keepsBackground()
            ? Optional.of(memory.conversion().written())
            : Optional.empty();
    ByteWriter message = ByteWriter.create();
    long[] from = {0};
    selection.forEachRun(
        shape,
        (coordinates, length) -> {
          long index = 0;
          for (int i = 0; i < shape.rank(); i++) {
            index = index * shape.extent(i) + coordinates[i];
          }
          long bytes = length * elementSize;
          MemorySegment run = packed.asSlice(from[0], bytes);
          long at = index * elementSize;
          parts.ifPresentOrElse(
              some -> inParts(some, at, run, message), () -> message.u32(at).u32(bytes).bytes(run));
          from[0] += bytes;
        });
    return message;
  }

  /** Encodes each part of each element as a separate run. */
  private void inParts(ElementParts parts, long at, MemorySegment run, ByteWriter message) {
    for (long element = 0; element < run.byteSize(); element += elementSize) {
      for (ElementParts.Range range : parts.ranges()) {
        long offset = element + range.offset();
        message.u32(at + offset).u32(range.length()).bytes(run.asSlice(offset, range.length()));
      }
    }
  }

  private boolean apply(List<ByteReader> messages) {
    CompactLayout old = file.tree().header(header).require(CompactLayout.class);
    MemorySegment data = MemorySegment.ofArray(old.data().segment().toArray(ValueLayout.JAVA_BYTE));
    boolean changed = false;
    for (ByteReader message : messages) {
      while (message.remaining() > 0) {
        long offset = message.u32();
        MemorySegment bytes = message.slice(message.u32());
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
