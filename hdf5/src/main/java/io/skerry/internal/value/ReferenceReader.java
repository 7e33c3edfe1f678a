package io.skerry.internal.value;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.datatype.Reference;
import io.skerry.format.block.FileAddress;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Reads references of all kinds.
 *
 * <pre>
 * object         address O; 0 or undefined refers to nothing
 * region         heap collection O | index u32; the heap object: address O | selection
 * since 1.12     kind u8: 2 object, 3 region, 4 attribute | flags u8: bit 0 other file
 *                | object of this file: body
 *                | any other: body bytes u32 | heap collection O | index u32; the heap object: body
 *   body         address bytes u8 | address | [file name] | region: bytes u32, rank u32, selection
 *                or attribute: name; a name is bytes u16 | UTF-8
 * </pre>
 *
 * <p>Sources: HDF5 file format specification, section IV.A.2.d, references; files written by HDF5
 * 1.14.
 */
final class ReferenceReader {
  private static final int OBJECT = 2;
  private static final int REGION = 3;
  private static final int ATTRIBUTE = 4;

  private final StoredContents contents;

  ReferenceReader(StoredContents contents) {
    this.contents = contents;
  }

  /** Reads the reference at a byte offset. */
  Value read(Reference type, MemorySegment in, long at) {
    MemorySegment element = in.asSlice(at, type.size());
    return switch (type.kind()) {
      case OBJECT -> object(ByteReader.of(element, "object reference"));
      case REGION -> region(element);
      case OBJECT_2, REGION_2, ATTRIBUTE -> tagged(element);
    };
  }

  private Value object(ByteReader in) {
    long address = contents.widths().readReference(in);
    return address == 0 || !FileAddress.isDefined(address)
        ? new Value.NullReference()
        : new Value.ObjectReference(target(address, Optional.empty()));
  }

  private Value region(MemorySegment element) {
    ByteReader in = ByteReader.of(element, "region reference");
    long collection = contents.widths().readAddress(in, "heap address of a region reference");
    HeapPointer pointer = new HeapPointer(1, collection, in.u32());
    if (pointer.isNull()) {
      return new Value.NullReference();
    }
    ByteReader body = ByteReader.of(pointer.object(contents), "region reference");
    long address = contents.widths().readReference(body);
    Selection region = SelectionCodec.decodeSelection(body);
    return new Value.RegionReference(target(address, Optional.empty()), region);
  }

  private Value tagged(MemorySegment element) {
    ByteReader in = ByteReader.of(element, "reference");
    int kind = in.u8();
    int flags = in.u8();
    if (kind == 0) {
      return new Value.NullReference();
    }
    if (kind == OBJECT && (flags & 1) == 0) {
      return body(kind, flags, in);
    }
    long bytes = in.u32();
    long collection = contents.widths().readAddress(in, "heap address of a reference");
    HeapPointer pointer = new HeapPointer(bytes, collection, in.u32());
    if (pointer.isNull()) {
      return new Value.NullReference();
    }
    return body(kind, flags, ByteReader.of(pointer.content(1, contents), "reference"));
  }

  private Value body(int kind, int flags, ByteReader in) {
    int width = in.u8();
    if (width < 1 || width > 8) {
      throw in.fault("bytes of an address", "1..8", width);
    }
    long address = in.uint(width);
    Optional<String> file = (flags & 1) == 0 ? Optional.empty() : Optional.of(in.text(in.u16()));
    Value.Target target = target(address, file);
    return switch (kind) {
      case OBJECT -> new Value.ObjectReference(target);
      case REGION -> {
        in.skip(4 + 4);
        yield new Value.RegionReference(target, SelectionCodec.decodeSelection(in));
      }
      case ATTRIBUTE -> new Value.AttributeReference(target, in.text(in.u16()));
      default -> throw in.fault("kind of reference", "2..4", kind);
    };
  }

  private Value.Target target(long address, Optional<String> file) {
    return file.isPresent()
        ? new Value.Target(file, Optional.empty(), address)
        : contents.target(address);
  }
}
