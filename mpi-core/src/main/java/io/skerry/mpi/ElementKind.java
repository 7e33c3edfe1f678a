package io.skerry.mpi;

/** What the bytes of a reduction are; native byte order. */
public enum ElementKind {
  /** Unsigned bytes. */
  U8(1),
  /** Signed 32-bit integers. */
  I32(4),
  /** Signed 64-bit integers. */
  I64(8),
  /** IEEE binary64. */
  F64(8);

  private final int bytes;

  ElementKind(int bytes) {
    this.bytes = bytes;
  }

  /** The bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** Whether the reduction has a meaning here: bits of floating-point numbers have none. */
  public boolean allows(Reduction op) {
    return switch (op) {
      case SUM, MIN, MAX -> true;
      case BIT_OR, BIT_AND -> this != F64;
    };
  }
}
