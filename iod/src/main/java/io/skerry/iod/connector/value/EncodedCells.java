package io.skerry.iod.connector.value;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.ContentArea;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.datatype.Datatype;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.ValueWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.model.CellContents;
import io.skerry.iod.object.model.CellPart;
import io.skerry.iod.object.model.VariableCell;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Values encoded as elements, with the content of their cells in memory. Each cell holds a pointer
 * instead of the identifier of a BLOB:
 *
 * <pre>
 * +0         +8
 * +----------+-----------------+
 * | pointer  | length in bytes |   u64, and the length field of the {@link CellPart};
 * +----------+-----------------+   pointer 0: null
 * </pre>
 *
 * <p>Immutable.
 *
 * @param type the datatype of an element
 * @param elements the elements
 * @param content the content of their cells
 */
public record EncodedCells(Datatype type, MemorySegment elements, MemorySegment content) {
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Collects content, and writes pointers to it. */
  private record Sink(ContentArea area) implements HeapSink {
    @Override
    public GlobalHeapWriter.Reference add(MemorySegment bytes) {
      return new GlobalHeapWriter.Reference(area.keep(bytes), Math.toIntExact(bytes.byteSize()));
    }

    @Override
    public void put(MemorySegment part, long length, MemorySegment bytes, Widths widths) {
      long pointer = area.keep(bytes);
      part.copyFrom(
          ByteWriter.withCapacity(VariableCell.SIZE).u64(pointer).u64(bytes.byteSize()).written());
    }
  }

  /**
   * Encodes values. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a value does not fit the type
   * @throws io.skerry.exception.UnsupportedFeatureException if a reference has a type of HDF5 1.12,
   *     or the content exceeds 2 GiB
   */
  public static EncodedCells of(Datatype type, List<Value> values) {
    ContentArea area = new ContentArea();
    MemorySegment elements =
        new ValueWriter(ObjectAddress.WIDTHS, new Sink(area)).writeAll(type, values);
    return new EncodedCells(type, elements, area.written());
  }

  /** Returns the elements of a slice of the selection whose values this object holds. */
  public EncodedCells of(ChunkSlice slice) {
    MemorySegment packed = HeapBytes.allocate(slice.elements().count() * type.size());
    slice.gather(elements, type.size(), packed);
    return new EncodedCells(type, packed, content);
  }

  /** Returns the same values without content that no element refers to. */
  public EncodedCells compacted() {
    MemorySegment packed = HeapBytes.copyOf(elements);
    ContentArea area = new ContentArea();
    for (CellPart part : CellPart.of(type)) {
      for (long at = part.offset(); at < packed.byteSize(); at += type.size()) {
        long pointer = packed.get(U64, at);
        if (pointer != 0) {
          packed.set(U64, at, area.keep(content(part, packed, at, pointer)));
        }
      }
    }
    return new EncodedCells(type, packed, area.written());
  }

  /** Returns the number of cells, which is the largest number of BLOBs that they need. */
  public long cells() {
    return elements.byteSize() / type.size() * CellPart.of(type).size();
  }

  /**
   * Stores the content of cells in BLOBs, and replaces the pointers in elements by their
   * identifiers.
   *
   * @param changes the changes of the transaction
   * @param ids the source of the numbers of new BLOBs
   * @param slice elements copied from {@link #elements}, which are changed
   * @param before the elements stored before, as many as in the slice; zeros if they were never
   *     written
   */
  public void store(ValueChanges changes, IdSource ids, MemorySegment slice, MemorySegment before) {
    List<CellPart> parts = CellPart.of(type);
    CellContents contents = new CellContents(changes, ids);
    for (long at = 0; at < slice.byteSize(); at += type.size()) {
      for (CellPart part : parts) {
        long where = at + part.offset();
        long pointer = slice.get(U64, where);
        VariableCell old = part.decode(before, at);
        if (pointer == 0) {
          CellContents.delete(changes, old);
        } else {
          part.encode(contents.write(old, content(part, slice, where, pointer)), slice, at);
        }
      }
    }
  }

  private MemorySegment content(CellPart part, MemorySegment slice, long at, long pointer) {
    long length =
        switch (part.kind()) {
          case VARIABLE -> slice.get(U64, at + Long.BYTES);
          case REGION -> Integer.toUnsignedLong(slice.get(U32, at + Long.BYTES));
        };
    return content.asSlice(pointer - 1, length);
  }
}
