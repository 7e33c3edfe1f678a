package io.skerry.exception;

import io.skerry.chunk.text.PrintableText;
import java.util.List;
import java.util.Optional;

/**
 * Thrown if a file or a request needs something that Skerry does not support, such as a feature of
 * HDF5, a filter that is not installed, or a chunk that is too large. A damaged file causes a
 * {@link FormatException} instead.
 */
public final class UnsupportedFeatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String feature;
  private final String where;

  /** The name of the file; empty if unknown. A list, because an Optional is not serializable. */
  private final List<String> file;

  /**
   * Creates an exception without a file. Local, thread-safe; does not fail.
   *
   * @param feature the feature, as the format or the API calls it
   * @param where the object, message or request that uses the feature
   */
  public UnsupportedFeatureException(String feature, String where) {
    super(text(feature, where, Optional.empty()));
    this.feature = feature;
    this.where = where;
    this.file = List.of();
  }

  private UnsupportedFeatureException(UnsupportedFeatureException cause, Optional<String> file) {
    super(text(cause.feature, cause.where, file), cause);
    this.feature = cause.feature;
    this.where = cause.where;
    this.file = file.stream().toList();
  }

  private static String text(String feature, String where, Optional<String> file) {
    return PrintableText.text(
        "not supported: feature="
            + feature
            + " where="
            + where
            + file.map(f -> " file=" + f).orElse(""));
  }

  /**
   * Returns a copy of this exception that names the file. An exception that already names a file is
   * returned unchanged, because that name was added closer to the error. Local, thread-safe; does
   * not fail.
   */
  public UnsupportedFeatureException inFile(String name) {
    return file.isEmpty() ? with(Optional.of(name)) : this;
  }

  /**
   * Returns a copy of this exception, for callers that keep an exception and throw it repeatedly.
   * Local, thread-safe; does not fail.
   */
  public UnsupportedFeatureException again() {
    return with(file());
  }

  private UnsupportedFeatureException with(Optional<String> newFile) {
    UnsupportedFeatureException e = new UnsupportedFeatureException(this, newFile);
    e.setStackTrace(getStackTrace());
    return e;
  }

  /** Returns the feature, as the format or the API calls it. Local, thread-safe; does not fail. */
  public String feature() {
    return feature;
  }

  /**
   * Returns the object, message or request that uses the feature. Local, thread-safe; does not
   * fail.
   */
  public String where() {
    return where;
  }

  /** Returns the name of the file; empty if unknown. Local, thread-safe; does not fail. */
  public Optional<String> file() {
    return file.stream().findFirst();
  }
}
