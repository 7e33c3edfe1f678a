package io.skerry.collective.commit;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import io.skerry.format.superblock.Superblock;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * A marked superblock that makes other programs refuse the file while a flush replaces its blocks.
 * This object also holds the superblock that the marked one replaces.
 *
 * <p>A superblock has fewer than 512 bytes and begins at a multiple of 512 bytes, so a storage
 * device writes it entirely or not at all.
 */
final class SuperblockMark {
  /** The mark on ranks that do not write the superblock, and for a file without a superblock. */
  static final SuperblockMark NONE = new SuperblockMark(Optional.empty());

  private final Optional<BlockImage> old;

  private SuperblockMark(Optional<BlockImage> old) {
    this.old = old;
  }

  /**
   * Creates the mark of a flush.
   *
   * @param top the new superblock, whose write completes the flush; empty on ranks that do not
   *     write it, and if the file has no superblock yet
   * @param source the bytes of the file before the flush replaces blocks
   */
  static SuperblockMark of(List<BlockImage> top, ByteSource source) {
    return new SuperblockMark(top.stream().findFirst().map(next -> present(next, source)));
  }

  private static BlockImage present(BlockImage next, ByteSource source) {
    MemorySegment bytes = source.read(next.address(), next.bytes().byteSize());
    return new BlockImage(next.address(), next.kind(), bytes);
  }

  private static BlockImage marked(BlockImage old) {
    ByteWriter out = ByteWriter.create();
    Superblock.decode(ByteReader.of(old.bytes(), "superblock")).encodeMidFlush(out);
    return new BlockImage(old.address(), old.kind(), out.written());
  }

  /** Returns a journal that accepts the marked superblock in place of the old one. */
  Journal in(Journal journal) {
    return old.map(image -> journal.withMidFlush(marked(image).bytes())).orElse(journal);
  }

  /** Returns the blocks to write before other blocks are replaced. */
  List<BlockImage> set() {
    return old.stream().map(SuperblockMark::marked).toList();
  }

  /** Returns the blocks to write if the flush fails before it replaces other blocks. */
  List<BlockImage> removed() {
    return old.stream().toList();
  }
}
