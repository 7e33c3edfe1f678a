package io.skerry.iod.object.model;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of an element whose content is in a BLOB: a value of variable length, or a region
 * reference. Immutable.
 *
 * <pre>
 *                    +0        +8       +12       +16
 *                    +---------+--------+---------+
 * variable length    | BLOB id | length in bytes  |   u64 u64, see {@link VariableCell}
 * region reference   | BLOB id | length |             u64 u32; 0: null
 *                    +---------+--------+
 * </pre>
 *
 * <p>The content of a region reference is the identifier of the dataset (u64) and the encoded
 * selection, as in the global heap of an HDF5 file.
 *
 * @param kind the kind of the part
 * @param offset the offset of the part in the element, in bytes
 */
public record CellPart(Kind kind, long offset) {
  /** The kinds of parts. */
  public enum Kind {
    /** A string or sequence of variable length. */
    VARIABLE(VariableCell.SIZE),
    /** A region reference. */
    REGION(12);

    private final int size;

    Kind(int size) {
      this.size = size;
    }

    /** Returns the size of a part in bytes. Local, thread-safe; does not fail. */
    public int size() {
      return size;
    }
  }

  /**
   * Returns the parts of an element, in ascending order of offsets within each compound. Local,
   * thread-safe; does not fail.
   */
  public static List<CellPart> of(Datatype type) {
    List<CellPart> parts = new ArrayList<>();
    collect(type, 0, parts);
    return List.copyOf(parts);
  }

  private static void collect(Datatype type, long at, List<CellPart> parts) {
    switch (type) {
      case VariableLength _ -> parts.add(new CellPart(Kind.VARIABLE, at));
      case Reference reference when reference.kind() == Reference.Kind.REGION ->
          parts.add(new CellPart(Kind.REGION, at));
      case ArrayType array -> {
        int before = parts.size();
        collect(array.base(), at, parts);
        if (parts.size() > before) {
          int size = array.base().size();
          for (int i = size; i < array.size(); i += size) {
            collect(array.base(), at + i, parts);
          }
        }
      }
      case Compound compound ->
          compound.members().forEach(member -> collect(member.type(), at + member.offset(), parts));
      default -> {}
    }
  }

  /**
   * Returns the cell of an element. Local, thread-safe.
   *
   * @param elements the elements
   * @param element the offset of the element, in bytes
   * @throws FormatException if the cell is damaged
   */
  public VariableCell decode(MemorySegment elements, long element) {
    ByteReader in = ByteReader.of(elements.asSlice(element + offset, kind.size), "cell");
    return switch (kind) {
      case VARIABLE -> VariableCell.decode(in);
      case REGION -> VariableCell.of(in, in.i64(), in.u32());
    };
  }

  /**
   * Writes a cell into an element. Local.
   *
   * @param elements the elements
   * @param element the offset of the element, in bytes
   */
  public void encode(VariableCell cell, MemorySegment elements, long element) {
    MemorySegment part = elements.asSlice(element + offset, kind.size);
    switch (kind) {
      case VARIABLE -> part.copyFrom(cell.encode());
      case REGION -> {
        long id = cell.blob().map(blob -> blob.bits()).orElse(0L);
        part.copyFrom(ByteWriter.withCapacity(kind.size).u64(id).u32(cell.length()).written());
      }
    }
  }
}
