package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import java.lang.foreign.MemorySegment;

/** Builds a valid or invalid heap object of virtual mappings field by field. */
final class MappingBlock {
  private final ByteWriter out = ByteWriter.create();
  private final SelectionEncoding encoding;

  MappingBlock(int version, long entries, SelectionEncoding encoding) {
    this.encoding = encoding;
    out.u8(version).u64(entries);
  }

  MappingBlock flags(int flags) {
    out.u8(flags);
    return this;
  }

  MappingBlock name(String name) {
    out.text(name).u8(0);
    return this;
  }

  MappingBlock index(long entry) {
    out.u64(entry);
    return this;
  }

  MappingBlock selections(Selection source, Selection virtual) {
    SelectionCodec.encodeSelection(source, encoding, out);
    SelectionCodec.encodeSelection(virtual, encoding, out);
    return this;
  }

  /** Maps row {@code to} of a dataset of rows to row {@code from} of the source. */
  MappingBlock row(long from, long to) {
    return selections(
        Selection.box(new long[] {from, 0}, new long[] {1, 16}),
        Selection.box(new long[] {to, 0}, new long[] {1, 16}));
  }

  MemorySegment block() {
    out.checksumFrom(0);
    return out.written();
  }

  /** Returns the block without its last {@code missing} bytes, with a valid checksum. */
  MemorySegment truncated(int missing) {
    ByteWriter part = ByteWriter.create();
    part.bytes(out.written().asSlice(0, out.position() - missing)).checksumFrom(0);
    return part.written();
  }
}
