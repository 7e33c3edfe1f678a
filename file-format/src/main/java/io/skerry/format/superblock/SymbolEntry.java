package io.skerry.format.superblock;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.util.Optional;

/**
 * A symbol table entry: a link of an old-style group, or the root group in superblocks 0 and 1.
 * Source: HDF5 File Format Specification 3.0, section III.C, "Symbol Table Entry".
 *
 * <pre>
 * off   bytes field
 * 0     L     name: offset in the local heap of the group
 * L     O     object header; undefined for a soft link
 * L+O   4     cache type, the content of the last field: 0 nothing, 1 a group, 2 a soft link
 * L+O+4 4     reserved
 * L+O+8 16    a group: B-tree O | local heap O; a soft link: heap offset of its path u32
 * </pre>
 *
 * @param nameOffset the offset of the name in the local heap
 * @param headerAddress the address of the object header, or undefined
 * @param cached the information about the target in the last field
 */
public record SymbolEntry(long nameOffset, long headerAddress, Cached cached) {
  private static final int SCRATCH = 16;

  /** Information about the target that an entry contains in addition to the address. */
  public sealed interface Cached {}

  /** No information. */
  public record Nothing() implements Cached {}

  /**
   * The target is an old-style group; the entry has a copy of its symbol table message.
   *
   * @param treeAddress the address of its B-tree
   * @param heapAddress the address of its local heap
   */
  public record OfGroup(long treeAddress, long heapAddress) implements Cached {}

  /**
   * The link is a soft link.
   *
   * @param pathOffset the offset of its path in the local heap
   */
  public record OfSoftLink(long pathOffset) implements Cached {}

  /** Returns the entry of a hard link. */
  public static SymbolEntry hard(long nameOffset, long headerAddress) {
    return new SymbolEntry(nameOffset, headerAddress, new Nothing());
  }

  /** Returns the entry of a soft link. */
  public static SymbolEntry soft(long nameOffset, long pathOffset) {
    return new SymbolEntry(nameOffset, FileAddress.UNDEFINED, new OfSoftLink(pathOffset));
  }

  /** Returns the size of an entry in bytes. */
  public static int size(Widths widths) {
    return widths.length() + widths.offset() + 8 + SCRATCH;
  }

  /** Decodes an entry. */
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

  /**
   * Returns the B-tree and local heap addresses of the target group, if the entry contains them.
   */
  public Optional<OfGroup> group() {
    return cached instanceof OfGroup group ? Optional.of(group) : Optional.empty();
  }
}
