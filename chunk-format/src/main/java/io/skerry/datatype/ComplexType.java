package io.skerry.datatype;

/**
 * A complex number (class 11): real part, then imaginary part, of the same type.
 *
 * @param part the type of each part
 */
public record ComplexType(FloatingPoint part) implements Datatype {
  /**
   * Creates a complex type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if an element has 2^31 bytes or more
   */
  public ComplexType {
    if (part.size() > Integer.MAX_VALUE / 2) {
      throw new IllegalArgumentException("complex number too large: part=" + part.size());
    }
  }

  /**
   * Returns the size of an element in bytes: twice the size of a part. Local, thread-safe; does not
   * fail.
   */
  @Override
  public int size() {
    return 2 * part.size();
  }

  @Override
  public String toString() {
    return "complex{" + part + "}";
  }
}
