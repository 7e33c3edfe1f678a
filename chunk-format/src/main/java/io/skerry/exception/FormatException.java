package io.skerry.exception;

import io.skerry.chunk.text.PrintableText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Thrown if bytes violate the file format. The message states the value that the format requires
 * and the value found. While the exception propagates, each layer adds the part of the location
 * that it knows: the file, the address or the object.
 */
public final class FormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String expected;
  private final String actual;

  /**
   * The name of the file; empty if unknown. The parts of the location are lists because an Optional
   * is not serializable.
   */
  private final List<String> file;

  private final List<Long> address;
  private final List<String> object;

  /**
   * Creates an exception without a location. Local, thread-safe; does not fail.
   *
   * @param what a short description of the error, without values
   * @param expected the value that the format requires
   * @param actual the value that was found
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
    this.file = file.stream().toList();
    this.address = address.stream().boxed().toList();
    this.object = object.stream().toList();
  }

  /**
   * Returns a copy of this exception whose message starts with the name of a part of the structure,
   * such as {@code section 1}. Local, thread-safe; does not fail.
   *
   * @param part the name of the part
   */
  public FormatException inPart(String part) {
    FormatException e =
        new FormatException(
            part + ": " + what, expected, actual, file(), address(), object(), Optional.of(this));
    e.setStackTrace(getStackTrace());
    return e;
  }

  /**
   * Returns a copy of this exception that names the file. An exception that already names a file is
   * returned unchanged, because that name was added closer to the error. Local, thread-safe; does
   * not fail.
   */
  public FormatException inFile(String name) {
    return file.isEmpty() ? with(Optional.of(name), address(), object()) : this;
  }

  /**
   * Returns a copy of this exception with the address of the structure, in bytes. An exception that
   * already has an address is returned unchanged. Local, thread-safe; does not fail.
   */
  public FormatException atAddress(long where) {
    return address.isEmpty() ? with(file(), OptionalLong.of(where), object()) : this;
  }

  /**
   * Returns a copy of this exception that names the object or structure, for example by its path.
   * An exception that already names an object is returned unchanged. Local, thread-safe; does not
   * fail.
   */
  public FormatException inObject(String name) {
    return object.isEmpty() ? with(file(), address(), Optional.of(name)) : this;
  }

  /**
   * Returns a copy of this exception, for callers that keep an exception and throw it repeatedly.
   * Local, thread-safe; does not fail.
   */
  public FormatException again() {
    return with(file(), address(), object());
  }

  private FormatException with(
      Optional<String> newFile, OptionalLong newAddress, Optional<String> newObject) {
    FormatException e =
        new FormatException(
            what, expected, actual, newFile, newAddress, newObject, Optional.of(this));
    e.setStackTrace(getStackTrace());
    return e;
  }

  /**
   * Returns the description of the error, without its location. Local, thread-safe; does not fail.
   */
  public String what() {
    return what;
  }

  /** Returns the value that the format requires. Local, thread-safe; does not fail. */
  public String expected() {
    return expected;
  }

  /** Returns the value that was found. Local, thread-safe; does not fail. */
  public String actual() {
    return actual;
  }

  /** Returns the name of the file; empty if unknown. Local, thread-safe; does not fail. */
  public Optional<String> file() {
    return file.stream().findFirst();
  }

  /**
   * Returns the address of the structure in the file, in bytes; empty if unknown. Local,
   * thread-safe; does not fail.
   */
  public OptionalLong address() {
    return address.stream().mapToLong(Long::longValue).findFirst();
  }

  /**
   * Returns the name of the object or structure; empty if unknown. Local, thread-safe; does not
   * fail.
   */
  public Optional<String> object() {
    return object.stream().findFirst();
  }
}
