package io.skerry.iod.shipper.option;

import io.skerry.iod.engine.Durability;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.shipper.wire.Frame;
import io.skerry.iod.shipper.wire.Transfer;
import io.skerry.iod.transaction.Conflicts;

/**
 * The options of a shipper. All ranks pass the same options.
 *
 * @param ioRanks the number of I/O ranks, at least 1
 * @param kind the choice of the I/O ranks
 * @param protocol the way in which clients change the container
 * @param windowRequests the maximum number of calls to one I/O rank whose results a client may be
 *     awaiting, at least 1
 * @param windowBytes the maximum total size, in bytes, of the values of such calls, at least 1; a
 *     single value may be larger
 * @param inlineBytes the maximum size, in bytes, of a value that is sent within a message, 64 to
 *     {@link Frame#LARGEST_INLINE}; also the size of a batch of small changes
 * @param heldBytes the maximum number of bytes of bulk data that an I/O rank holds for its clients,
 *     at least 1; the limit applies separately to received and to sent data, and a single value may
 *     be larger
 * @param level the checksums; messages have checksums if {@link ChecksumLevel#isSent}
 * @param conflicts the treatment of places that several clients change in one transaction
 * @param durability the durability with which transactions are prepared
 */
public record ShipperOptions(
    int ioRanks,
    Placement.Kind kind,
    Protocol protocol,
    int windowRequests,
    long windowBytes,
    int inlineBytes,
    long heldBytes,
    ChecksumLevel level,
    Conflicts conflicts,
    Durability durability) {
  private static final int LEAST_INLINE = 64;

  /** One I/O rank, which also computes. */
  public static final ShipperOptions DEFAULT =
      new ShipperOptions(
          1,
          Placement.Kind.SHARED,
          Protocol.TRANSACTIONS,
          64,
          64 << 20,
          32 << 10,
          256 << 20,
          ChecksumLevel.TRANSFER,
          Conflicts.REFUSED,
          Durability.SYNCED);

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if one of them is out of range
   */
  public ShipperOptions {
    require("ioRanks", 1, Integer.MAX_VALUE, ioRanks);
    require("windowRequests", 1, Integer.MAX_VALUE, windowRequests);
    require("windowBytes", 1, Long.MAX_VALUE, windowBytes);
    require("inlineBytes", LEAST_INLINE, Frame.LARGEST_INLINE, inlineBytes);
    require("heldBytes", 1, Long.MAX_VALUE, heldBytes);
  }

  private static void require(String name, long least, long most, long actual) {
    if (actual < least || actual > most) {
      throw new IllegalArgumentException(
          "an option of the shipper: option="
              + name
              + " expected="
              + least
              + " to "
              + most
              + " actual="
              + actual);
    }
  }

  /** Returns these options with other I/O ranks. */
  public ShipperOptions with(int number, Placement.Kind choice) {
    return new ShipperOptions(
        number,
        choice,
        protocol,
        windowRequests,
        windowBytes,
        inlineBytes,
        heldBytes,
        level,
        conflicts,
        durability);
  }

  /** Returns these options with another protocol. */
  public ShipperOptions with(Protocol other) {
    return new ShipperOptions(
        ioRanks,
        kind,
        other,
        windowRequests,
        windowBytes,
        inlineBytes,
        heldBytes,
        level,
        conflicts,
        durability);
  }

  /** Returns these options with another window and other memory limits, see the components. */
  public ShipperOptions withLimits(int requests, long bytes, int inline, long held) {
    return new ShipperOptions(
        ioRanks, kind, protocol, requests, bytes, inline, held, level, conflicts, durability);
  }

  /** Returns these options with other checksums. */
  public ShipperOptions with(ChecksumLevel other) {
    return new ShipperOptions(
        ioRanks,
        kind,
        protocol,
        windowRequests,
        windowBytes,
        inlineBytes,
        heldBytes,
        other,
        conflicts,
        durability);
  }

  /** Returns these options with another treatment of conflicts and another durability. */
  public ShipperOptions with(Conflicts otherConflicts, Durability otherDurability) {
    return new ShipperOptions(
        ioRanks,
        kind,
        protocol,
        windowRequests,
        windowBytes,
        inlineBytes,
        heldBytes,
        level,
        otherConflicts,
        otherDurability);
  }

  /** Returns the checksums of messages. */
  public Transfer transfer() {
    return level.isSent() ? Transfer.CHECKED : Transfer.UNCHECKED;
  }
}
