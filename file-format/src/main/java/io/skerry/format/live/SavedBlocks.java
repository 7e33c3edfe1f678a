package io.skerry.format.live;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.Checksums;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The blocks that one rank saves before a flush replaces them: their places in the HDF5 file and
 * their content in the previous epoch. A reader first reads the table of blocks, and the content of
 * a block only when it needs that block.
 *
 * <pre>
 * off  bytes field
 * 0    8     "SKRYSAVE"
 * 8    8     epoch that the flush creates
 * 16   8     length of this part, a multiple of 8
 * 24   4     number of blocks B
 * 28   4     0
 * 32   B x   position in the HDF5 file u64 | length u64 | fingerprint of the content u64
 * .    8     fingerprint of all bytes above
 * .    .     content of the blocks, in the order of the table, then zeros
 * </pre>
 *
 * <p>This is Skerry's own format, not part of HDF5.
 *
 * @param epoch the epoch that the flush creates
 * @param length the length of the part, in bytes
 * @param blocks the blocks, in the order of their positions
 */
public record SavedBlocks(long epoch, long length, List<Saved> blocks) {
  /** The number of bytes of a part before its table. */
  public static final int HEAD = 32;

  private static final int ENTRY = 24;
  private static final String MAGIC = "SKRYSAVE";

  /**
   * A saved block.
   *
   * @param block the position and length in the HDF5 file
   * @param fingerprint the {@linkplain Checksums#fingerprint fingerprint} of its content
   * @param offset the offset of its content from the first byte of the part
   */
  public record Saved(Block block, long fingerprint, long offset) {}

  /**
   * The content of a block before a flush.
   *
   * @param position the position in the HDF5 file
   * @param bytes the content
   */
  public record Content(long position, MemorySegment bytes) {}

  public SavedBlocks {
    blocks = List.copyOf(blocks);
  }

  /**
   * Encodes the saved blocks of one rank.
   *
   * @param epoch the epoch that the flush creates
   * @param contents the blocks, in any order, with their content in the previous epoch
   * @throws IllegalArgumentException if the part would exceed 2 GiB
   */
  public static MemorySegment encode(long epoch, List<Content> contents) {
    List<Content> sorted =
        contents.stream().sorted(Comparator.comparingLong(Content::position)).toList();
    long bytes = sorted.stream().mapToLong(content -> content.bytes().byteSize()).sum();
    long length = length(sorted.size(), bytes);
    if (length > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("too many bytes to save in one part: bytes=" + length);
    }
    ByteWriter out = ByteWriter.withCapacity((int) length);
    out.text(MAGIC).u64(epoch).u64(length).u32(sorted.size()).u32(0);
    for (Content content : sorted) {
      out.u64(content.position()).u64(content.bytes().byteSize());
      out.u64(Checksums.fingerprint(content.bytes()));
    }
    out.u64(Checksums.fingerprint(out.written()));
    sorted.forEach(content -> out.bytes(content.bytes()));
    return out.zeros((int) (length - out.position())).written();
  }

  /**
   * Returns the length of a part, in bytes.
   *
   * @param blocks the number of blocks
   * @param bytes the total number of bytes in the blocks
   */
  public static long length(int blocks, long bytes) {
    return (tableEnd(blocks) + bytes + 7) & -8;
  }

  /**
   * Returns the number of bytes from the first byte of a part to the end of its table.
   *
   * @param head the first {@value #HEAD} bytes of the part
   * @throws FormatException if the head is not that of a part, or the table exceeds the part
   */
  public static long tableEnd(MemorySegment head) {
    ByteReader in = ByteReader.of(head, "saved blocks");
    in.expectSignature(MAGIC);
    in.skip(Long.BYTES);
    long length = in.u63("length");
    long count = in.u32();
    if (tableEnd(count) > length) {
      throw in.fault("number of blocks", "at most " + (length - HEAD) / ENTRY, count);
    }
    return tableEnd(count);
  }

  private static long tableEnd(long blocks) {
    return HEAD + blocks * ENTRY + Long.BYTES;
  }

  /**
   * Decodes the table of a part.
   *
   * @param part the bytes of the part up to the {@linkplain #tableEnd(MemorySegment) end of its
   *     table}
   * @throws FormatException if the table is incomplete, damaged, or contradicts itself
   */
  public static SavedBlocks decode(MemorySegment part) {
    ByteReader in = ByteReader.of(part, "saved blocks");
    in.expectSignature(MAGIC);
    long epoch = in.u63("epoch");
    long length = in.u63("length");
    long count = in.u32();
    in.skip(4);
    if (count > in.remaining() / ENTRY) {
      throw in.fault("number of blocks", "at most " + in.remaining() / ENTRY, count);
    }
    List<Saved> blocks = new ArrayList<>();
    long at = tableEnd(count);
    for (long i = 0; i < count; i++) {
      long position = in.u63("position");
      long bytes = in.u63("length of a block");
      long fingerprint = in.i64();
      if (bytes > length - at || position > Long.MAX_VALUE - bytes) {
        throw in.fault("length of a block", "at most " + (length - at), bytes);
      }
      blocks.add(new Saved(new Block(position, bytes), fingerprint, at));
      at += bytes;
    }
    MemorySegment table = part.asSlice(0, in.position());
    if (in.i64() != Checksums.fingerprint(table)) {
      throw in.fault("fingerprint", "that of the table", "another");
    }
    return new SavedBlocks(epoch, length, blocks);
  }
}
