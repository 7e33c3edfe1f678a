package io.skerry;

/**
 * Something wrong in a file.
 *
 * @param address of the structure, from the base address of the file
 * @param structure what stands there, such as {@code object header} or {@code chunk [0, 3]}
 * @param path of the object that it belongs to; {@code /} for what belongs to the whole file
 * @param what what is wrong, a clause
 * @param expected what the format demands
 * @param actual what was found
 */
public record Finding(
    long address, String structure, String path, String what, String expected, String actual) {

  /** One line. */
  @Override
  public String toString() {
    return "0x%x  %s  %s  %s: expected=%s actual=%s"
        .formatted(address, structure, path, what, expected, actual);
  }
}
