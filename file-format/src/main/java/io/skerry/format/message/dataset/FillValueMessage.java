package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import java.util.Optional;

/**
 * The fill value message (0x0005). Reads versions 1 to 3. Writes version 3 or, in object headers of
 * version 1, version 2. Source: HDF5 File Format Specification 3.0, section IV.A.2.f, "The Data
 * Storage - Fill Value Message".
 *
 * <pre>
 * v1, v2: version u8 | allocation time u8 | write time u8 | defined u8 [| size u32 | value]
 *         (v1 always has size and value, v2 if defined)
 * v3:     03 | flags u8: bits 0-1 allocation, 2-3 write time, 4 undefined, 5 value follows
 *         [| size u32 | value]
 * </pre>
 *
 * @param allocation the time at which space is allocated
 * @param writing the time at which the fill value is written to allocated space
 * @param state the kind of fill value
 * @param value one element in the file datatype; empty unless the state is {@code USER}
 */
public record FillValueMessage(Allocation allocation, Writing writing, State state, Bytes value)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x0005;

  /** Space allocation time, numbered as on disk. */
  public enum Allocation {
    /** Not used in valid messages. */
    UNSPECIFIED,
    /** When the dataset is created. */
    EARLY,
    /** All space at the first write. */
    LATE,
    /** Each chunk when it is first written. */
    INCREMENTAL
  }

  /** Fill value write time, numbered as on disk. */
  public enum Writing {
    /** When space is allocated. */
    ON_ALLOCATION,
    /** Never. */
    NEVER,
    /** When space is allocated, if the user set the value. */
    IF_SET
  }

  /** Kinds of fill value. */
  public enum State {
    /** None: elements that were never written are undefined. */
    UNDEFINED,
    /** The default: all bytes zero. */
    DEFAULT,
    /** The value stored in the message, set by the user. */
    USER
  }

  /**
   * Returns the message for a chunked dataset with the default fill value and incremental
   * allocation.
   */
  public static FillValueMessage zeros() {
    return new FillValueMessage(Allocation.INCREMENTAL, Writing.IF_SET, State.DEFAULT, Bytes.EMPTY);
  }

  /**
   * Returns the message for a chunked dataset with incremental allocation and the given fill value.
   *
   * @param value one element in the file datatype
   */
  public static FillValueMessage of(Bytes value) {
    return new FillValueMessage(Allocation.INCREMENTAL, Writing.IF_SET, State.USER, value);
  }

  /** Returns the fill value that the user set; empty if there is none. */
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
    // A negative size means "undefined" in files written by HDF5 releases that stored the
    // size as a signed number.
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
