package io.skerry.format.journal;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The blocks that the commit of a flush replaces in place. The journal is written next to the file
 * and synced before the first block is replaced. After a crash, it shows whether the commit can be
 * completed.
 *
 * <pre>
 * off  bytes field
 * 0    8     "SKRYJRNL"
 * 8    4     version, 2
 * 12   4     number of blocks B
 * 16   8     end of file before the commit
 * 24   8     end of file after the commit
 * 32   8     fingerprint of the superblock while blocks are replaced, 0 if unknown
 * 40   B x   address u64 | length u64
 *            | pieces x (old fingerprint u64 | new fingerprint u64) | new bytes
 * .    8     fingerprint of all bytes above
 * </pre>
 *
 * <p>A block is divided into pieces at the addresses that are multiples of 512, the unit that
 * storage writes atomically, so that a block is recognized even if only some of its pieces were
 * replaced. For the fingerprints see {@link Checksums#fingerprint}. Addresses and ends of file are
 * relative to the base address. A piece that ends beyond the old end of file has no old content:
 * its old fingerprint is 0 and matches any content. Version 1 lacks the field at offset 32.
 *
 * <p>This is Skerry's own format, not part of HDF5.
 *
 * @param oldEndOfFile the end of file before the commit
 * @param newEndOfFile the end of file after the commit
 * @param midFlush the fingerprint of the superblock that is at address 0 while blocks are replaced;
 *     a superblock with this fingerprint counts as old content; 0 if unknown
 * @param entries the blocks
 */
public record Journal(long oldEndOfFile, long newEndOfFile, long midFlush, List<Entry> entries) {
  private static final String MAGIC = "SKRYJRNL";
  private static final int VERSION = 2;

  /** The version without the fingerprint at offset 32. */
  private static final int EARLIER_VERSION = 1;

  private static final int SECTOR = 512;

  /** Action to take on a journal found next to a file. */
  public enum Decision {
    /** Write all block images, sync the file and remove the journal. */
    REPLAY,
    /** All block images are in place: remove the journal. */
    ALREADY_DONE,
    /**
     * At least one piece of the file has neither its old nor its new content, for example because
     * another program changed it: change nothing.
     */
    REFUSE
  }

  /**
   * One block that the commit replaces.
   *
   * @param address the address of its first byte
   * @param before the fingerprints of its pieces before the commit
   * @param after the fingerprints of its pieces after the commit
   * @param image its new bytes
   */
  public record Entry(long address, List<Long> before, List<Long> after, Bytes image) {
    public Entry {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  public Journal {
    entries = List.copyOf(entries);
  }

  /**
   * Creates the journal of a commit.
   *
   * @param current the file before the commit
   * @param oldEndOfFile the end of file in its superblock, relative to the base address
   * @param newEndOfFile the end of file after the commit
   * @param images the new content of the blocks
   */
  public static Journal of(
      ByteSource current, long oldEndOfFile, long newEndOfFile, List<BlockImage> images) {
    List<Entry> entries = new ArrayList<>();
    for (BlockImage image : images) {
      List<Long> before = new ArrayList<>();
      List<Long> after = new ArrayList<>();
      for (Block piece : pieces(image.block())) {
        boolean fresh = piece.end() > oldEndOfFile;
        before.add(
            fresh ? 0 : Checksums.fingerprint(current.read(piece.address(), piece.length())));
        after.add(
            Checksums.fingerprint(
                image.bytes().asSlice(piece.address() - image.address(), piece.length())));
      }
      entries.add(new Entry(image.address(), before, after, Bytes.of(image.bytes())));
    }
    return new Journal(oldEndOfFile, newEndOfFile, 0, entries);
  }

  /**
   * Returns this journal with the fingerprint of the given superblock, which is on disk while
   * blocks are replaced.
   */
  public Journal withMidFlush(MemorySegment superblock) {
    return new Journal(oldEndOfFile, newEndOfFile, Checksums.fingerprint(superblock), entries);
  }

  private static List<Block> pieces(Block block) {
    List<Block> pieces = new ArrayList<>();
    long at = block.address();
    while (at < block.end()) {
      long next = Math.min(block.end(), (at / SECTOR + 1) * SECTOR);
      pieces.add(new Block(at, next - at));
      at = next;
    }
    return pieces;
  }

  /** Encodes the journal. */
  public MemorySegment encode() {
    ByteWriter out = ByteWriter.create();
    out.text(MAGIC).u32(VERSION).u32(entries.size()).u64(oldEndOfFile).u64(newEndOfFile);
    out.u64(midFlush);
    for (Entry entry : entries) {
      out.u64(entry.address()).u64(entry.image().size());
      for (int i = 0; i < entry.before().size(); i++) {
        out.u64(entry.before().get(i)).u64(entry.after().get(i));
      }
      out.bytes(entry.image().segment());
    }
    long check = Checksums.fingerprint(out.written());
    return out.u64(check).written();
  }

  /**
   * Decodes a journal.
   *
   * @throws FormatException if the journal is incomplete or damaged, or if its version is unknown
   */
  public static Journal decode(MemorySegment bytes) {
    ByteReader whole = ByteReader.of(bytes, "journal");
    MemorySegment body = whole.slice(bytes.byteSize() - 8);
    if (whole.i64() != Checksums.fingerprint(body)) {
      throw whole.fault("fingerprint", "that of the content", "another");
    }
    ByteReader in = ByteReader.of(body, "journal");
    in.expectSignature(MAGIC);
    long version = in.u32();
    if (version != EARLIER_VERSION) {
      in.expect("version", VERSION, version);
    }
    long count = in.u32();
    long oldEnd = in.u63("old end of file");
    long newEnd = in.u63("new end of file");
    long midFlush = version == EARLIER_VERSION ? 0 : in.i64();
    List<Entry> entries = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      entries.add(decodeEntry(in));
    }
    in.expect("bytes after the last block", 0, in.remaining());
    return new Journal(oldEnd, newEnd, midFlush, entries);
  }

  private static Entry decodeEntry(ByteReader in) {
    long address = in.u63("address");
    long length = in.u63("length");
    if (length > in.remaining()) {
      throw in.fault("length of a block", "at most " + in.remaining(), length);
    }
    int pieces = pieces(new Block(address, length)).size();
    List<Long> before = new ArrayList<>();
    List<Long> after = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      before.add(in.i64());
      after.add(in.i64());
    }
    return new Entry(address, before, after, Bytes.of(in.slice(length)));
  }

  /**
   * Returns the action to take on this journal. Local. Reads every block that the commit replaces,
   * up to the first piece that contains neither old nor new content.
   */
  public Decision decide(ByteSource current) {
    boolean done = true;
    for (Entry entry : entries) {
      List<Block> pieces = pieces(entry);
      for (int i = 0; i < pieces.size(); i++) {
        switch (state(entry, i, pieces.get(i), current)) {
          case FOREIGN -> {
            return Decision.REFUSE;
          }
          case OLD -> done = false;
          case NEW -> {}
        }
      }
    }
    return done ? Decision.ALREADY_DONE : Decision.REPLAY;
  }

  /**
   * Returns the first piece of the file that contains neither old nor new content, which is the
   * reason for {@link Decision#REFUSE}; empty if there is none.
   */
  public Optional<Block> foreign(ByteSource current) {
    for (Entry entry : entries) {
      List<Block> pieces = pieces(entry);
      for (int i = 0; i < pieces.size(); i++) {
        if (state(entry, i, pieces.get(i), current) == Content.FOREIGN) {
          return Optional.of(pieces.get(i));
        }
      }
    }
    return Optional.empty();
  }

  /** Content of a piece of the file. */
  private enum Content {
    OLD,
    NEW,
    FOREIGN
  }

  private static List<Block> pieces(Entry entry) {
    return pieces(new Block(entry.address(), entry.image().size()));
  }

  /**
   * Compares a piece of the file with its fingerprints. A piece that ends beyond the new end of
   * file is foreign, because the commit cannot have written it.
   */
  private Content state(Entry entry, int number, Block piece, ByteSource current) {
    if (piece.end() > newEndOfFile) {
      return Content.FOREIGN;
    }
    boolean present = piece.end() <= current.size();
    long found = present ? Checksums.fingerprint(current.read(piece.address(), piece.length())) : 0;
    if (present && found == entry.after().get(number)) {
      return Content.NEW;
    }
    boolean fresh = piece.end() > oldEndOfFile;
    boolean marked = piece.address() == 0 && midFlush != 0 && found == midFlush;
    boolean old = fresh || (present && (marked || found == entry.before().get(number)));
    return old ? Content.OLD : Content.FOREIGN;
  }
}
