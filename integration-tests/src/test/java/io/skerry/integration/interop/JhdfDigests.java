package io.skerry.integration.interop;

import io.jhdf.HdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import io.jhdf.object.datatype.DataType;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import io.jhdf.object.datatype.StringData;
import io.jhdf.object.datatype.VariableLength;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * Writes the content of files as jHDF reads it, in the JSON format of the digest scripts: the
 * SHA-256 of the canonical values of numbers and strings, otherwise the result of the read.
 */
final class JhdfDigests {
  /** The limits on depth and number of objects end the walk through cyclic links. */
  private static final int DEEPEST = 6;

  private static final int MOST_OBJECTS = 2000;

  private final StringJoiner objects = new StringJoiner(",\n", "\"objects\": [", "]");
  private int count;

  private JhdfDigests() {}

  /** Writes OUT/0.json, OUT/1.json, and so on. */
  static void write(Path out, List<Path> files) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      Path file = files.get(i);
      String found;
      try (HdfFile hdf = new HdfFile(file)) {
        JhdfDigests digests = new JhdfDigests();
        digests.visit("/", hdf, 0);
        found = digests.objects.toString();
      } catch (RuntimeException | StackOverflowError e) {
        found = "\"error\": " + quoted(reason(e));
      }
      Files.writeString(
          out.resolve(i + ".json"), "{\"file\": " + quoted(file.toString()) + ", " + found + "}");
    }
  }

  private void visit(String path, Node node, int depth) {
    count++;
    String kind = node instanceof Dataset ? "dataset" : node instanceof Group ? "group" : "other";
    String values = node instanceof Dataset dataset ? ", " + values(dataset) : "";
    objects.add(
        "{\"path\": "
            + quoted(path)
            + ", \"kind\": \""
            + kind
            + "\""
            + values
            + ", \"attributes\": ["
            + attributes(node)
            + "]}");
    if (!(node instanceof Group group)) {
      return;
    }
    Map<String, Node> children;
    try {
      children = group.getChildren();
    } catch (RuntimeException | StackOverflowError e) {
      objects.add("{\"path\": " + quoted(path + "/*") + ", \"error\": " + quoted(reason(e)) + "}");
      return;
    }
    for (Map.Entry<String, Node> child : children.entrySet()) {
      boolean link = child.getValue().isLink();
      if (!link && depth < DEEPEST && count < MOST_OBJECTS) {
        visit((path.equals("/") ? "" : path) + "/" + child.getKey(), child.getValue(), depth + 1);
      }
    }
  }

  private static String attributes(Node node) {
    StringJoiner all = new StringJoiner(", ");
    try {
      for (Map.Entry<String, Attribute> named : node.getAttributes().entrySet()) {
        Attribute attribute = named.getValue();
        all.add(
            "{\"name\": "
                + quoted(named.getKey())
                + ", "
                + values(attribute::getDataType, attribute::getData, attribute.isEmpty(), false)
                + "}");
      }
    } catch (RuntimeException e) {
      all.add("{\"name\": \"*\", \"error\": " + quoted(reason(e)) + "}");
    }
    return all.toString();
  }

  private static String values(Dataset dataset) {
    // For unwritten elements, jHDF returns zeros instead of the fill value.
    boolean unknown = dataset.isEmpty() || dataset.getFillValue() != null;
    return values(dataset::getDataType, dataset::getData, unknown, true);
  }

  /**
   * @param none true to omit the digest, since the values cannot be compared
   * @param lonely true if a string that is the only value has no padding
   */
  private static String values(
      Supplier<DataType> type, Supplier<Object> data, boolean none, boolean lonely) {
    try {
      Object values = data.get();
      Optional<byte[]> canonical = none ? Optional.empty() : canonical(type.get(), values, lonely);
      return canonical
          .map(bytes -> "\"sha256\": \"" + sha256(bytes) + "\"")
          .orElse("\"read\": true");
    } catch (RuntimeException | StackOverflowError e) {
      return "\"error\": " + quoted(reason(e));
    }
  }

  /** Returns the canonical bytes; empty if this class does not support the datatype. */
  private static Optional<byte[]> canonical(DataType type, Object values, boolean lonely) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean known =
        switch (type) {
          case FixedPoint t -> each(values, value -> whole(t.getSize(), value, out));
          case FloatingPoint t -> each(values, value -> real(t.getSize(), value, out));
          case StringData _ when lonely && values instanceof String text -> lonely(text, out);
          case StringData t -> each(values, value -> text(t.getSize(), value, out));
          case VariableLength t when t.getJavaType() == String.class ->
              each(values, value -> variable(value, out));
          default -> false;
        };
    return known ? Optional.of(out.toByteArray()) : Optional.empty();
  }

  @FunctionalInterface
  private interface Element {
    boolean put(Object value);
  }

  private static boolean each(Object values, Element element) {
    if (!values.getClass().isArray()) {
      return element.put(values);
    }
    for (int i = 0; i < Array.getLength(values); i++) {
      if (!each(Array.get(values, i), element)) {
        return false;
      }
    }
    return true;
  }

  private static boolean whole(int size, Object value, ByteArrayOutputStream out) {
    if (!(value instanceof Number number)) {
      return false;
    }
    BigInteger whole =
        number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
    for (int b = 0; b < size; b++) {
      out.write(whole.shiftRight(8 * b).byteValue());
    }
    return true;
  }

  /** Returns false for NaN too, since not every reader keeps its payload bits. */
  private static boolean real(int size, Object value, ByteArrayOutputStream out) {
    if (!(value instanceof Number number)
        || Double.isNaN(number.doubleValue())
        || size != 4 && size != 8) {
      return false;
    }
    long bits =
        size == 4
            ? Float.floatToRawIntBits(number.floatValue())
            : Double.doubleToRawLongBits(number.doubleValue());
    return whole(size, bits, out);
  }

  private static boolean text(int size, Object value, ByteArrayOutputStream out) {
    byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
    out.writeBytes(Arrays.copyOf(utf8, size));
    return utf8.length <= size;
  }

  private static boolean lonely(String text, ByteArrayOutputStream out) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeBytes(utf8.length == 0 ? new byte[1] : utf8);
    return true;
  }

  private static boolean variable(Object value, ByteArrayOutputStream out) {
    byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
    return whole(4, utf8.length, out) && put(utf8, out);
  }

  private static boolean put(byte[] bytes, ByteArrayOutputStream out) {
    out.writeBytes(bytes);
    return true;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String reason(Throwable problem) {
    Throwable last = problem;
    while (last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    return last.getClass().getSimpleName() + ": " + last.getMessage();
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
