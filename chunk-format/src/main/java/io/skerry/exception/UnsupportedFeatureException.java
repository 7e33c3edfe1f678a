package io.skerry.exception;

import io.skerry.chunk.text.PrintableText;
import java.util.Optional;

/** A file or a request uses something that is valid HDF5 but that Skerry does not do. */
public final class UnsupportedFeatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String feature;
  private final String where;
  private final transient Optional<String> file;

  /**
   * @param feature the feature, as the format or the API calls it
   * @param where the object, message or request that asks for it
   */
  public UnsupportedFeatureException(String feature, String where) {
    super(text(feature, where, Optional.empty()));
    this.feature = feature;
    this.where = where;
    this.file = Optional.empty();
  }

  private UnsupportedFeatureException(UnsupportedFeatureException cause, Optional<String> file) {
    super(text(cause.feature, cause.where, file), cause);
    this.feature = cause.feature;
    this.where = cause.where;
    this.file = file;
  }

  private static String text(String feature, String where, Optional<String> file) {
    return PrintableText.text(
        "not supported: feature="
            + feature
            + " where="
            + where
            + file.map(f -> " file=" + f).orElse(""));
  }

  /** The same complaint with the file named; a file named earlier, nearer the feature, stays. */
  public UnsupportedFeatureException inFile(String name) {
    return file.isPresent() ? this : with(Optional.of(name));
  }

  /** The same complaint as an exception of its own, for one that is kept and thrown again. */
  public UnsupportedFeatureException again() {
    return with(file);
  }

  private UnsupportedFeatureException with(Optional<String> newFile) {
    UnsupportedFeatureException e = new UnsupportedFeatureException(this, newFile);
    e.setStackTrace(getStackTrace());
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

  /** The file, if known. */
  public Optional<String> file() {
    return file;
  }
}
