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
 * The superblock that keeps other programs from a file while a flush replaces its blocks, and the
 * one that it covers.
 *
 * <p>Superblocks have less than 512 bytes and begin at a multiple of 512, so that storage writes
 * each of them whole.
 */
final class SuperblockMark {
  /** That of a rank that does not write the superblock, and of a file without one. */
  static final SuperblockMark NONE = new SuperblockMark(Optional.empty());

  private final Optional<BlockImage> old;

  private SuperblockMark(Optional<BlockImage> old) {
    this.old = old;
  }

  /**
   * The mark of a flush.
   *
   * @param top the superblock that ends it; empty on ranks that do not write one, and if the file
   *     has none so far
   * @param source the file as it is now
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

  /** The journal of this rank, which takes the marked superblock for the old one. */
  Journal in(Journal journal) {
    return old.map(image -> journal.withMidFlush(marked(image).bytes())).orElse(journal);
  }

  /** The blocks to write before others are replaced. */
  List<BlockImage> set() {
    return old.stream().map(SuperblockMark::marked).toList();
  }

  /** The blocks to write if none is replaced after all. */
  List<BlockImage> removed() {
    return old.stream().toList();
  }
}
