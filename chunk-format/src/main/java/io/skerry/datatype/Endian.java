package io.skerry.datatype;

/** Order of the bytes of a number. */
public enum Endian {
  LITTLE,
  BIG,
  /** Two-byte words of old VAX floating point: the most significant first, each little-endian. */
  VAX;

  /** Suffix of a short type name. */
  String suffix() {
    return switch (this) {
      case LITTLE -> "";
      case BIG -> "be";
      case VAX -> "vax";
    };
  }
}
