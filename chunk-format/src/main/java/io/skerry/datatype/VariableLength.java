package io.skerry.datatype;

/**
 * A sequence or text of any length, kept in a heap; the element is its descriptor (class 9).
 *
 * @param size bytes of the descriptor, 16 in files with 8-byte addresses
 * @param kind sequence or text
 * @param base type of a member; for text one character
 * @param padding text only
 * @param characterSet text only
 */
public record VariableLength(
    int size, Kind kind, Datatype base, StringPadding padding, CharacterSet characterSet)
    implements Datatype {
  /** Bytes of a descriptor in a file whose addresses have 8 bytes. */
  public static final int FILE_SIZE = 16;

  /** Kind of content, in the order of the format's numbers. */
  public enum Kind {
    SEQUENCE,
    STRING
  }

  /** Refuses an empty descriptor. */
  public VariableLength {
    DatatypeChecks.size(size);
  }

  /** Sequences of the given type, as in a file. */
  public static VariableLength sequence(Datatype base) {
    return new VariableLength(
        FILE_SIZE, Kind.SEQUENCE, base, StringPadding.NULL_TERMINATED, CharacterSet.ASCII);
  }

  /** Text, as in a file. */
  public static VariableLength string(CharacterSet characterSet) {
    FixedPoint character = FixedPoint.of(1, Signedness.UNSIGNED, Endian.LITTLE);
    return new VariableLength(
        FILE_SIZE, Kind.STRING, character, StringPadding.NULL_TERMINATED, characterSet);
  }

  @Override
  public String toString() {
    return kind == Kind.STRING ? "vlstring" : "vlen{" + base + "}";
  }
}
