package io.skerry.exception;

import io.skerry.chunk.text.PrintableText;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Bytes that are not what the format demands. Says what was found and what was expected, and where:
 * the layer that knows the file, the address or the object adds it on the way up.
 */
public final class FormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String expected;
  private final String actual;
  private final transient Optional<String> file;
  private final transient OptionalLong address;
  private final transient Optional<String> object;

  /**
   * @param what what is wrong, a clause
   * @param expected what the format demands there
   * @param actual what was found
   */
  public FormatException(String what, Object expected, Object actual) {
    this(
        what,
        String.valueOf(expected),
        String.valueOf(actual),
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private FormatException(
      String what,
      String expected,
      String actual,
      Optional<String> file,
      OptionalLong address,
      Optional<String> object,
      Optional<Throwable> cause) {
    super(
        PrintableText.text(
            what
                + ": expected="
                + expected
                + " actual="
                + actual
                + object.map(o -> " object=" + o).orElse("")
                + (address.isPresent() ? " address=0x" + Long.toHexString(address.getAsLong()) : "")
                + file.map(f -> " file=" + f).orElse("")),
        cause.orElse(null));
    this.what = what;
    this.expected = expected;
    this.actual = actual;
    this.file = file;
    this.address = address;
    this.object = object;
  }

  /** The same complaint about a part of something, such as {@code section 1}. */
  public FormatException inPart(String part) {
    FormatException e =
        new FormatException(
            part + ": " + what, expected, actual, file, address, object, Optional.of(this));
    e.setStackTrace(getStackTrace());
    return e;
  }

  /** The same complaint with the file named; a file named earlier, nearer the fault, stays. */
  public FormatException inFile(String name) {
    return file.isPresent() ? this : with(Optional.of(name), address, object);
  }

  /** The same complaint with the address of the structure; one given earlier stays. */
  public FormatException atAddress(long where) {
    return address.isPresent() ? this : with(file, OptionalLong.of(where), object);
  }

  /** The same complaint with the object (path or structure) named; one named earlier stays. */
  public FormatException inObject(String name) {
    return object.isPresent() ? this : with(file, address, Optional.of(name));
  }

  /** The same complaint as an exception of its own, for one that is kept and thrown again. */
  public FormatException again() {
    return with(file, address, object);
  }

  private FormatException with(
      Optional<String> newFile, OptionalLong newAddress, Optional<String> newObject) {
    FormatException e =
        new FormatException(
            what, expected, actual, newFile, newAddress, newObject, Optional.of(this));
    e.setStackTrace(getStackTrace());
    return e;
  }

  /** What is wrong, without the place. */
  public String what() {
    return what;
  }

  /** What the format demands. */
  public String expected() {
    return expected;
  }

  /** What was found. */
  public String actual() {
    return actual;
  }

  /** The file, if known. */
  public Optional<String> file() {
    return file;
  }

  /** Byte address of the structure in the file, if known. */
  public OptionalLong address() {
    return address;
  }

  /** The object or structure, if known. */
  public Optional<String> object() {
    return object;
  }
}
