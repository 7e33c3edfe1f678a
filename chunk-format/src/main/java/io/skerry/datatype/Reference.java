package io.skerry.datatype;

/**
 * A reference to an object, a region or an attribute (class 7).
 *
 * @param size the size of an element in bytes
 * @param kind the kind and the encoding of the reference
 */
public record Reference(int size, Kind kind) implements Datatype {
  /**
   * The kind of the target and the encoding of a reference. The constants are in the order of their
   * codes in the file format.
   */
  public enum Kind {
    /** An object, identified by its address. */
    OBJECT,
    /** A region of a dataset; its description is stored in the global heap. */
    REGION,
    /** An object, in the encoding that HDF5 1.12 introduced. */
    OBJECT_2,
    /** A region of a dataset, in the encoding that HDF5 1.12 introduced. */
    REGION_2,
    /** An attribute, in the encoding that HDF5 1.12 introduced. */
    ATTRIBUTE;

    /**
     * Returns whether this is one of the encodings that HDF5 1.12 introduced. Local, thread-safe;
     * does not fail.
     */
    public boolean isNewStyle() {
      return compareTo(OBJECT_2) >= 0;
    }
  }

  /**
   * Creates a reference type. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the size is below 1
   */
  public Reference {
    DatatypeChecks.size(size);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case OBJECT, OBJECT_2 -> "ref:object";
      case REGION, REGION_2 -> "ref:region";
      case ATTRIBUTE -> "ref:attribute";
    };
  }
}
