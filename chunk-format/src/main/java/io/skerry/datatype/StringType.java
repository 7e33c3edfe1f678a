package io.skerry.datatype;

/**
 * Text in a field of fixed size (class 3).
 *
 * @param size bytes of the field
 * @param padding how short text is filled up
 * @param characterSet how characters become bytes
 */
public record StringType(int size, StringPadding padding, CharacterSet characterSet)
    implements Datatype {
  /** Refuses an empty field. */
  public StringType {
    DatatypeChecks.size(size);
  }

  /** UTF-8 text, NUL-padded. */
  public static StringType of(int size) {
    return new StringType(size, StringPadding.NULL_PADDED, CharacterSet.UTF8);
  }

  @Override
  public String toString() {
    return "string[" + size + "]";
  }
}
