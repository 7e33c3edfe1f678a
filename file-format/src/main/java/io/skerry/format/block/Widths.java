package io.skerry.format.block;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;

/**
 * Bytes of an address ({@code O}) and of a length ({@code L}) in one file, as its superblock says.
 *
 * @param offset bytes of an address: 2, 4 or 8
 * @param length bytes of a length: 2, 4 or 8
 * @param places turns the addresses read into those of the {@link ByteSource}
 */
public record Widths(int offset, int length, AddressMapping places) {
  /** What this library writes, and nearly every file has. */
  public static final Widths EIGHT = new Widths(8, 8);

  public Widths {
    check("size of offsets", offset);
    check("size of lengths", length);
  }

  /** Addresses that are taken as they are stored. */
  public Widths(int offset, int length) {
    this(offset, length, AddressMapping.IDENTITY);
  }

  private static void check(String field, int width) {
    if (width != 2 && width != 4 && width != 8) {
      throw new FormatException(field, "2, 4 or 8", width);
    }
  }

  /**
   * The next address: {@link FileAddress#UNDEFINED} if all ones.
   *
   * @throws FormatException if its place is above 2^63 - 1
   */
  public long readAddress(ByteReader in, String field) {
    long value = in.uint(offset);
    return value == ones() ? FileAddress.UNDEFINED : placed(in, field, value, places.map(value));
  }

  /**
   * The next address, which is a value: nobody promises that it leads anywhere. One that no file
   * can have is given as {@link Long#MAX_VALUE}, where there is nothing either.
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
   * The end of the file, as the superblock has it.
   *
   * @throws FormatException if it is undefined or above 2^63 - 1
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
   * The next address, which must be defined.
   *
   * @throws FormatException if it is not
   */
  public long readDefinedAddress(ByteReader in, String field) {
    long address = readAddress(in, field);
    if (!FileAddress.isDefined(address)) {
      throw in.fault(field, "a defined address", "undefined");
    }
    return address;
  }

  /**
   * The next length.
   *
   * @throws FormatException if above 2^63 - 1
   */
  public long readLength(ByteReader in, String field) {
    long value = in.uint(length);
    if (value < 0) {
      throw in.fault(field, "at most 2^63-1", Long.toUnsignedString(value));
    }
    return value;
  }

  /** Appends an address, all ones if undefined. */
  public void writeAddress(ByteWriter out, long address) {
    out.uint(address, offset);
  }

  /** Appends a length. */
  public void writeLength(ByteWriter out, long value) {
    out.uint(value, length);
  }
}
