package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import java.util.Optional;

/**
 * Fill value (0x0005): reads versions 1 to 3, writes 3.
 *
 * <pre>
 * v1, v2: version u8 | allocation time u8 | write time u8 | defined u8 [| size u32 | value]
 *         (v1 always has size and value, v2 if defined)
 * v3:     03 | flags u8: bits 0-1 allocation, 2-3 write time, 4 undefined, 5 value follows
 *         [| size u32 | value]
 * </pre>
 *
 * @param allocation when space is taken
 * @param writing when the value is written to space that was taken
 * @param state whether there is a value
 * @param value one element in the file's datatype; empty unless the state is {@code USER}
 */
public record FillValueMessage(Allocation allocation, Writing writing, State state, Bytes value)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x0005;

  /** When file space is taken, numbered as on disk. */
  public enum Allocation {
    /** Never seen in a message of the right size. */
    UNSPECIFIED,
    /** When the dataset is created. */
    EARLY,
    /** All of it at the first write. */
    LATE,
    /** Chunk by chunk as they are written. */
    INCREMENTAL
  }

  /** When the fill value is written, numbered as on disk. */
  public enum Writing {
    /** When space is taken. */
    ON_ALLOCATION,
    /** Never. */
    NEVER,
    /** When space is taken and the value was set by a user. */
    IF_SET
  }

  /** Whether there is a fill value. */
  public enum State {
    /** Elements never written have any value. */
    UNDEFINED,
    /** Zeros. */
    DEFAULT,
    /** The value in the message. */
    USER
  }

  /** The message of a chunked dataset without a value of its own: zeros, space chunk by chunk. */
  public static FillValueMessage zeros() {
    return new FillValueMessage(Allocation.INCREMENTAL, Writing.IF_SET, State.DEFAULT, Bytes.EMPTY);
  }

  /** The message of a chunked dataset with a value: one element in the file's datatype. */
  public static FillValueMessage of(Bytes value) {
    return new FillValueMessage(Allocation.INCREMENTAL, Writing.IF_SET, State.USER, value);
  }

  /** The value, if one was set. */
  public Optional<Bytes> userValue() {
    return state == State.USER ? Optional.of(value) : Optional.empty();
  }

  public static FillValueMessage decode(ByteReader in) {
    int version = in.u8();
    return switch (version) {
      case 1, 2 -> decodeOld(in, version);
      case 3 -> decodeFlags(in);
      default -> throw in.fault("fill value version", "1 to 3", version);
    };
  }

  private static FillValueMessage decodeOld(ByteReader in, int version) {
    Allocation allocation = allocation(in, in.u8());
    Writing writing = writing(in, in.u8());
    int defined = in.u8();
    if (version == 2 && defined == 0) {
      return new FillValueMessage(allocation, writing, State.UNDEFINED, Bytes.EMPTY);
    }
    // A negative size says "no value" in files of the versions that wrote it signed.
    int size = in.i32();
    if (size < 0) {
      return new FillValueMessage(allocation, writing, State.UNDEFINED, Bytes.EMPTY);
    }
    return new FillValueMessage(
        allocation, writing, size == 0 ? State.DEFAULT : State.USER, Bytes.of(in.slice(size)));
  }

  private static FillValueMessage decodeFlags(ByteReader in) {
    int flags = in.u8();
    Allocation allocation = allocation(in, flags & 3);
    Writing writing = writing(in, flags >> 2 & 3);
    boolean undefined = (flags & 0x10) != 0;
    boolean present = (flags & 0x20) != 0;
    if (flags > 0x3f || (undefined && present)) {
      throw in.fault(
          "fill value flags", "bits 0-5, not both 4 and 5", "0x" + Integer.toHexString(flags));
    }
    if (!present) {
      return new FillValueMessage(
          allocation, writing, undefined ? State.UNDEFINED : State.DEFAULT, Bytes.EMPTY);
    }
    return new FillValueMessage(allocation, writing, State.USER, Bytes.of(in.slice(in.u32())));
  }

  private static Allocation allocation(ByteReader in, int number) {
    if (number > 3) {
      throw in.fault("space allocation time", "0 to 3", number);
    }
    return Allocation.values()[number];
  }

  private static Writing writing(ByteReader in, int number) {
    if (number > 2) {
      throw in.fault("fill value write time", "0 to 2", number);
    }
    return Writing.values()[number];
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    int flags = allocation.ordinal() | writing.ordinal() << 2;
    switch (state) {
      case UNDEFINED -> out.u8(3).u8(flags | 0x10);
      case DEFAULT -> out.u8(3).u8(flags);
      case USER -> out.u8(3).u8(flags | 0x20).u32(value.size()).bytes(value.segment());
    }
  }

  @Override
  public void encodeEarliest(ByteWriter out, Widths widths) {
    out.u8(2).u8(allocation.ordinal()).u8(writing.ordinal()).u8(state == State.UNDEFINED ? 0 : 1);
    if (state != State.UNDEFINED) {
      out.u32(value.size()).bytes(value.segment());
    }
  }
}
