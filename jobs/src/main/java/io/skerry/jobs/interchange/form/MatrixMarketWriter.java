package io.skerry.jobs.interchange.form;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Writes a matrix as Matrix Market coordinate text, row by row.
 *
 * <pre>
 *   %%MatrixMarket matrix coordinate real general
 *   % type f32 fill 00000000
 *   rows columns elements
 *   row column value            counted from 1
 * </pre>
 *
 * <p>{@link MatrixMarketSource} reads the datatype and the fill value from the comment; other
 * programs ignore it. The field of unsigned 64-bit integers is {@code unsigned-integer}, as in
 * scipy.
 *
 * <p>Source: Boisvert, Pozo and Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996.
 */
public final class MatrixMarketWriter {
  static final String BANNER = "%%MatrixMarket matrix coordinate ";
  static final String COMMENT = "% type ";
  static final String FILL = " fill ";

  private MatrixMarketWriter() {}

  /**
   * Writes a matrix to a file.
   *
   * @return the number of elements written
   * @throws io.skerry.exception.UnsupportedFeatureException if numbers of the datatype cannot be
   *     written as text
   * @throws UncheckedIOException if the file cannot be written
   */
  public static long write(ElementView view, Path file) {
    Datatype type = view.dataset().datatype();
    NumberText numbers = NumberText.of(type);
    long[] extent = view.extent();
    long count = view.count();
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      out.write(BANNER + field(type) + " general\n");
      String fill = HexFormat.of().formatHex(view.dataset().fillValue());
      out.write(COMMENT + NumberText.nameOf(type) + FILL + fill + "\n");
      out.write(extent[0] + " " + extent[1] + " " + count + "\n");
      view.forEach(entries -> lines(entries, numbers, out));
    } catch (IOException e) {
      throw new UncheckedIOException("the output cannot be written: " + e.getMessage(), e);
    }
    return count;
  }

  private static void lines(Entries entries, NumberText numbers, Writer out) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < entries.count(); i++) {
      text.append(entries.at(i, 0) + 1).append(' ').append(entries.at(i, 1) + 1).append(' ');
      numbers.append(entries.values(), i, text);
      text.append('\n');
    }
    try {
      out.append(text);
    } catch (IOException e) {
      throw new UncheckedIOException("the output cannot be written: " + e.getMessage(), e);
    }
  }

  private static String field(Datatype type) {
    if (type instanceof FixedPoint whole) {
      boolean beyond = whole.signedness() == Signedness.UNSIGNED && whole.size() == 8;
      return beyond ? "unsigned-integer" : "integer";
    }
    return NumberText.isComplex(type) ? "complex" : "real";
  }
}
