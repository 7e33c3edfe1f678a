package io.skerry.format.superblock;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.util.Optional;

/**
 * Symbol table entry: a link of a group of the old style, and the root group in superblocks 0 and 1
 * (format specification, "Symbol Table Entry").
 *
 * <pre>
 * off   bytes field
 * 0     L     name: offset in the local heap of the group
 * L     O     object header; undefined for a soft link
 * L+O   4     what the last field holds: 0 nothing, 1 a group, 2 a soft link
 * L+O+4 4     reserved
 * L+O+8 16    a group: B-tree O | local heap O; a soft link: offset of its path in the heap u32
 * </pre>
 *
 * @param nameOffset where the local heap has the name
 * @param headerAddress object header, or undefined
 * @param cached what else it says of its target
 */
public record SymbolEntry(long nameOffset, long headerAddress, Cached cached) {
  private static final int SCRATCH = 16;

  /** What an entry says of its target besides the address. */
  public sealed interface Cached {}

  /** Nothing. */
  public record Nothing() implements Cached {}

  /**
   * It is a group of the old style; a copy of its symbol table message.
   *
   * @param treeAddress its B-tree
   * @param heapAddress its local heap
   */
  public record OfGroup(long treeAddress, long heapAddress) implements Cached {}

  /**
   * It is a path.
   *
   * @param pathOffset where the local heap has the path
   */
  public record OfSoftLink(long pathOffset) implements Cached {}

  /** An entry for an object. */
  public static SymbolEntry hard(long nameOffset, long headerAddress) {
    return new SymbolEntry(nameOffset, headerAddress, new Nothing());
  }

  /** An entry for a path. */
  public static SymbolEntry soft(long nameOffset, long pathOffset) {
    return new SymbolEntry(nameOffset, FileAddress.UNDEFINED, new OfSoftLink(pathOffset));
  }

  /** Bytes on disk. */
  public static int size(Widths widths) {
    return widths.length() + widths.offset() + 8 + SCRATCH;
  }

  /** Reads an entry. */
  public static SymbolEntry decode(ByteReader in, Widths widths) {
    long name = widths.readLength(in, "offset of a link name");
    long header = widths.readAddress(in, "link address");
    long kind = in.u32();
    in.skip(4);
    ByteReader scratch = in.sub(SCRATCH, "symbol table entry");
    Cached cached =
        switch ((int) Math.min(kind, 3)) {
          case 0 -> new Nothing();
          case 1 ->
              new OfGroup(
                  widths.readAddress(scratch, "cached B-tree"),
                  widths.readAddress(scratch, "cached local heap"));
          case 2 -> new OfSoftLink(scratch.u32());
          default -> throw in.fault("cache type of a symbol table entry", "0 to 2", kind);
        };
    return new SymbolEntry(name, header, cached);
  }

  /** Appends the entry. */
  public void encode(ByteWriter out, Widths widths) {
    widths.writeLength(out, nameOffset);
    widths.writeAddress(out, headerAddress);
    int start = out.position() + 8;
    switch (cached) {
      case Nothing _ -> out.u32(0).u32(0);
      case OfGroup(long tree, long heap) -> {
        out.u32(1).u32(0);
        widths.writeAddress(out, tree);
        widths.writeAddress(out, heap);
      }
      case OfSoftLink(long path) -> out.u32(2).u32(0).u32(path);
    }
    out.zeros(start + SCRATCH - out.position());
  }

  /** The B-tree and heap of a group, if the entry repeats them. */
  public Optional<OfGroup> group() {
    return cached instanceof OfGroup group ? Optional.of(group) : Optional.empty();
  }
}
