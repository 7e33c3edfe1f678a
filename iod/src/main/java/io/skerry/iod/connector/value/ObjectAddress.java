package io.skerry.iod.connector.value;

import io.skerry.exception.FormatException;
import io.skerry.format.block.AddressMapping;
import io.skerry.format.block.Widths;
import io.skerry.iod.object.ObjectId;
import java.util.Optional;

/**
 * The addresses by which elements and users of a file refer to objects. An address is the
 * identifier of the object with bit 63 moved to bit 60, which is zero in every identifier: users
 * expect addresses from 0 to 2^63 - 1, as in HDF5 files. Only the identifiers of BLOBs, which are
 * committed datatypes, differ from their addresses. Local, thread-safe.
 */
public final class ObjectAddress {
  private static final long BLOB = 1L << 63;
  private static final long MOVED = 1L << 60;

  private static final AddressMapping MAPPING =
      new AddressMapping() {
        @Override
        public long map(long stored) {
          return moved(stored);
        }

        @Override
        public long end(long stored) {
          return moved(stored);
        }
      };

  /**
   * The widths of addresses in elements. They read both addresses and the identifiers of BLOBs,
   * which cells contain, as addresses.
   */
  static final Widths WIDTHS = new Widths(Long.BYTES, Long.BYTES, MAPPING);

  private ObjectAddress() {}

  private static long moved(long bits) {
    return (bits & BLOB) == 0 ? bits : bits & ~BLOB | MOVED;
  }

  /** Returns the address of an object. Does not fail. */
  public static long of(ObjectId id) {
    return moved(id.bits());
  }

  /** Returns the object at an address; empty if the number is not the address of an object. */
  public static Optional<ObjectId> find(long address) {
    try {
      return address < 0 ? Optional.empty() : Optional.of(decode(address));
    } catch (FormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the object at an address.
   *
   * @throws FormatException if the number is not the address of an object
   */
  public static ObjectId decode(long address) {
    long bits = (address & MOVED) == 0 ? address : address & ~MOVED | BLOB;
    return ObjectId.decode(bits, "address of an object");
  }
}
