package io.skerry.chunk;

/** A file or a request uses something that is valid HDF5 but that Skerry does not do. */
public final class UnsupportedFeatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String feature;
  private final String where;

  /**
   * @param feature the feature, as the format or the API calls it
   * @param where the object, message or request that asks for it
   */
  public UnsupportedFeatureException(String feature, String where) {
    super(Printable.text("not supported: feature=" + feature + " where=" + where));
    this.feature = feature;
    this.where = where;
  }

  /** The same complaint as an exception of its own, for one that is kept and thrown again. */
  public UnsupportedFeatureException again() {
    UnsupportedFeatureException e = new UnsupportedFeatureException(feature, where);
    e.initCause(this);
    return e;
  }

  /** The feature, as the format or the API calls it. */
  public String feature() {
    return feature;
  }

  /** The object, message or request that asks for it. */
  public String where() {
    return where;
  }
}
