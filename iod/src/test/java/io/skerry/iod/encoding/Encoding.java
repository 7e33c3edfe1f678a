package io.skerry.iod.encoding;

import java.util.HexFormat;
import java.util.List;

/**
 * An encoded datatype, dataspace or property list.
 *
 * @param kind {@code type}, {@code space} or {@code plist}
 * @param name the name of the sample; {@code @latest} at the end selects the latest versions
 * @param hex the bytes
 */
public record Encoding(String kind, String name, String hex) {
  public static Encoding of(String kind, String name, byte[] bytes) {
    return new Encoding(kind, name, HexFormat.of().formatHex(bytes));
  }

  /** Parses a line with the kind, the name and the bytes, separated by tabs. */
  public static Encoding parse(String line) {
    List<String> fields = List.of(line.split("\t", -1));
    return new Encoding(fields.getFirst(), fields.get(1), fields.getLast());
  }

  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  String line() {
    return kind + "\t" + name + "\t" + hex + "\n";
  }
}
