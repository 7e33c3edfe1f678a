package io.skerry.iod.object.model;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A cell of variable length: the BLOB that holds the content, and its length. Immutable.
 *
 * <pre>
 * +0        +8        +16
 * +---------+---------+
 * | BLOB id | length  |   u64 each; length in bytes
 * +---------+---------+
 * </pre>
 *
 * <p>A cell without content has the length 0. Its identifier then is all ones, or 0 in cells that
 * were never written; other identifiers are rejected.
 *
 * @param blob the BLOB; empty if the cell has no content
 * @param length the length of the content in bytes
 */
public record VariableCell(Optional<ObjectId> blob, long length) {
  /** The size of a cell in bytes. */
  public static final int SIZE = 16;

  /** The cell without content. */
  public static final VariableCell EMPTY = new VariableCell(Optional.empty(), 0);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the length is negative, or positive without a BLOB or zero
   *     with one, or if the object is not a BLOB
   */
  public VariableCell {
    if (length < 0
        || blob.isPresent() != length > 0
        || blob.filter(id -> id.type() != ObjectType.BLOB).isPresent()) {
      throw new IllegalArgumentException("cell: blob=" + blob + " length=" + length);
    }
  }

  /** Returns the {@link #SIZE} stored bytes. Local, thread-safe; does not fail. */
  public MemorySegment encode() {
    return ByteWriter.withCapacity(SIZE)
        .u64(blob.map(ObjectId::bits).orElse(ObjectId.INVALID))
        .u64(length)
        .written();
  }

  /**
   * Decodes a cell.
   *
   * @throws FormatException if there are fewer bytes, or the identifier is not that of a BLOB
   *     although the cell has content
   */
  public static VariableCell decode(ByteReader in) {
    return of(in, in.i64(), in.u63("length of a cell"));
  }

  /**
   * Returns the cell with decoded fields.
   *
   * @param in the reader of the cell, for messages
   * @throws FormatException if the identifier does not fit the length
   */
  static VariableCell of(ByteReader in, long bits, long length) {
    if (length > 0) {
      return new VariableCell(
          Optional.of(ObjectId.decode(bits, ObjectType.BLOB, "BLOB of a cell")), length);
    }
    if (bits != 0 && bits != ObjectId.INVALID) {
      throw in.fault("BLOB of an empty cell", "none", Long.toHexString(bits));
    }
    return EMPTY;
  }
}
