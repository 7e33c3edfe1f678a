package io.skerry.integration.random;

import io.skerry.format.FormatBounds;
import io.skerry.parallel.FileOptions;
import java.util.List;
import java.util.Set;

/**
 * A file format version, with the kinds of content that files of this version cannot have.
 *
 * @param name the name for messages and file names
 * @param options the options to create and open files
 * @param limits the kinds of content that such files cannot have
 * @param readers the versions of HDF5 that read such files
 */
public record FileForm(String name, FileOptions options, Set<Limit> limits, Set<String> readers) {

  /** A limit on the content of files. */
  public enum Limit {
    /** There is no datatype class for complex numbers. */
    NO_COMPLEX,
    /** Attributes are smaller than 64 KiB. */
    NO_LARGE_ATTRIBUTES
  }

  /** Copies the sets. */
  public FileForm {
    limits = Set.copyOf(limits);
    readers = Set.copyOf(readers);
  }

  /** Returns the form of files with standard options. */
  public static FileForm standard() {
    return new FileForm(
        "standard", base(), Set.of(Limit.NO_COMPLEX), Set.of("1.10.8", "1.14.6", "2.0.0"));
  }

  /** Returns the form of files with {@link FormatBounds#EARLIEST}. */
  public static FileForm earliest() {
    return new FileForm(
        "earliest",
        base().withBounds(FormatBounds.EARLIEST),
        Set.of(Limit.NO_COMPLEX, Limit.NO_LARGE_ATTRIBUTES),
        Set.of("1.10.8", "1.14.6", "2.0.0"));
  }

  /** Returns the form of files with {@link FormatBounds#V200}. */
  public static FileForm v200() {
    return new FileForm("v200", base().withBounds(FormatBounds.V200), Set.of(), Set.of("2.0.0"));
  }

  private static FileOptions base() {
    return FileOptions.standard().withWorkers(1);
  }

  /** Returns all forms. */
  public static List<FileForm> all() {
    return List.of(standard(), earliest(), v200());
  }

  /** Returns the form with the given name. */
  public static FileForm named(String name) {
    return all().stream()
        .filter(form -> form.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such form: name=" + name));
  }

  /** Returns whether a version of HDF5 reads such files. */
  public boolean isReadBy(String hdf5) {
    return readers.contains(hdf5);
  }

  boolean hasComplex() {
    return !limits.contains(Limit.NO_COMPLEX);
  }

  public boolean hasLargeAttributes() {
    return !limits.contains(Limit.NO_LARGE_ATTRIBUTES);
  }
}
