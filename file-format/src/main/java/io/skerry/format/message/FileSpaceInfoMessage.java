package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The file space info message (0x0017) of a superblock extension, which describes how the HDF5
 * library allocates file space. O and L are the sizes of offsets and lengths. Source: HDF5 File
 * Format Specification 3.0, section IV.A.2.x, "The File Space Info Message".
 *
 * <pre>
 * version 1: 01 | strategy u8 | persistent u8 | threshold L | page size L | page end threshold u16
 *            | end of allocation O [| 12 free-space managers O, if persistent]
 * version 0: 00 | early strategy u8 | threshold L [| 6 free-space managers O, if early strategy 1]
 * </pre>
 *
 * <p>A message of version 0 is converted to version 1 when it is decoded; {@link #encode} always
 * writes version 1.
 *
 * @param strategy the allocation strategy
 * @param freeSpace the treatment of free space when the file is closed
 * @param threshold the size in bytes of the smallest free extent that is tracked
 * @param pageSize the size of a page in bytes, used by the strategy {@link Strategy#PAGES}
 * @param pageEndThreshold the size in bytes of the smallest tracked free extent at the end of a
 *     metadata page
 * @param endOfAllocation the address at which the library continues to allocate space, or undefined
 * @param managers the addresses of the free-space managers, each of which may be undefined: 12 if
 *     the free space is persistent, otherwise none
 */
public record FileSpaceInfoMessage(
    Strategy strategy,
    FreeSpace freeSpace,
    long threshold,
    long pageSize,
    int pageEndThreshold,
    long endOfAllocation,
    List<Long> managers)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x0017;

  private static final int MANAGERS = 12;
  private static final int EARLY_MANAGERS = 6;
  private static final long DEFAULT_PAGE_SIZE = 4096;

  /** The size of the largest page that the HDF5 library creates or reads: 1 GiB. */
  private static final long MOST_PAGE_SIZE = 1L << 30;

  /** Allocation strategies, numbered as on disk in version 1. */
  public enum Strategy {
    /** Allocates from tracked free space, then from blocks that are divided among small objects. */
    FREE_SPACE_MANAGERS,
    /** Allocates from pages that contain either metadata or raw data. */
    PAGES,
    /** Allocates from blocks that are divided among small objects. */
    AGGREGATION,
    /** Allocates only at the end of the file. */
    NONE
  }

  /** Treatments of free space when the file is closed. */
  public enum FreeSpace {
    /** The free space is not recorded. */
    DROPPED,
    /** The free space is stored in free-space managers, for use when the file is opened again. */
    PERSISTENT
  }

  public FileSpaceInfoMessage {
    managers = List.copyOf(managers);
  }

  public static FileSpaceInfoMessage decode(ByteReader in, Widths widths) {
    int version = in.u8();
    if (version > 1) {
      throw in.fault("file space info version", "0 or 1", version);
    }
    return version == 0 ? decodeEarly(in, widths) : decodeCurrent(in, widths);
  }

  private static FileSpaceInfoMessage decodeCurrent(ByteReader in, Widths widths) {
    int strategy = in.u8();
    if (strategy >= Strategy.values().length) {
      throw in.fault("file space strategy", "0 to 3", strategy);
    }
    FreeSpace freeSpace = in.u8() == 0 ? FreeSpace.DROPPED : FreeSpace.PERSISTENT;
    return new FileSpaceInfoMessage(
        Strategy.values()[strategy],
        freeSpace,
        readThreshold(in, widths),
        readPageSize(in, widths),
        in.u16(),
        widths.readAddress(in, "end of allocation"),
        readManagers(in, widths, freeSpace == FreeSpace.PERSISTENT ? MANAGERS : 0));
  }

  private static FileSpaceInfoMessage decodeEarly(ByteReader in, Widths widths) {
    int early = in.u8();
    Strategy strategy =
        switch (early) {
          case 1, 2 -> Strategy.FREE_SPACE_MANAGERS;
          case 3 -> Strategy.AGGREGATION;
          case 4 -> Strategy.NONE;
          default -> throw in.fault("early file space strategy", "1 to 4", early);
        };
    long threshold = readThreshold(in, widths);
    List<Long> managers = new ArrayList<>();
    if (early == 1) {
      managers.addAll(readManagers(in, widths, EARLY_MANAGERS));
      managers.addAll(Collections.nCopies(MANAGERS - EARLY_MANAGERS, FileAddress.UNDEFINED));
    }
    return new FileSpaceInfoMessage(
        strategy,
        early == 1 ? FreeSpace.PERSISTENT : FreeSpace.DROPPED,
        threshold,
        DEFAULT_PAGE_SIZE,
        0,
        FileAddress.UNDEFINED,
        managers);
  }

  private static long readPageSize(ByteReader in, Widths widths) {
    long size = widths.readLength(in, "size of a page");
    if (size < 1 || size > MOST_PAGE_SIZE) {
      throw in.fault("size of a page", "1 to " + MOST_PAGE_SIZE, size);
    }
    return size;
  }

  private static long readThreshold(ByteReader in, Widths widths) {
    return widths.readLength(in, "threshold of free space");
  }

  private static List<Long> readManagers(ByteReader in, Widths widths, int count) {
    List<Long> managers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      managers.add(widths.readAddress(in, "free-space manager"));
    }
    return managers;
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(1).u8(strategy.ordinal()).u8(freeSpace.ordinal());
    widths.writeLength(out, threshold);
    widths.writeLength(out, pageSize);
    out.u16(pageEndThreshold);
    widths.writeAddress(out, endOfAllocation);
    managers.forEach(manager -> widths.writeAddress(out, manager));
  }
}
