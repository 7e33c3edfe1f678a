package io.skerry.collective.plan;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.datatype.conversion.ElementParts;
import io.skerry.exception.FormatException;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes the pieces that ranks send to the owners of chunks.
 *
 * <pre>
 *   0      8      16     20     24     32     40
 *   +------+------+------+------+------+------+-------------+-----------------+--------+-----+
 *   | data | valid| kind | runs | rank | bytes| coordinates | runs x {start,  | values | pad |
 *   | set  | u64  | u32  | u32  | u64  | u64  | rank x u64  | length} u32 each|        | to 8|
 *   +------+------+------+------+------+------+-------------+-----------------+--------+-----+
 * </pre>
 *
 * All numbers are little-endian. A chunk has fewer than 2^32 elements, so two u32 fields suffice
 * for a run. The kind is the ordinal of {@link Kind}. In kind 0, the values are in ascending
 * element order, with their variable-length content if they have any; {@code bytes} is their total
 * size. Kind 4 writes only parts of each value. A list of these parts precedes the values: the
 * number of parts as u32, the size of an element in bytes as u32, and {offset, length} of each part
 * within an element, u32 each. The other kinds have no values.
 */
public final class PieceCodec {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int HEADER = 40;

  private PieceCodec() {}

  /**
   * A received piece.
   *
   * @param key the chunk
   * @param elements the elements
   * @param validElements the number of elements of the chunk that are inside the extent
   * @param values the packed values, a view of the receive buffer; empty if the kind has no values
   * @param parts the parts of each value that are written; empty unless only parts of the values
   *     are written
   * @param kind the change to the elements
   */
  public record Incoming(
      ChunkKey key,
      RunSet elements,
      long validElements,
      MemorySegment values,
      Optional<ElementParts> parts,
      Kind kind) {

    /**
     * Returns a piece that this rank writes to a chunk that it owns, as if it had been received.
     *
     * @param values the packed values
     */
    public static Incoming of(Piece piece, MemorySegment values) {
      return new Incoming(
          piece.key(),
          piece.slice().elements(),
          piece.validElements(),
          values,
          piece.parts(),
          PieceCodec.kind(piece));
    }
  }

  /** The kinds of changes that a piece makes to elements; see {@link WriteRequest}. */
  public enum Kind {
    VALUES,
    ERASURE,
    RESTORING,
    REMOVAL,
    /** The given parts of each element receive new values; the other parts keep their values. */
    PARTS
  }

  /** Returns the number of bytes of an encoded piece, a multiple of 8. */
  public static long bytes(Piece piece) {
    int rank = piece.key().chunk().rank();
    long bytes = HEADER + 8L * (rank + piece.slice().elements().runs()) + piece.valueBytes();
    bytes += piece.parts().map(PieceCodec::bytes).orElse(0L);
    return (bytes + 7) & ~7L;
  }

  /** Encodes a piece into exactly {@link #bytes} bytes. */
  public static void encode(Piece piece, MemorySegment out) {
    RunSet elements = piece.slice().elements();
    out.set(U64, 0, piece.key().dataset());
    out.set(U64, 8, piece.validElements());
    out.set(U32, 16, kind(piece).ordinal());
    out.set(U32, 20, elements.runs());
    ChunkCoordinates chunk = piece.key().chunk();
    out.set(U64, 24, chunk.rank());
    out.set(U64, 32, piece.valueBytes());
    long at = HEADER;
    for (int i = 0; i < chunk.rank(); i++) {
      out.set(U64, at, chunk.at(i));
      at += 8;
    }
    for (int i = 0; i < elements.runs(); i++) {
      out.set(U32, at, (int) elements.start(i));
      out.set(U32, at + 4, (int) elements.length(i));
      at += 8;
    }
    Optional<ElementParts> parts = piece.parts();
    if (parts.isPresent()) {
      encode(parts.get(), out.asSlice(at));
      at += bytes(parts.get());
    }
    piece.pack(out.asSlice(at, piece.valueBytes()));
  }

  private static long bytes(ElementParts parts) {
    return 8L * (1 + parts.ranges().size());
  }

  private static void encode(ElementParts parts, MemorySegment out) {
    out.set(U32, 0, parts.ranges().size());
    out.set(U32, 4, parts.size());
    long at = 8;
    for (ElementParts.Range range : parts.ranges()) {
      out.set(U32, at, range.offset());
      out.set(U32, at + 4, range.length());
      at += 8;
    }
  }

  private static ElementParts decodeParts(ByteReader in) {
    long count = in.u32();
    long size = in.u32();
    if (count > in.remaining() / 8 || size > Integer.MAX_VALUE) {
      throw in.fault("parts of an element", "at most " + in.remaining() / 8, count);
    }
    List<ElementParts.Range> ranges = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      ranges.add(new ElementParts.Range((int) in.u32(), (int) in.u32()));
    }
    return new ElementParts((int) size, ranges);
  }

  /**
   * Decodes the next piece.
   *
   * @throws FormatException if the bytes are not a valid piece, for example because the ranks run
   *     different versions of Skerry
   */
  public static Incoming decode(ByteReader in) {
    long dataset = in.i64();
    long valid = in.i64();
    long kind = in.u32();
    long runs = in.u32();
    long rank = in.i64();
    long bytes = in.u63("bytes of values");
    if (kind >= Kind.values().length || runs > in.remaining() / 8) {
      throw in.fault("kind and runs", "0..4 and at most " + in.remaining() / 8, kind + ", " + runs);
    }
    if (rank < 0 || rank > Shape.MAX_RANK) {
      throw in.fault("rank", "at most " + Shape.MAX_RANK, rank);
    }
    long[] scaled = new long[(int) rank];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = in.i64();
    }
    ChunkKey key = ChunkKey.of(dataset, scaled);
    RunSet.Builder elements = new RunSet.Builder((int) runs);
    for (long i = 0; i < runs; i++) {
      long start = in.u32();
      elements.add(start, start + in.u32());
    }
    RunSet set = elements.build();
    Optional<ElementParts> parts =
        kind == Kind.PARTS.ordinal() ? Optional.of(decodeParts(in)) : Optional.empty();
    MemorySegment values = MemorySegment.NULL;
    if (kind == Kind.VALUES.ordinal() || kind == Kind.PARTS.ordinal()) {
      values = in.slice(bytes);
    }
    in.skip(-in.position() & 7);
    return new Incoming(key, set, valid, values, parts, Kind.values()[(int) kind]);
  }

  private static Kind kind(Piece piece) {
    return switch (piece.change()) {
      case WriteRequest.Values _ when !piece.replacesElements() -> Kind.PARTS;
      case WriteRequest.Values _, WriteRequest.Gathered _ -> Kind.VALUES;
      case WriteRequest.Erasure _ -> Kind.ERASURE;
      case WriteRequest.Restoring _ -> Kind.RESTORING;
      case WriteRequest.Removal _ -> Kind.REMOVAL;
    };
  }
}
