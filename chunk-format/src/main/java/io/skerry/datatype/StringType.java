package io.skerry.datatype;

/**
 * Text in a field of fixed size (class 3).
 *
 * @param size the size of the field in bytes
 * @param padding the padding of text that is shorter than the field
 * @param characterSet the character set of the text
 */
public record StringType(int size, StringPadding padding, CharacterSet characterSet)
    implements Datatype {
  /**
   * Creates a string type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size is below 1
   */
  public StringType {
    DatatypeChecks.size(size);
  }

  /**
   * Returns the type of UTF-8 text, padded with NULs. Local, thread-safe.
   *
   * @param size the size of the field in bytes, at least 1
   * @throws IllegalArgumentException if the size is below 1
   */
  public static StringType of(int size) {
    return new StringType(size, StringPadding.NULL_PADDED, CharacterSet.UTF8);
  }

  @Override
  public String toString() {
    return "string[" + size + "]";
  }
}
