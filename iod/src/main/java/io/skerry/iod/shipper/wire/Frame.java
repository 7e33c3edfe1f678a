package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.object.Crc64;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The encoded form of a message: a head, fields, and a payload. A small payload follows the fields;
 * a large one, called bulk data, is a separate message of exactly its size, so that it is sent
 * directly from the memory of its owner and received directly into its destination. All numbers are
 * little-endian. A frame is never longer than {@link #LARGEST} bytes.
 *
 * <pre>
 * +0     +4    +5    +6    +7    +8        +16      +20    +24       +32       +40      +48
 * +------+-----+-----+-----+-----+---------+--------+------+---------+---------+--------+--------+
 * | mark | ver | kind|bulk |check| id      | fields | zero | payload | payload | frame  | fields,|
 * | u32  | u8  | u8  | u8  | u8  | u64     | u32    | u32  | u64     | crc u64 | crc u64| payload|
 * +------+-----+-----+-----+-----+---------+--------+------+---------+---------+--------+--------+
 *
 * mark     53 4b 52 59
 * ver      1
 * kind       1- 16  call of a client           {@link CallCodec}
 *           32- 40  result of a call           {@link ResultCodec}
 *           48      failure of a call          {@link Failure}
 *           64- 73  request to the leader      {@link RequestCodec}
 *           80- 84  reply of the leader        {@link RequestCodec}
 *           96-101  order of the leader        {@link OrderCodec}
 *          112-120  answer of a participant    {@link OrderCodec}
 *          128      client has left            i32 client
 *          129      all clients have left
 *          130      I/O rank has failed        {@link Failure}
 *          131      last message of a rank to itself
 *          132      client is given up         i32 client
 *          133      client has been given up   {@link Failure}
 * bulk     0: the payload follows the fields; 1: it is a message of its own
 * check    1: there are checksums; 0: there are none, and both are 0
 * id       the identifier of a call; 0 for other kinds
 * fields   the number of bytes of the fields
 * payload  the number of bytes of the payload; not 0 if it is bulk data
 * crc      {@link Crc64} of the payload, and of the head up to +40 followed by the fields
 * </pre>
 *
 * @param message the message
 * @param isBulk whether the payload is a separate message
 * @param payloadSize the size of the payload in bytes
 * @param payloadChecksum the checksum of the payload; 0 if there are no checksums
 * @param inline the payload if it follows the fields, a part of the decoded memory; otherwise empty
 */
public record Frame(
    Message message, boolean isBulk, long payloadSize, long payloadChecksum, MemorySegment inline) {
  /** The size of the largest frame in bytes. */
  public static final int LARGEST = 256 << 10;

  /** The size of the largest payload that may follow the fields, in bytes. */
  public static final int LARGEST_INLINE = 64 << 10;

  /** The size of the largest bulk data in bytes: a page with one value of the largest size. */
  public static final long LARGEST_BULK = Changes.LARGEST_VALUE + (64L << 20);

  private static final int HEAD = 48;
  private static final int MARK = 0x59524b53;
  private static final int VERSION = 1;
  private static final int FAILING = 48;
  private static final int LEAVING = 128;
  private static final int STOPPING = 129;
  private static final int RANK_FAILED = 130;
  private static final int ENDING = 131;
  private static final int LOSING = 132;
  private static final int GIVEN_UP = 133;
  private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * Encodes a message.
   *
   * @param payload the payload, empty if the message has none
   * @param inlineBytes the maximum size, in bytes, of a payload that is copied into the frame after
   *     the fields, at most {@link #LARGEST_INLINE}
   * @param transfer the checksums
   * @param memory allocates the memory of the frame
   * @return the frame; the payload is bulk data if it is larger than {@code inlineBytes}
   */
  public static MemorySegment encode(
      Message message,
      MemorySegment payload,
      int inlineBytes,
      Transfer transfer,
      SegmentAllocator memory) {
    FieldWriter to = new FieldWriter();
    int kind = writeFields(message, to);
    byte[] fields = to.toArray();
    long size = payload.byteSize();
    boolean bulk = size > inlineBytes;
    long end = HEAD + (long) fields.length;
    MemorySegment frame = memory.allocate(bulk ? end : end + size);
    frame.set(U32, 0, MARK);
    frame.set(U8, 4, (byte) VERSION);
    frame.set(U8, 5, (byte) kind);
    frame.set(U8, 6, (byte) (bulk ? 1 : 0));
    frame.set(U8, 7, (byte) transfer.ordinal());
    frame.set(U64, 8, id(message));
    frame.set(U32, 16, fields.length);
    frame.set(U32, 20, 0);
    frame.set(U64, 24, size);
    frame.set(U64, 32, transfer.checksum(payload));
    MemorySegment.copy(fields, 0, frame, U8, HEAD, fields.length);
    frame.set(U64, 40, checksum(frame, fields.length, transfer));
    if (!bulk) {
      frame.asSlice(end).copyFrom(payload);
    }
    return frame;
  }

  private static long checksum(MemorySegment frame, long fields, Transfer transfer) {
    return transfer == Transfer.CHECKED
        ? Crc64.update(Crc64.of(frame.asSlice(0, 40)), frame.asSlice(HEAD, fields))
        : 0;
  }

  private static long id(Message message) {
    return switch (message) {
      case Message.Calling calling -> calling.id();
      case Message.Returning returning -> returning.id();
      case Message.Failing failing -> failing.id();
      default -> 0;
    };
  }

  private static int writeFields(Message message, FieldWriter to) {
    return switch (message) {
      case Message.Calling calling -> CallCodec.write(calling.call(), to);
      case Message.Returning returning -> ResultCodec.write(returning.result(), to);
      case Message.Failing failing -> {
        failing.failure().write(to);
        yield FAILING;
      }
      case Message.Asking asking -> RequestCodec.write(asking.request(), to);
      case Message.Replying replying -> RequestCodec.write(replying, to);
      case Message.Ordering ordering -> OrderCodec.write(ordering.order(), to);
      case Message.Answering answering -> OrderCodec.write(answering.answer(), to);
      case Message.Leaving leaving -> {
        to.u32(leaving.client());
        yield LEAVING;
      }
      case Message.Losing losing -> {
        to.u32(losing.client());
        yield LOSING;
      }
      case Message.Stopping _ -> STOPPING;
      case Message.RankFailed failed -> {
        failed.failure().write(to);
        yield RANK_FAILED;
      }
      case Message.GivenUp given -> {
        given.failure().write(to);
        yield GIVEN_UP;
      }
      case Message.Ending _ -> ENDING;
    };
  }

  /**
   * Decodes a frame. Lengths are compared with the bytes that were received, and with the limits of
   * this class, before memory is allocated. The payload is not checked.
   *
   * @param frame the bytes that were received
   * @param transfer the checksums that the frame must have
   * @throws FormatException if the frame is damaged
   */
  public static Frame decode(MemorySegment frame, Transfer transfer) {
    long received = frame.byteSize();
    if (received < HEAD || received > LARGEST) {
      throw new FormatException("message: size", HEAD + " to " + LARGEST, received);
    }
    require("mark", MARK, frame.get(U32, 0));
    require("version", VERSION, frame.get(U8, 4));
    require("checksums", transfer.ordinal(), frame.get(U8, 7));
    long fields = Integer.toUnsignedLong(frame.get(U32, 16));
    require("zero", 0, frame.get(U32, 20));
    if (fields > received - HEAD) {
      throw new FormatException("message: size of the fields", received - HEAD, fields);
    }
    require("checksum", checksum(frame, fields, transfer), frame.get(U64, 40));
    long size = frame.get(U64, 24);
    int bulk = frame.get(U8, 6);
    long follows = received - HEAD - fields;
    switch (bulk) {
      case 0 -> require("size of the payload", follows, size);
      case 1 -> {
        require("bytes beside bulk data", 0, follows);
        if (size < 1 || size > LARGEST_BULK) {
          throw new FormatException("message: size of bulk data", "1 to " + LARGEST_BULK, size);
        }
      }
      default -> throw new FormatException("message: bulk", "0 or 1", bulk);
    }
    int kind = Byte.toUnsignedInt(frame.get(U8, 5));
    return new Frame(
        message(kind, frame.get(U64, 8), frame.asSlice(HEAD, fields)),
        bulk == 1,
        size,
        frame.get(U64, 32),
        frame.asSlice(HEAD + fields));
  }

  private static void require(String field, long expected, long actual) {
    if (expected != actual) {
      throw new FormatException(
          "message: " + field, Long.toHexString(expected), Long.toHexString(actual));
    }
  }

  private static Message message(int kind, long id, MemorySegment fields) {
    FieldReader from = new FieldReader(fields);
    Message message;
    try {
      message = message(kind, id, from);
    } catch (IllegalArgumentException e) {
      // The records of the engine validate their components.
      FormatException damaged =
          new FormatException("message: fields of kind " + kind, "valid", e.toString());
      damaged.addSuppressed(e);
      throw damaged;
    }
    from.requireEnd();
    return message;
  }

  private static Message message(int kind, long id, FieldReader from) {
    if (kind >= CallCodec.FIRST && kind <= CallCodec.LAST) {
      return new Message.Calling(id, CallCodec.read(kind, from));
    }
    if (kind >= ResultCodec.FIRST && kind <= ResultCodec.LAST) {
      return new Message.Returning(id, ResultCodec.read(kind, from));
    }
    if (kind >= RequestCodec.FIRST && kind <= RequestCodec.LAST) {
      return new Message.Asking(RequestCodec.read(kind, from));
    }
    if (kind >= RequestCodec.FIRST_REPLY && kind <= RequestCodec.LAST_REPLY) {
      return RequestCodec.readReply(kind, from);
    }
    if (kind >= OrderCodec.FIRST && kind <= OrderCodec.LAST) {
      return new Message.Ordering(OrderCodec.read(kind, from));
    }
    if (kind >= OrderCodec.FIRST_ANSWER && kind <= OrderCodec.LAST_ANSWER) {
      return new Message.Answering(OrderCodec.readAnswer(kind, from));
    }
    return switch (kind) {
      case FAILING -> new Message.Failing(id, Failure.read(from));
      case LEAVING -> new Message.Leaving(from.number("client"));
      case STOPPING -> new Message.Stopping();
      case RANK_FAILED -> new Message.RankFailed(Failure.read(from));
      case GIVEN_UP -> new Message.GivenUp(Failure.read(from));
      case ENDING -> new Message.Ending();
      case LOSING -> new Message.Losing(from.number("client"));
      default -> throw new FormatException("message: kind", "a known kind", kind);
    };
  }
}
