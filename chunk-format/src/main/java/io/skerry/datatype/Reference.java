package io.skerry.datatype;

/**
 * A reference to an object, a region or an attribute (class 7).
 *
 * @param size bytes per element
 * @param kind what is referred to
 */
public record Reference(int size, Kind kind) implements Datatype {
  /** Kind of target of a reference, in the order of the format's numbers. */
  public enum Kind {
    /** An object, by its address. */
    OBJECT,
    /** A region of a dataset, by a place in the global heap. */
    REGION,
    /** An object, in the form of HDF5 1.12. */
    OBJECT_2,
    /** A region of a dataset, in the form of HDF5 1.12. */
    REGION_2,
    /** An attribute, in the form of HDF5 1.12. */
    ATTRIBUTE;

    /** Returns whether this is one of the forms that HDF5 1.12 introduced. */
    public boolean isNewStyle() {
      return compareTo(OBJECT_2) >= 0;
    }
  }

  /** Refuses an empty element. */
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
