package io.skerry.jobs.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a number of bytes: digits, followed by an optional unit K, M or G in upper or lower case.
 * The units are powers of 1024.
 */
final class ByteSize implements ITypeConverter<Long> {
  private static final String UNITS = "KMG";

  /**
   * Returns the number of bytes.
   *
   * @throws TypeConversionException if the text is not a number of bytes, or if the number does not
   *     fit into a {@code long}
   */
  @Override
  public Long convert(String text) {
    int unit =
        text.isEmpty() ? -1 : UNITS.indexOf(Character.toUpperCase(text.charAt(text.length() - 1)));
    String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
    try {
      long number = Long.parseLong(digits);
      if (number >= 0) {
        return Math.multiplyExact(number, 1L << 10 * (unit + 1));
      }
    } catch (NumberFormatException | ArithmeticException e) {
      // The exception below rejects this text, as it does a negative number.
    }
    throw new TypeConversionException(
        "'" + text + "' is not a number of bytes such as 65536, 64K, 16M or 1G");
  }
}
