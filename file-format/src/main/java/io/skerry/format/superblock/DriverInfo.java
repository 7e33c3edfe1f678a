package io.skerry.format.superblock;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Driver information: the distribution of one address space over several files. Superblocks 0 and 1
 * refer to a driver information block; later versions have a message in the superblock extension.
 * Source: HDF5 File Format Specification 3.0, section II.B, "File Driver Info", and section
 * IV.A.2.u, "The Driver Info Message".
 *
 * <pre>
 * block:        00 | reserved 3 | bytes u32 | driver 8 characters | information
 *
 * "NCSAfami":   size of a member in bytes u64
 *
 * "NCSAmult":   map 6 x u8: member that contains superblock, B-trees, raw data, global heaps,
 *               local heaps, object headers; 0 means a separate member
 *               | reserved 2
 *               | for each member, in order of first appearance in the map:
 *                 first address u64, end of its allocated space u64
 *               | for each member: name template, NUL, zeros to a multiple of 8
 * </pre>
 */
public sealed interface DriverInfo {
  /** Driver name of the family driver. */
  String FAMILY = "NCSAfami";

  /** Driver name of the multi driver, which the split driver also uses. */
  String MULTI = "NCSAmult";

  /** Length of a driver name in characters. */
  int NAME = 8;

  /**
   * A family: a sequence of files that form one address space; all files except the last have the
   * same size.
   *
   * @param memberSize the size in bytes of every member except the last, at least 1
   */
  record Family(long memberSize) implements DriverInfo {}

  /**
   * A multi file: several files, each of which stores one or more kinds of content and has its own
   * range of addresses.
   *
   * @param members the files in ascending order of their first addresses, starting with address 0
   */
  record Multi(List<Member> members) implements DriverInfo {
    public Multi {
      members = List.copyOf(members);
    }
  }

  /**
   * Any other driver, including user-defined ones.
   *
   * @param driver the driver name
   * @param information the bytes that the driver stored
   */
  record Other(String driver, Bytes information) implements DriverInfo {}

  /**
   * One file of a multi file.
   *
   * @param start the first address of the file, unsigned
   * @param bytes the number of bytes allocated in the file, unsigned
   * @param suffix the part of the file name after the prefix that all members share
   */
  record Member(long start, long bytes, String suffix) {}

  /** Decodes a driver information block, starting at its version. */
  static DriverInfo decodeBlock(ByteReader in) {
    in.expect("version of the driver information", 0, in.u8());
    in.skip(3);
    long bytes = in.u32();
    String driver = in.text(NAME);
    return decode(driver, in.slice(bytes));
  }

  /**
   * Decodes the information of the given driver.
   *
   * @throws io.skerry.exception.FormatException if the driver is known and its information is
   *     damaged
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
