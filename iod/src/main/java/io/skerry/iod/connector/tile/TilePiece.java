package io.skerry.iod.connector.tile;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.datatype.conversion.ElementParts;
import io.skerry.datatype.Datatype;
import io.skerry.iod.connector.value.EncodedCells;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a write or an erasure that falls into one tile. In a message to the owner of the tile
 * (all numbers little-endian, kind is the ordinal in the order of the types below):
 *
 * <pre>
 * coordinates   runs   {start,      kind   PARTS: count,        values             CELLS: content
 * rank x u64    u32    length}      u8     {offset, length}     u64 length,        u64 length,
 *                      u32 each            u32 each             bytes              bytes
 * </pre>
 *
 * @param scaled the coordinates of the tile in the grid
 * @param elements the elements, by row-major index in the tile
 * @param content the change to them
 */
public record TilePiece(long[] scaled, RunSet elements, Content content) {
  /** A change to the elements of a piece. */
  public sealed interface Content {
    /** The elements receive values, packed with any content that is stored in the tile. */
    record Whole(MemorySegment values) implements Content {}

    /** Parts of the elements receive values; the other parts keep theirs. */
    record Parts(ElementParts parts, MemorySegment values) implements Content {}

    /** The elements receive values whose content is stored in BLOBs. */
    record Cells(EncodedCells cells) implements Content {}

    /** The elements become undefined. */
    record Erasure() implements Content {}
  }

  /** The kinds of content in messages. */
  private enum Kind {
    WHOLE,
    PARTS,
    CELLS,
    ERASURE
  }

  /** Appends the piece to a message. Local; does not fail. */
  public void encode(ByteWriter out) {
    for (long coordinate : scaled) {
      out.u64(coordinate);
    }
    out.u32(elements.runs());
    for (int run = 0; run < elements.runs(); run++) {
      out.u32(elements.start(run)).u32(elements.length(run));
    }
    switch (content) {
      case Content.Whole(MemorySegment values) -> bytes(out.u8(Kind.WHOLE.ordinal()), values);
      case Content.Parts(ElementParts parts, MemorySegment values) -> {
        out.u8(Kind.PARTS.ordinal()).u32(parts.ranges().size());
        parts.ranges().forEach(range -> out.u32(range.offset()).u32(range.length()));
        bytes(out, values);
      }
      case Content.Cells(EncodedCells cells) -> {
        EncodedCells own = cells.compacted();
        bytes(out.u8(Kind.CELLS.ordinal()), own.elements());
        bytes(out, own.content());
      }
      case Content.Erasure _ -> out.u8(Kind.ERASURE.ordinal());
    }
  }

  private static void bytes(ByteWriter out, MemorySegment bytes) {
    out.u64(bytes.byteSize()).bytes(bytes);
  }

  /**
   * Decodes a piece.
   *
   * @param rank the number of dimensions of the grid
   * @param type the datatype of the elements
   * @throws io.skerry.exception.FormatException if the bytes do not encode a piece
   */
  static TilePiece decode(ByteReader in, int rank, Datatype type) {
    long[] scaled = new long[rank];
    for (int d = 0; d < rank; d++) {
      scaled[d] = in.u63("coordinate of a tile");
    }
    long runs = in.u32();
    if (runs > in.remaining() / 8) {
      throw in.fault("runs", "at most " + in.remaining() / 8, runs);
    }
    RunSet.Builder elements = new RunSet.Builder((int) runs);
    for (long run = 0; run < runs; run++) {
      long start = in.u32();
      elements.add(start, start + in.u32());
    }
    return new TilePiece(scaled, elements.build(), content(in, type));
  }

  private static Content content(ByteReader in, Datatype type) {
    int kind = in.u8();
    if (kind >= Kind.values().length) {
      throw in.fault("kind", "0 to " + (Kind.values().length - 1), kind);
    }
    return switch (Kind.values()[kind]) {
      case WHOLE -> new Content.Whole(bytes(in));
      case PARTS -> new Content.Parts(parts(in, type.size()), bytes(in));
      case CELLS -> new Content.Cells(new EncodedCells(type, bytes(in), bytes(in)));
      case ERASURE -> new Content.Erasure();
    };
  }

  private static ElementParts parts(ByteReader in, int size) {
    long count = in.u32();
    if (count > in.remaining() / 8) {
      throw in.fault("parts of an element", "at most " + in.remaining() / 8, count);
    }
    List<ElementParts.Range> ranges = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      ranges.add(new ElementParts.Range((int) in.u32(), (int) in.u32()));
    }
    return new ElementParts(size, ranges);
  }

  private static MemorySegment bytes(ByteReader in) {
    return in.slice(in.u63("bytes of values"));
  }

  /** Returns the number of BLOBs that storing the piece may create. */
  long blobs() {
    return content instanceof Content.Cells(EncodedCells cells) ? cells.cells() : 0;
  }
}
