package io.skerry.format.block;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;

/**
 * Sizes of addresses ({@code O}) and lengths ({@code L}) in one file, as stored in its superblock.
 *
 * @param offset the size of an address in bytes: 2, 4 or 8
 * @param length the size of a length in bytes: 2, 4 or 8
 * @param places the mapping from stored addresses to those of the {@link ByteSource}
 */
public record Widths(int offset, int length, AddressMapping places) {
  /**
   * Addresses and lengths of 8 bytes, as in every file that this library creates and in nearly
   * every other file.
   */
  public static final Widths EIGHT = new Widths(8, 8);

  public Widths {
    check("size of offsets", offset);
    check("size of lengths", length);
  }

  /** Creates widths without a mapping of addresses. */
  public Widths(int offset, int length) {
    this(offset, length, AddressMapping.IDENTITY);
  }

  private static void check(String field, int width) {
    if (width != 2 && width != 4 && width != 8) {
      throw new FormatException(field, "2, 4 or 8", width);
    }
  }

  /**
   * Reads an address; {@link FileAddress#UNDEFINED} if all its bits are set.
   *
   * @throws FormatException if the address cannot be mapped to an address from 0 to 2^63 - 1
   */
  public long readAddress(ByteReader in, String field) {
    long value = in.uint(offset);
    return value == ones() ? FileAddress.UNDEFINED : placed(in, field, value, places.map(value));
  }

  /**
   * Reads an address that is part of an element and may therefore be invalid. An address that no
   * file can have is returned as {@link Long#MAX_VALUE}, where no file has data.
   */
  public long readReference(ByteReader in) {
    long value = in.uint(offset);
    if (value == ones()) {
      return FileAddress.UNDEFINED;
    }
    long place = places.map(value);
    return place < 0 ? Long.MAX_VALUE : place;
  }

  /**
   * Reads the end of file from the superblock.
   *
   * @throws FormatException if it is undefined or cannot be mapped to an address from 0 to 2^63 - 1
   */
  public long readEnd(ByteReader in) {
    long value = in.uint(offset);
    if (value == ones()) {
      throw in.fault("end of file", "a defined address", "undefined");
    }
    return placed(in, "end of file", value, places.end(value));
  }

  private long ones() {
    return offset == 8 ? -1 : (1L << (8 * offset)) - 1;
  }

  private static long placed(ByteReader in, String field, long stored, long place) {
    if (place < 0) {
      throw in.fault(field, "an address below 2^63", Long.toUnsignedString(stored));
    }
    return place;
  }

  /**
   * Reads an address that must be defined.
   *
   * @throws FormatException if it is undefined or cannot be mapped to an address from 0 to 2^63 - 1
   */
  public long readDefinedAddress(ByteReader in, String field) {
    long address = readAddress(in, field);
    if (!FileAddress.isDefined(address)) {
      throw in.fault(field, "a defined address", "undefined");
    }
    return address;
  }

  /**
   * Reads a length.
   *
   * @throws FormatException if it exceeds 2^63 - 1
   */
  public long readLength(ByteReader in, String field) {
    long value = in.uint(length);
    if (value < 0) {
      throw in.fault(field, "at most 2^63-1", Long.toUnsignedString(value));
    }
    return value;
  }

  /** Appends an address; all bits set if undefined. */
  public void writeAddress(ByteWriter out, long address) {
    out.uint(address, offset);
  }

  /**
   * Appends a length.
   *
   * @param value the length, or -1 for a field with all bits set
   * @throws UnsupportedFeatureException if the lengths of the file are too narrow for the value
   */
  public void writeLength(ByteWriter out, long value) {
    if (length < Long.BYTES && value != -1 && value >= (1L << 8 * length) - 1) {
      throw new UnsupportedFeatureException(
          "a length of " + value, "a file with lengths of " + length + " bytes");
    }
    out.uint(value, length);
  }
}
