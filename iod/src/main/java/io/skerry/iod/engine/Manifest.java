package io.skerry.iod.engine;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.ContainerException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The description of a container: lines of ASCII text, each ended by a line feed.
 *
 * <pre>
 * skerry-iod-container 1                      version of the format
 * id 3f0c1e9a-52d4-4b1e-9a51-0d6f3b5c7e11     identifier, a random UUID
 * shards 4                                    number of shards
 * transaction 17                              in snapshots only: the transaction that they show
 * crc32c 0123abcd                             CRC-32C of all bytes before this line
 * </pre>
 *
 * <p>The first and the last line keep their form in all versions.
 *
 * @param info the properties of the container
 * @param transaction the transaction that a snapshot shows; empty in a container
 */
public record Manifest(ContainerInfo info, OptionalLong transaction) {
  /** The version of the format. */
  public static final int VERSION = 1;

  /** The size of the largest description that is read, in bytes. */
  public static final int LARGEST = 4096;

  private static final String TITLE = "skerry-iod-container ";
  private static final String CHECKSUM = "crc32c ";

  /** Returns the description of a container that is not a snapshot. Does not fail. */
  public static Manifest of(ContainerInfo info) {
    return new Manifest(info, OptionalLong.empty());
  }

  /** Encodes the description. Does not fail. */
  public byte[] encode() {
    StringBuilder text = new StringBuilder(TITLE).append(info.version()).append('\n');
    text.append("id ").append(info.id()).append('\n');
    text.append("shards ").append(info.shards()).append('\n');
    transaction.ifPresent(number -> text.append("transaction ").append(number).append('\n'));
    String checksum = checksum(text.toString());
    text.append(CHECKSUM).append(checksum).append('\n');
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return String.format("%08x", crc.getValue());
  }

  /**
   * Decodes a description.
   *
   * @param file the path of the file, for messages
   * @throws ContainerException if the bytes do not describe a container, or describe one of a newer
   *     version
   * @throws FormatException if the description is damaged
   */
  public static Manifest decode(byte[] bytes, String file) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(TITLE)) {
      throw new ContainerException(
          Reason.NOT_A_CONTAINER,
          file,
          "a file that begins with " + TITLE.strip(),
          "a file of " + bytes.length + " bytes without this title");
    }
    try {
      return decodeLines(text, file);
    } catch (FormatException e) {
      throw e.inFile(file);
    }
  }

  private static Manifest decodeLines(String text, String file) {
    int last = text.lastIndexOf('\n' + CHECKSUM) + 1;
    expect("last line", CHECKSUM + checksum(text.substring(0, last)) + '\n', text.substring(last));
    List<String> lines = new ArrayList<>(text.substring(0, last).lines().toList());
    long version = number(lines.removeFirst(), TITLE, Integer.MAX_VALUE);
    if (version > VERSION) {
      throw new ContainerException(
          Reason.NEWER_VERSION, file, "version at most " + VERSION, version);
    }
    UUID id = id(next(lines, "id "));
    int shards = (int) number(next(lines, "shards "), "", ContainerInfo.MOST_SHARDS);
    if (version < 1 || shards < 1) {
      throw new FormatException("description: version and shards", "at least 1", version);
    }
    OptionalLong transaction =
        lines.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(number(next(lines, "transaction "), "", Long.MAX_VALUE));
    expect("number of further lines", 0, lines.size());
    return new Manifest(new ContainerInfo(id, (int) version, shards), transaction);
  }

  private static void expect(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new FormatException("description: " + what, expected, actual);
    }
  }

  private static String next(List<String> lines, String key) {
    String line = lines.isEmpty() ? "" : lines.removeFirst();
    if (!line.startsWith(key)) {
      throw new FormatException("description: line", key.strip(), line);
    }
    return line.substring(key.length());
  }

  private static UUID id(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new FormatException("description: id", "a UUID", text);
    }
  }

  private static long number(String line, String key, long most) {
    String digits = line.substring(key.length());
    if (!digits.matches("[0-9]{1,19}")
        || Long.compareUnsigned(Long.parseUnsignedLong(digits), most) > 0) {
      throw new FormatException("description: number", "0 to " + most, digits);
    }
    return Long.parseLong(digits);
  }
}
