package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A part of another file that holds elements of a dataset.
 *
 * <pre>
 * list     size: number | files
 * file     size: bytes of the name with the NUL | name | 00 | size: offset | size: bytes
 * </pre>
 *
 * <p>An unlimited part has a size with all bits set.
 *
 * @param name the name of the file, without NUL
 * @param offset the offset of the first byte in the file
 * @param size the number of bytes; empty if unlimited
 */
public record ExternalFile(String name, long offset, OptionalLong size) {
  private static final long UNLIMITED = -1;

  /** The minimum encoded size of a file, in bytes: an empty name and three one-byte numbers. */
  private static final int LEAST_BYTES = 7;

  static final ValueCodec<List<ExternalFile>> CODEC =
      ValueCodec.of(ExternalFile::decode, ExternalFile::encode);

  /**
   * Creates a part. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the name contains a NUL, or a number is negative
   */
  public ExternalFile {
    if (name.indexOf('\0') >= 0 || offset < 0 || size.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "external file: name=" + name + " offset=" + offset + " size=" + size);
    }
  }

  private static List<ExternalFile> decode(ByteReader in) {
    int number = Scalars.count(in, "external files", LEAST_BYTES);
    List<ExternalFile> files = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      ByteReader text = in.sub(Scalars.length(in), in.structure());
      String name = text.textToNul();
      text.expect("bytes after the name of external file " + i, 0, text.remaining());
      long offset = Scalars.size(in);
      long size = Scalars.size(in);
      if (offset < 0 || size < 0 && size != UNLIMITED) {
        throw in.fault(
            "offset and size of external file " + i,
            "at most 2^63-1",
            Long.toUnsignedString(offset) + " and " + Long.toUnsignedString(size));
      }
      files.add(
          new ExternalFile(
              name, offset, size == UNLIMITED ? OptionalLong.empty() : OptionalLong.of(size)));
    }
    return List.copyOf(files);
  }

  private static void encode(List<ExternalFile> files, ByteWriter out) {
    Scalars.size(files.size(), out);
    for (ExternalFile file : files) {
      byte[] name = StoredText.encode(file.name);
      Scalars.size(name.length + 1L, out);
      out.bytes(name).u8(0);
      Scalars.size(file.offset, out);
      Scalars.size(file.size.orElse(UNLIMITED), out);
    }
  }
}
