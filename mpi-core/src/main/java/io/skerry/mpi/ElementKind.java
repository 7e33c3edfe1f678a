package io.skerry.mpi;

/** The element type of a reduction, in native byte order. */
public enum ElementKind {
  /** Unsigned bytes. */
  U8(1),
  /** Signed 32-bit integers. */
  I32(4),
  /** Signed 64-bit integers. */
  I64(8),
  /** IEEE 754 binary64 floating-point numbers. */
  F64(8);

  private final int bytes;

  ElementKind(int bytes) {
    this.bytes = bytes;
  }

  /** Returns the size of one element in bytes. Local, thread-safe; does not fail. */
  public int bytes() {
    return bytes;
  }

  /**
   * Returns whether a reduction is defined for these elements: bitwise reductions are not defined
   * for floating-point numbers. Local, thread-safe; does not fail.
   *
   * @param op the operation that combines elements
   */
  public boolean allows(Reduction op) {
    return switch (op) {
      case SUM, MIN, MAX -> true;
      case BIT_OR, BIT_AND -> this != F64;
    };
  }
}
