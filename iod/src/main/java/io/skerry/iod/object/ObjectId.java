package io.skerry.iod.object;

import io.skerry.exception.FormatException;

/**
 * The identifier of an object. Immutable; ordered as unsigned integers. All methods are local and
 * thread-safe.
 *
 * <pre>
 *  63 62   61      60     59       58                              0
 * +------+-------+------+--------+-----------------------------------+
 * | type | owner | zero | spread | number                            |
 * +------+-------+------+--------+-----------------------------------+
 *
 * type    0 KV, 1 ARRAY, 2 BLOB
 * owner   1 application; 0 is not used
 * spread  1 if the pairs of a key-value object are spread by their keys
 * stored  8 bytes, least significant first; all ones: no object
 * </pre>
 *
 * @param bits the identifier as an unsigned integer
 */
public record ObjectId(long bits) implements Comparable<ObjectId> {
  /** The stored form of "no object", which is not an identifier. */
  public static final long INVALID = -1;

  /** The largest object number. */
  public static final long LARGEST_NUMBER = (1L << 59) - 1;

  private static final int TYPE_SHIFT = 62;
  private static final long APPLICATION = 1L << 61;
  private static final long RESERVED = 1L << 60;
  private static final long SPREAD = 1L << 59;

  /** The identifier of the root group. */
  public static final ObjectId ROOT = of(ObjectType.KV, 0);

  /**
   * Checks the bits.
   *
   * @throws IllegalArgumentException if the bits are not those of an identifier
   */
  public ObjectId {
    if (!isValid(bits)) {
      throw new IllegalArgumentException("not the identifier of an object: actual=" + hex(bits));
    }
  }

  private static boolean isValid(long bits) {
    int type = (int) (bits >>> TYPE_SHIFT);
    return type < ObjectType.values().length
        && (bits & APPLICATION) != 0
        && (bits & RESERVED) == 0
        && ((bits & SPREAD) == 0 || type == ObjectType.KV.ordinal());
  }

  /**
   * Returns the identifier of an object whose pairs are not spread.
   *
   * @throws IllegalArgumentException if the number is negative or above {@link #LARGEST_NUMBER}
   */
  public static ObjectId of(ObjectType type, long number) {
    if (number < 0 || number > LARGEST_NUMBER) {
      throw new IllegalArgumentException(
          "number of an object: expected=0 to 2^59-1 actual=" + number);
    }
    return new ObjectId((long) type.ordinal() << TYPE_SHIFT | APPLICATION | number);
  }

  /**
   * Returns the identifier of a key-value object.
   *
   * @throws IllegalArgumentException if the number is negative or above {@link #LARGEST_NUMBER}
   */
  public static ObjectId ofPairs(KeyPlacement placement, long number) {
    long plain = of(ObjectType.KV, number).bits;
    return new ObjectId(
        switch (placement) {
          case TOGETHER -> plain;
          case SPREAD -> plain | SPREAD;
        });
  }

  /**
   * Returns a stored identifier.
   *
   * @param bits the stored bits
   * @param field the name of the field that holds them, for the error message
   * @throws FormatException if the bits are not those of an identifier
   */
  public static ObjectId decode(long bits, String field) {
    if (!isValid(bits)) {
      throw new FormatException(field, "the identifier of an object", hex(bits));
    }
    return new ObjectId(bits);
  }

  /**
   * Returns a stored identifier of an object of the given type.
   *
   * @throws FormatException if the bits are not those of an identifier of the type
   */
  public static ObjectId decode(long bits, ObjectType type, String field) {
    ObjectId id = decode(bits, field);
    if (id.type() != type) {
      throw new FormatException(field, "an object of type " + type, id);
    }
    return id;
  }

  /** Returns the type. Local, thread-safe; does not fail. */
  public ObjectType type() {
    return ObjectType.values()[(int) (bits >>> TYPE_SHIFT)];
  }

  /** Returns the number, 0 to {@link #LARGEST_NUMBER}. Local, thread-safe; does not fail. */
  public long number() {
    return bits & LARGEST_NUMBER;
  }

  /** Returns the placement of pairs. Local, thread-safe; does not fail. */
  public KeyPlacement keyPlacement() {
    return (bits & SPREAD) == 0 ? KeyPlacement.TOGETHER : KeyPlacement.SPREAD;
  }

  /** Compares the bits as unsigned integers. */
  @Override
  public int compareTo(ObjectId other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  /** Returns the type and 16 hexadecimal digits, as in {@code KV 2000000000000000}. */
  @Override
  public String toString() {
    return type() + " " + hex(bits);
  }

  private static String hex(long bits) {
    return String.format("%016x", bits);
  }
}
