package io.skerry.mpi.internal.mpj;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * What a packet says; its bytes follow a header of fixed length.
 *
 * @param kind what it is for
 * @param context of which communicator
 * @param tag of the message
 * @param bytes how long the message is as a whole
 * @param id of the message at the rank that the packet goes to, or that offers it
 * @param answer where the receiver of an offer wants the pieces
 * @param offset of the piece in the message
 * @param content the bytes that follow
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

  /** What packets are for. */
  enum Kind {
    /** A short message as a whole. */
    MESSAGE,
    /** A long message is there to be fetched. */
    OFFER,
    /** Fetches a stretch of a long message. */
    FETCH,
    /** A part of what was fetched. */
    PIECE,
    /** A long message is not wanted: it does not fit. */
    REFUSE,
    /** The job ends now, with the tag as its exit code. */
    ABORT,
    /** To the left neighbour: this rank needs nothing more from anybody. */
    BYE,
    /** To the right neighbour, when that has said so. */
    STOP
  }

  private static final int HEADER = 3 * Integer.BYTES + 4 * Long.BYTES;

  /** The most that a packet carries. */
  static final int MOST = PacketLink.LONGEST - HEADER;

  private static final Kind[] KINDS = Kind.values();

  /** A packet without context or message. */
  static Packet signal(Kind kind, int value) {
    return new Packet(kind, 0, value, 0, 0, 0, 0, MemorySegment.NULL);
  }

  /** Writes it to the beginning of an array; how long it is. */
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
