package io.skerry.internal.value;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.datatype.Reference;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.selection.SelectionEncoding;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;

/**
 * Encodes object and region references in the format used before HDF5 1.12. Regions are stored in a
 * {@link HeapSink}. Local.
 *
 * @param widths the widths of the file
 */
record ReferenceWriter(Widths widths, HeapSink heap) {
  void write(Reference type, Value value, MemorySegment out) {
    if (value instanceof Value.NullReference) {
      out.fill((byte) 0);
      return;
    }
    ByteWriter element = ByteWriter.create();
    switch (type.kind()) {
      case OBJECT -> {
        if (!(value instanceof Value.ObjectReference(Value.Target target))) {
          throw ValueWriter.wrong(type, value);
        }
        widths.writeAddress(element, here(target));
      }
      case REGION -> {
        if (!(value instanceof Value.RegionReference region)) {
          throw ValueWriter.wrong(type, value);
        }
        ByteWriter body = ByteWriter.create();
        widths.writeAddress(body, here(region.target()));
        SelectionCodec.encodeSelection(region.region(), SelectionEncoding.LIBRARY_EARLIEST, body);
        pointer(body.written(), element);
      }
      case OBJECT_2, REGION_2, ATTRIBUTE ->
          throw new UnsupportedFeatureException(
              "writing references in the form of HDF5 1.12", "type " + type);
    }
    put(element, out);
  }

  private static long here(Value.Target target) {
    if (target.file().isPresent()) {
      throw new IllegalArgumentException("a reference to another file: target=" + target);
    }
    return target.address();
  }

  private void pointer(MemorySegment content, ByteWriter out) {
    GlobalHeapWriter.Reference at = heap.add(content);
    widths.writeAddress(out, at.collection());
    out.u32(at.index());
  }

  private static void put(ByteWriter element, MemorySegment out) {
    check(element, out);
    MemorySegment.copy(element.written(), 0, out, 0, element.position());
  }

  private static void check(ByteWriter element, MemorySegment out) {
    if (element.position() != out.byteSize()) {
      throw new IllegalArgumentException(
          "the type has another size than the file's widths ask for: expected="
              + element.position()
              + " actual="
              + out.byteSize());
    }
  }
}
