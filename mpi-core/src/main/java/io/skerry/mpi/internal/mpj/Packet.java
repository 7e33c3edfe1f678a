package io.skerry.mpi.internal.mpj;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The content of a packet: a header of fixed length, followed by bytes of a message.
 *
 * @param kind the purpose of the packet
 * @param context the context of the communicator
 * @param tag the tag of the message
 * @param bytes the length of the complete message in bytes, in a message or an offer; otherwise 0
 * @param id the ID of the message at the receiver of the packet or, in an offer, at the sender
 * @param answer the ID under which the receiver of an offer expects the pieces
 * @param offset the offset in bytes of the piece, or of the range to fetch, in the message
 * @param content the bytes after the header
 */
record Packet(
    Kind kind,
    int context,
    int tag,
    long bytes,
    long id,
    long answer,
    long offset,
    MemorySegment content) {

  /** Purposes of packets. */
  enum Kind {
    /** A complete short message. */
    MESSAGE,
    /** Offers a long message for fetching. */
    OFFER,
    /** Fetches a range of a long message. */
    FETCH,
    /** A piece of a fetched range. */
    PIECE,
    /** Refuses a long message that does not fit into the buffer. */
    REFUSE,
    /** Ends the job; the tag is the exit code. */
    ABORT,
    /** Sent to the left neighbor: this rank needs no more packets, except BYE and STOP. */
    BYE,
    /** Sent to the right neighbor in reply to its BYE. */
    STOP
  }

  private static final int HEADER = 3 * Integer.BYTES + 4 * Long.BYTES;

  /** Maximum number of message bytes in a packet. */
  static final int MOST = PacketLink.LONGEST - HEADER;

  private static final Kind[] KINDS = Kind.values();

  /** Returns a packet that belongs to no message; {@code value} is stored as its tag. */
  static Packet signal(Kind kind, int value) {
    return new Packet(kind, 0, value, 0, 0, 0, 0, MemorySegment.NULL);
  }

  /** Writes the packet to the start of an array and returns its length. */
  int put(byte[] packet) {
    ByteBuffer.wrap(packet)
        .putInt(kind.ordinal())
        .putInt(context)
        .putInt(tag)
        .putLong(bytes)
        .putLong(id)
        .putLong(answer)
        .putLong(offset);
    MemorySegment.copy(content, 0, MemorySegment.ofArray(packet), HEADER, content.byteSize());
    return HEADER + (int) content.byteSize();
  }

  static Packet parse(byte[] packet) {
    var header = ByteBuffer.wrap(packet);
    return new Packet(
        KINDS[header.getInt()],
        header.getInt(),
        header.getInt(),
        header.getLong(),
        header.getLong(),
        header.getLong(),
        header.getLong(),
        MemorySegment.ofArray(packet).asSlice(HEADER));
  }
}
