package io.skerry.testkit.oracle;

import io.skerry.selection.Shape;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.StringJoiner;

/**
 * The expected content of a file, in the form that the scripts {@code check.py} and {@code
 * check_sparse.py} read: one line per fact, with fields separated by tabs. Types are NumPy dtypes,
 * such as {@code >u2}.
 */
public final class Expectations {
  private final StringBuilder lines = new StringBuilder();
  private int count;

  /** Adds a dataset with the given bytes, as stored in the file. */
  public Expectations dataset(String path, String dtype, Shape shape, byte[] bytes) {
    return line("dataset", path, dtype, sizes(shape), sha256(bytes));
  }

  /**
   * Adds a sparse dataset.
   *
   * @param coordinates coordinates of the defined elements in row-major order, i64 little-endian
   * @param values one value per defined element, as stored in the file
   * @param fill the fill value, as stored in the file
   */
  public Expectations sparse(
      String path, String dtype, Shape shape, byte[] coordinates, byte[] values, byte[] fill) {
    String filled = HexFormat.of().formatHex(fill);
    return line("sparse", path, dtype, sizes(shape), sha256(coordinates), sha256(values), filled);
  }

  /** Adds an attribute with the given bytes, as stored in the file. */
  public Expectations attribute(String path, String name, String dtype, Shape shape, byte[] bytes) {
    return line("attribute", path, name, dtype, sizes(shape), HexFormat.of().formatHex(bytes));
  }

  /** Adds a scalar attribute that contains a fixed-size string. */
  public Expectations text(String path, String name, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return attribute(
        path,
        name,
        "|S" + Math.max(1, utf8.length),
        Shape.scalar(),
        Arrays.copyOf(utf8, Math.max(1, utf8.length)));
  }

  /** Adds a group with the given numbers of links and attributes. */
  public Expectations group(String path, int links, int attributes) {
    return line("group", path, Integer.toString(links), Integer.toString(attributes));
  }

  /** Adds a soft link. */
  public Expectations soft(String path, String target) {
    return line("soft", path, target);
  }

  /** Adds an external link. */
  public Expectations external(String path, String file, String target) {
    return line("external", path, file, target);
  }

  /** Returns the number of facts. */
  public int count() {
    return count;
  }

  /** Returns the lines for a script. */
  public String text() {
    return lines.toString();
  }

  private Expectations line(String... fields) {
    lines.append(String.join("\t", fields)).append('\n');
    count++;
    return this;
  }

  private static String sizes(Shape shape) {
    StringJoiner joined = new StringJoiner(",");
    for (long size : shape.extent()) {
      joined.add(Long.toString(size));
    }
    return joined.toString();
  }

  /** Returns the SHA-256 digest that the scripts compare, as lower-case hex. */
  public static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
