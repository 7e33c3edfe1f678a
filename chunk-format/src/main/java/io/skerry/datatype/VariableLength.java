package io.skerry.datatype;

/**
 * A sequence or text of variable length (class 9). The content is stored in a heap; the element is
 * a descriptor that refers to the content.
 *
 * @param size the size of the descriptor in bytes, 16 in files with 8-byte addresses
 * @param kind the kind of content: sequence or text
 * @param base the type of an element of the sequence; for text, the type of one character
 * @param padding the padding of text; unused for sequences
 * @param characterSet the character set of text; unused for sequences
 */
public record VariableLength(
    int size, Kind kind, Datatype base, StringPadding padding, CharacterSet characterSet)
    implements Datatype {
  /** The size of a descriptor, in bytes, in a file with 8-byte addresses. */
  public static final int FILE_SIZE = 16;

  /** The kind of content. The constants are in the order of their codes in the file format. */
  public enum Kind {
    SEQUENCE,
    STRING
  }

  /**
   * Creates a variable-length type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size is below 1
   */
  public VariableLength {
    DatatypeChecks.size(size);
  }

  /**
   * Returns the type of sequences of the given base type. The size of the descriptor is {@link
   * #FILE_SIZE}. Local, thread-safe; does not fail.
   */
  public static VariableLength sequence(Datatype base) {
    return new VariableLength(
        FILE_SIZE, Kind.SEQUENCE, base, StringPadding.NULL_TERMINATED, CharacterSet.ASCII);
  }

  /**
   * Returns the type of variable-length text. The size of the descriptor is {@link #FILE_SIZE}.
   * Local, thread-safe; does not fail.
   */
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
