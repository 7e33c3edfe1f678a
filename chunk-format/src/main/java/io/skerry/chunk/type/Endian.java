package io.skerry.chunk.type;

/** Order of the bytes of a number. */
public enum Endian {
  LITTLE,
  BIG,
  /** Middle-endian words of old VAX floating point; described but not converted. */
  VAX;

  /** What a short type name ends with. */
  String suffix() {
    return switch (this) {
      case LITTLE -> "";
      case BIG -> "be";
      case VAX -> "vax";
    };
  }
}
