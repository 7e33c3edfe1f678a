package io.skerry.format.superblock;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * How the address space of a file is spread over several files. Superblocks 0 and 1 point to it as
 * a block; later ones have it as a message of their extension. Source: format specification,
 * "Driver Information Block", "Driver Information Message".
 *
 * <pre>
 * block:        00 | reserved 3 | bytes u32 | driver 8 characters | information
 *
 * "NCSAfami":   bytes of a member u64
 *
 * "NCSAmult":   map 6 x u8: which member holds superblock, B-trees, raw data, global heaps,
 *               local heaps, object headers; 0 means one of its own
 *               | reserved 2
 *               | for each member, in the order in which the map first names it:
 *                 address where it begins u64, its end of allocated space u64
 *               | for each member: name template, NUL, zeros to a multiple of 8
 * </pre>
 */
public sealed interface DriverInfo {
  /** Name of the family driver. */
  String FAMILY = "NCSAfami";

  /** Name of the multi driver, of which the split driver is a case. */
  String MULTI = "NCSAmult";

  /** Characters of a driver's name. */
  int NAME = 8;

  /**
   * Files of equal size, one after another.
   *
   * @param memberSize bytes of every member but the last, at least 1
   */
  record Family(long memberSize) implements DriverInfo {}

  /**
   * One file for each kind of content, each with a range of addresses of its own.
   *
   * @param members in the order of their first address, which is 0 for the first
   */
  record Multi(List<Member> members) implements DriverInfo {
    public Multi {
      members = List.copyOf(members);
    }
  }

  /**
   * Another driver, possibly one of somebody's own.
   *
   * @param driver its name
   * @param information what it wrote
   */
  record Other(String driver, Bytes information) implements DriverInfo {}

  /**
   * A file of a multi file.
   *
   * @param start its first address, unsigned
   * @param bytes allocated in it, unsigned
   * @param suffix what follows the common part of the names
   */
  record Member(long start, long bytes, String suffix) {}

  /** Reads the block; the cursor stands at its version. */
  static DriverInfo decodeBlock(ByteReader in) {
    in.expect("version of the driver information", 0, in.u8());
    in.skip(3);
    long bytes = in.u32();
    String driver = in.text(NAME);
    return decode(driver, in.slice(bytes));
  }

  /**
   * Reads what a driver wrote.
   *
   * @throws io.skerry.exception.FormatException if it is one of the known drivers, and damaged
   */
  static DriverInfo decode(String driver, MemorySegment information) {
    ByteReader in = ByteReader.of(information, "driver information");
    return switch (driver) {
      case FAMILY -> {
        long size = in.u63("member size");
        if (size == 0) {
          throw in.fault("member size", "at least 1", 0);
        }
        yield new Family(size);
      }
      case MULTI -> MultiDriverInfo.decode(in);
      default -> new Other(driver, Bytes.of(information));
    };
  }
}
