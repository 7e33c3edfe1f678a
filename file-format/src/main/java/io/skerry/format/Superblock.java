package io.skerry.format;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Lookup3;
import java.lang.foreign.MemorySegment;

/**
 * Superblock version 2 or 3 (format specification, "Level 0A"). O is the size of offsets.
 *
 * <pre>
 * off   bytes field
 * 0     8     signature 89 48 44 46 0d 0a 1a 0a
 * 8     1     version, 2 or 3
 * 9     1     size of offsets O
 * 10    1     size of lengths L
 * 11    1     status flags; ignored on read, written 0
 * 12    O     base address: where the signature is
 * 12+O  O     superblock extension, undefined if none
 * 12+2O O     end of file
 * 12+3O O     root group object header
 * 12+4O 4     lookup3 of all before
 * </pre>
 *
 * <p>On disk the end of file counts from byte 0 of the file and the other addresses from the base
 * address; here all count from the base address.
 *
 * @param version 2 or 3
 * @param widths sizes of offsets and lengths
 * @param baseAddress bytes before the signature: the user block
 * @param extensionAddress object header of the superblock extension, or undefined
 * @param endOfFile first address beyond all allocated space, from the base address
 * @param rootAddress object header of the root group
 */
public record Superblock(
    int version,
    Widths widths,
    long baseAddress,
    long extensionAddress,
    long endOfFile,
    long rootAddress) {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  private static final int FIRST_USER_BLOCK = 512;

  /** A new superblock as this library writes it: version 3, eight-byte widths, no user block. */
  public static Superblock of(long endOfFile, long rootAddress) {
    return new Superblock(3, Widths.EIGHT, 0, FileAddress.UNDEFINED, endOfFile, rootAddress);
  }

  /** This superblock with another end of file, counted from the base address. */
  public Superblock withEndOfFile(long newEnd) {
    return new Superblock(version, widths, baseAddress, extensionAddress, newEnd, rootAddress);
  }

  /** Bytes on disk. */
  public long size() {
    return 16 + 4L * widths.offset();
  }

  /**
   * Finds and reads the superblock: at byte 0, 512, 1024, 2048, …
   *
   * @param raw the file, with addresses that count from its byte 0
   * @throws FormatException if there is none, if it is damaged, or if the file is shorter than it
   *     says
   * @throws UnsupportedFeatureException if its version is not read
   */
  public static Superblock find(ByteSource raw) {
    for (long at = 0;
        at <= raw.size() - SIGNATURE.length;
        at = at == 0 ? FIRST_USER_BLOCK : 2 * at) {
      if (raw.read(at, SIGNATURE.length).mismatch(MemorySegment.ofArray(SIGNATURE)) == -1) {
        try {
          return decodeAt(raw, at);
        } catch (FormatException e) {
          throw e.inFile(raw.name()).atAddress(at);
        }
      }
    }
    throw new FormatException(
            "not an HDF5 file",
            "a superblock signature at byte 0, 512, 1024, ...",
            "none in " + raw.size() + " bytes")
        .inFile(raw.name());
  }

  private static Superblock decodeAt(ByteSource raw, long at) {
    long available = Math.min(raw.size() - at, 16 + 4 * 8);
    Superblock found = decode(ByteReader.of(raw.read(at, available), "superblock"), raw.name());
    if (found.endOfFile > raw.size() - at) {
      throw new FormatException(
          "truncated file", "at least " + (found.endOfFile + at) + " bytes", raw.size() + " bytes");
    }
    return new Superblock(
        found.version,
        found.widths,
        at,
        found.extensionAddress,
        found.endOfFile,
        found.rootAddress);
  }

  /**
   * Reads a superblock; the cursor stands at its signature.
   *
   * @param where the file, for error messages
   */
  public static Superblock decode(ByteReader in, String where) {
    MemorySegment whole = in.slice(in.remaining());
    ByteReader fields = ByteReader.of(whole, "superblock");
    if (fields.slice(8).mismatch(MemorySegment.ofArray(SIGNATURE)) != -1) {
      throw fields.fault("signature", "\\x89HDF\\r\\n\\x1a\\n", "other bytes");
    }
    int version = fields.u8();
    if (version < 2) {
      throw new UnsupportedFeatureException(
          "superblock version " + version + " (versions 2 and 3 are read)", where);
    }
    if (version > 3) {
      throw fields.fault("version", "2 or 3", version);
    }
    Widths widths = new Widths(fields.u8(), fields.u8());
    fields.skip(1);
    long base = widths.readDefinedAddress(fields, "base address");
    long extension = widths.readAddress(fields, "extension address");
    long end = widths.readDefinedAddress(fields, "end of file");
    long root = widths.readDefinedAddress(fields, "root address");
    int computed = Lookup3.checksum(whole.asSlice(0, fields.position()));
    Checksums.check(fields, computed);
    if (end < base) {
      throw fields.fault("end of file", "at least the base address " + base, end);
    }
    return new Superblock(version, widths, base, extension, end - base, root);
  }

  /** Appends the superblock, status flags 0. */
  public void encode(ByteWriter out) {
    int start = out.position();
    out.bytes(SIGNATURE).u8(version).u8(widths.offset()).u8(widths.length()).u8(0);
    widths.writeAddress(out, baseAddress);
    widths.writeAddress(out, extensionAddress);
    widths.writeAddress(out, endOfFile + baseAddress);
    widths.writeAddress(out, rootAddress);
    out.checksumFrom(start);
  }
}
