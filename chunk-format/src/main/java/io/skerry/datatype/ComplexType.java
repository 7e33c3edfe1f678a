package io.skerry.datatype;

/**
 * A complex number (class 11): real part, then imaginary part, both of one type.
 *
 * @param part type of either part
 */
public record ComplexType(FloatingPoint part) implements Datatype {
  /** Refuses a number of 2^31 bytes or more. */
  public ComplexType {
    if (part.size() > Integer.MAX_VALUE / 2) {
      throw new IllegalArgumentException("complex number too large: part=" + part.size());
    }
  }

  @Override
  public int size() {
    return 2 * part.size();
  }

  @Override
  public String toString() {
    return "complex{" + part + "}";
  }
}
