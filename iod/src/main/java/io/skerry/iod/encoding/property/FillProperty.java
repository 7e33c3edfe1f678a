package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.iod.encoding.EncodedDatatype;

/**
 * The fill value of a dataset, and when space is allocated and filled. Immutable.
 *
 * <pre>
 *  0      1      2       10
 * +------+------+-------+-------+------------+------------------+
 * | alloc| fill | size  | value | size: bytes| encoded datatype |
 * | u8   | u8   | i64   |       | of the type|                  |
 * +------+------+-------+-------+------------+------------------+
 *
 * size: -1 undefined, 0 default; value and type follow only if it is positive
 * </pre>
 *
 * @param allocation the time at which space is allocated
 * @param filling the time at which allocated space is filled
 * @param value the value
 */
public record FillProperty(Allocation allocation, Filling filling, Value value) {
  private static final int UNDEFINED = -1;

  static final ValueCodec<FillProperty> CODEC =
      ValueCodec.of(FillProperty::decode, FillProperty::encode);

  /** The time of allocation. The constants are in the order of their codes. */
  public enum Allocation {
    /** As usual for the layout. */
    DEFAULT,
    /** When the dataset is created. */
    EARLY,
    /** All space at the first write. */
    LATE,
    /** Each chunk when it is first written. */
    INCREMENTAL
  }

  /** The time of filling. The constants are in the order of their codes. */
  public enum Filling {
    /** When space is allocated. */
    ON_ALLOCATION,
    /** Never. */
    NEVER,
    /** When space is allocated, if the value was set. */
    IF_SET
  }

  /** A fill value. Immutable. */
  public sealed interface Value {
    /** All bytes zero. */
    record Default() implements Value {}

    /** None, not even zeros. */
    record Undefined() implements Value {}

    /**
     * A value that was set.
     *
     * @param bytes one element; variable-length parts are addresses of the process that encoded the
     *     list and have no meaning
     * @param type the datatype of the element
     */
    record Given(Bytes bytes, Datatype type) implements Value {
      /**
       * Creates a value. Local, thread-safe.
       *
       * @throws IllegalArgumentException if there are no bytes, or their number differs from the
       *     size of the datatype and the datatype has no variable-length parts
       */
      public Given {
        if (!fits(bytes.size(), type)) {
          throw new IllegalArgumentException(
              "fill value of another size: bytes=" + bytes.size() + " type=" + type);
        }
      }

      private static boolean fits(int bytes, Datatype type) {
        return bytes == type.size() || bytes > 0 && !VariableLengthParts.of(type).isNone();
      }
    }
  }

  private static FillProperty decode(ByteReader in) {
    return new FillProperty(
        Scalars.choice(in, Allocation.values()), Scalars.choice(in, Filling.values()), value(in));
  }

  private static Value value(ByteReader in) {
    long size = in.i64();
    if (size == 0) {
      return new Value.Default();
    }
    if (size < 0) {
      in.expect("size of the fill value", UNDEFINED, size);
      return new Value.Undefined();
    }
    Bytes bytes = Bytes.of(in.slice(size));
    Datatype type =
        EncodedDatatype.decode(
            in.sub(Scalars.length(in), in.structure() + ": datatype of the fill value"));
    if (!Value.Given.fits(bytes.size(), type)) {
      throw in.fault("bytes of the fill value", type.size(), bytes.size());
    }
    return new Value.Given(bytes, type);
  }

  private static void encode(FillProperty fill, ByteWriter out) {
    out.u8(fill.allocation.ordinal()).u8(fill.filling.ordinal());
    switch (fill.value) {
      case Value.Default _ -> out.u64(0);
      case Value.Undefined _ -> out.u64(UNDEFINED);
      case Value.Given(Bytes bytes, Datatype type) -> {
        byte[] encoded = EncodedDatatype.encode(type);
        out.u64(bytes.size()).bytes(bytes.segment());
        Scalars.size(encoded.length, out);
        out.bytes(encoded);
      }
    }
  }
}
