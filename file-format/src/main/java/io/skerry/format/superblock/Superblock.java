package io.skerry.format.superblock;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.format.block.AddressMapping;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The superblock. O is the size of offsets. The table shows versions 2 and 3; {@link
 * EarlySuperblock} shows versions 0 and 1. Source: HDF5 File Format Specification 3.0, section
 * II.A, "Format Signature and Superblock".
 *
 * <pre>
 * off   bytes field
 * 0     8     signature 89 48 44 46 0d 0a 1a 0a
 * 8     1     version, 2 or 3
 * 9     1     size of offsets O
 * 10    1     size of lengths L
 * 11    1     status flags; ignored on read, written 0, or 1 by {@link #encodeMidFlush} in
 *             version 3
 * 12    O     base address: position of the signature
 * 12+O  O     superblock extension, undefined if none
 * 12+2O O     end of file
 * 12+3O O     root group object header
 * 12+4O 4     lookup3 checksum of all bytes above
 * </pre>
 *
 * <p>On disk, the end of file is relative to byte 0 of the file and all other addresses to the base
 * address; in this record, all are relative to the base address.
 *
 * <p>While a flush replaces blocks, the stored end of file is an impossibly large value, and in
 * version 3 the write access flag is set. HDF5 then rejects the file as truncated, regardless of
 * its superblock version. SWMR readers ignore the end of file but require the SWMR flag, which is
 * not set. After a crash of the HDF5 library, the write access flag may also be set, but the end of
 * file does not have this value.
 *
 * @param version the version, 0 to 3
 * @param widths the sizes of offsets and lengths
 * @param baseAddress the number of bytes before the signature, which is the size of the user block
 * @param extensionAddress the object header address of the superblock extension, or undefined
 * @param endOfFile the first address beyond all allocated space, relative to the base address
 * @param rootAddress the object header address of the root group
 * @param early the fields that only versions 0 and 1 have; empty for versions 2 and 3
 */
public record Superblock(
    int version,
    Widths widths,
    long baseAddress,
    long extensionAddress,
    long endOfFile,
    long rootAddress,
    Optional<EarlyFields> early) {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  private static final int FIRST_USER_BLOCK = 512;

  private static final AddressMapping LOWER_BITS =
      new AddressMapping() {
        @Override
        public long map(long stored) {
          return stored & Long.MAX_VALUE;
        }

        @Override
        public long end(long stored) {
          return stored & Long.MAX_VALUE;
        }
      };

  /** Status flag: a program has the file open for writing. */
  private static final int WRITE_ACCESS = 1;

  /** Number of leading bytes that contain the version and both widths. */
  private static final int HEAD = 16;

  public Superblock {
    if (early.isPresent() != version < 2) {
      throw new IllegalArgumentException(
          "superblock fields of another version: version=" + version + " early=" + early);
    }
  }

  /** Creates a superblock of version 2 or 3. */
  public Superblock(
      int version,
      Widths widths,
      long baseAddress,
      long extensionAddress,
      long endOfFile,
      long rootAddress) {
    this(version, widths, baseAddress, extensionAddress, endOfFile, rootAddress, Optional.empty());
  }

  /**
   * Returns a new superblock in the form that this library writes by default: version 3, eight-byte
   * offsets and lengths, no user block.
   */
  public static Superblock of(long endOfFile, long rootAddress) {
    return new Superblock(3, Widths.EIGHT, 0, FileAddress.UNDEFINED, endOfFile, rootAddress);
  }

  /**
   * Returns a new superblock of version 0, which every HDF5 release reads: eight-byte offsets and
   * lengths, no user block.
   *
   * @param endOfFile the end of file, relative to the base address
   * @param root the symbol table entry of the root group: its header address, B-tree and local heap
   */
  public static Superblock earliest(long endOfFile, SymbolEntry root) {
    return new Superblock(
        0,
        Widths.EIGHT,
        0,
        FileAddress.UNDEFINED,
        endOfFile,
        root.headerAddress(),
        Optional.of(new EarlyFields(TreeOrders.DEFAULT, FileAddress.UNDEFINED, root)));
  }

  /** Returns this superblock with a different end of file, relative to the base address. */
  public Superblock withEndOfFile(long newEnd) {
    return new Superblock(
        version, widths, baseAddress, extensionAddress, newEnd, rootAddress, early);
  }

  /**
   * Returns this superblock of version 0 or 1 with a different root entry. The entry contains a
   * copy of the symbol table message of the root group and must be updated together with it.
   *
   * @throws IllegalStateException if the version of this superblock is 2 or 3
   */
  public Superblock withRoot(SymbolEntry root) {
    EarlyFields old =
        early.orElseThrow(
            () -> new IllegalStateException("no root entry in a superblock: version=" + version));
    return new Superblock(
        version,
        widths,
        baseAddress,
        extensionAddress,
        endOfFile,
        root.headerAddress(),
        Optional.of(new EarlyFields(old.orders(), old.driverAddress(), root)));
  }

  /**
   * Returns whether a flush that replaces blocks is incomplete. In that case, some blocks may still
   * have their old content, only the journal next to the file contains all new content, and the end
   * of file is meaningless.
   */
  public boolean isMidFlush() {
    return endOfFile + baseAddress == endMidFlush(widths);
  }

  /**
   * Returns an end of file that is larger than that of any file but is not the undefined address.
   */
  private static long endMidFlush(Widths widths) {
    return widths.offset() == 8 ? 1L << 62 : (1L << (8 * widths.offset())) - 2;
  }

  private Superblock withBase(long base) {
    return new Superblock(version, widths, base, extensionAddress, endOfFile, rootAddress, early);
  }

  /** Returns the size on disk in bytes. */
  public long size() {
    return size(version, widths);
  }

  private static long size(int version, Widths widths) {
    return version < 2 ? EarlySuperblock.size(version, widths) : 16 + 4L * widths.offset();
  }

  /**
   * Finds and decodes the superblock at byte 0, 512, 1024, 2048, …
   *
   * <p>A file that is shorter than the end of file in its superblock was truncated and is rejected.
   * A longer file is accepted, because a crashed writer may have appended the excess bytes.
   *
   * @param raw the file, with addresses relative to its byte 0
   * @throws FormatException if there is no superblock, if it is damaged, if a flush was interrupted
   *     or is still replacing blocks, or if the file is truncated
   */
  public static Superblock find(ByteSource raw) {
    Superblock found =
        decodeFirst(raw, raw.places())
            .orElseThrow(() ->
                new FormatException(
                        "not an HDF5 file",
                        "a superblock signature at byte 0, 512, 1024, ...",
                        "none in " + raw.size() + " bytes")
                    .inFile(raw.name()));
    found.requireWhole(raw.name());
    long at = found.baseAddress;
    if (found.endOfFile > raw.size() - at) {
      throw new FormatException(
              "truncated file",
              "at least " + (found.endOfFile + at) + " bytes",
              raw.size() + " bytes")
          .inFile(raw.name())
          .atAddress(at);
    }
    return found;
  }

  /**
   * Checks that the superblock is not that of an incomplete flush, as described at {@link
   * #isMidFlush}.
   *
   * @param file the path of the file
   * @throws FormatException if a flush is incomplete, because its writer was killed or is still
   *     writing; the exception names the file and the journal that completes the flush
   */
  public void requireWhole(String file) {
    if (isMidFlush()) {
      throw new FormatException(
              "an interrupted flush: its writer was killed, or is still writing, and only the journal completes it",
              file + ".journal beside it, or skerry recover --without-journal",
              "none")
          .inFile(file)
          .atAddress(baseAddress);
    }
  }

  /**
   * Decodes the superblock of a file that may be only one member of a family or multi file.
   * Addresses are not checked against the size of the file, and addresses of 2^63 and above lose
   * their highest bit.
   *
   * @param raw the file, with addresses relative to its byte 0
   * @return the superblock; empty if there is no signature
   * @throws FormatException if the superblock is damaged
   */
  public static Optional<Superblock> peek(ByteSource raw) {
    return decodeFirst(raw, LOWER_BITS);
  }

  private static Optional<Superblock> decodeFirst(ByteSource raw, AddressMapping places) {
    for (long at = 0;
        at <= raw.size() - SIGNATURE.length;
        at = at == 0 ? FIRST_USER_BLOCK : 2 * at) {
      if (raw.read(at, SIGNATURE.length).mismatch(MemorySegment.ofArray(SIGNATURE)) == -1) {
        try {
          long bytes = Math.min(raw.size() - at, sizeOf(raw, at));
          ByteReader in = ByteReader.of(raw.read(at, bytes), "superblock");
          return Optional.of(decode(in, places).withBase(at));
        } catch (FormatException e) {
          throw e.inFile(raw.name()).atAddress(at);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the number of bytes to read in order to decode the superblock at the given position.
   * The read must not extend beyond the superblock, because a file may end with it.
   */
  private static long sizeOf(ByteSource raw, long at) {
    if (raw.size() - at < HEAD) {
      return HEAD;
    }
    ByteReader head = ByteReader.of(raw.read(at, HEAD), "superblock");
    head.skip(SIGNATURE.length);
    int version = head.u8();
    if (version > 3) {
      return HEAD;
    }
    head.skip(version < 2 ? 4 : 0);
    return size(version, new Widths(head.u8(), head.u8()));
  }

  /** Decodes a superblock, starting at its signature. */
  public static Superblock decode(ByteReader in) {
    return decode(in, AddressMapping.IDENTITY);
  }

  private static Superblock decode(ByteReader in, AddressMapping places) {
    MemorySegment whole = in.slice(in.remaining());
    ByteReader fields = ByteReader.of(whole, "superblock");
    if (fields.slice(8).mismatch(MemorySegment.ofArray(SIGNATURE)) != -1) {
      throw fields.fault("signature", "\\x89HDF\\r\\n\\x1a\\n", "other bytes");
    }
    int version = fields.u8();
    if (version > 3) {
      throw fields.fault("version", "0 to 3", version);
    }
    if (version < 2) {
      return EarlySuperblock.decode(fields, version, places);
    }
    Widths plain = new Widths(fields.u8(), fields.u8());
    Widths widths = new Widths(plain.offset(), plain.length(), places);
    fields.skip(1);
    long base = plain.readDefinedAddress(fields, "base address");
    long extension = widths.readAddress(fields, "extension address");
    long end = widths.readEnd(fields);
    long root = widths.readDefinedAddress(fields, "root address");
    int computed = Lookup3.checksum(whole.asSlice(0, fields.position()));
    Checksums.check(fields, computed);
    if (end < base) {
      throw fields.fault("end of file", "at least the base address " + base, end);
    }
    return new Superblock(version, widths, base, extension, end - base, root);
  }

  /** Appends the superblock with all status flags clear. */
  public void encode(ByteWriter out) {
    encode(out, 0);
  }

  /**
   * Appends this superblock in the form that it has while a flush replaces blocks. Neither HDF5 nor
   * this library accepts this form as a complete file.
   */
  public void encodeMidFlush(ByteWriter out) {
    withEndOfFile(endMidFlush(widths) - baseAddress).encode(out, version < 3 ? 0 : WRITE_ACCESS);
  }

  private void encode(ByteWriter out, int flags) {
    int start = out.position();
    out.bytes(SIGNATURE).u8(version);
    if (early.isPresent()) {
      EarlySuperblock.encode(this, early.get(), out);
      return;
    }
    out.u8(widths.offset()).u8(widths.length()).u8(flags);
    widths.writeAddress(out, baseAddress);
    widths.writeAddress(out, extensionAddress);
    widths.writeAddress(out, endOfFile + baseAddress);
    widths.writeAddress(out, rootAddress);
    out.checksumFrom(start);
  }
}
