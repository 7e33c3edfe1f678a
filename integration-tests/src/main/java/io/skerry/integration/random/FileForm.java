package io.skerry.integration.random;

import io.skerry.format.FormatBounds;
import io.skerry.parallel.FileOptions;
import java.util.List;
import java.util.Set;

/**
 * What files are written as, and what such files cannot hold.
 *
 * @param name for people and file names
 * @param options to create and to open them with
 * @param limits what is left out
 * @param readers versions of HDF5 that read such files
 */
public record FileForm(String name, FileOptions options, Set<Limit> limits, Set<String> readers) {

  /** Something that files of some form cannot have. */
  public enum Limit {
    /** Complex numbers as a class of their own. */
    NO_COMPLEX,
    /** Attributes above 64 KiB. */
    NO_LARGE_ATTRIBUTES
  }

  /** Copies the sets. */
  public FileForm {
    limits = Set.copyOf(limits);
    readers = Set.copyOf(readers);
  }

  /** The form that files have where nothing is said. */
  public static FileForm standard() {
    return new FileForm(
        "standard", base(), Set.of(Limit.NO_COMPLEX), Set.of("1.10.8", "1.14.6", "2.0.0"));
  }

  /** {@link FormatBounds#EARLIEST}. */
  public static FileForm earliest() {
    return new FileForm(
        "earliest",
        base().withBounds(FormatBounds.EARLIEST),
        Set.of(Limit.NO_COMPLEX, Limit.NO_LARGE_ATTRIBUTES),
        Set.of("1.10.8", "1.14.6", "2.0.0"));
  }

  /** {@link FormatBounds#V200}. */
  public static FileForm v200() {
    return new FileForm("v200", base().withBounds(FormatBounds.V200), Set.of(), Set.of("2.0.0"));
  }

  private static FileOptions base() {
    return FileOptions.standard().withWorkers(1);
  }

  /** All forms. */
  public static List<FileForm> all() {
    return List.of(standard(), earliest(), v200());
  }

  /** The form of that name. */
  public static FileForm named(String name) {
    return all().stream()
        .filter(form -> form.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such form: name=" + name));
  }

  /** Returns whether that version of HDF5 reads such files. */
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
