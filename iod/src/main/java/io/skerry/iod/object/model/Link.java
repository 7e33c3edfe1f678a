package io.skerry.iod.object.model;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.iod.object.ObjectId;
import java.lang.foreign.MemorySegment;

/**
 * The target of a link. Immutable.
 *
 * <pre>
 * hard   i32 0 | u64 identifier of the object
 * soft   i32 1 | path | 00
 * </pre>
 */
public sealed interface Link {
  /**
   * A hard link.
   *
   * @param target the object
   */
  record Hard(ObjectId target) implements Link {}

  /**
   * A soft link.
   *
   * @param path the path, which is resolved when the link is followed
   */
  record Soft(String path) implements Link {
    /** The maximum length of a path, in bytes. */
    static final int LONGEST = 0xffff;

    /**
     * Checks the path.
     *
     * @throws IllegalArgumentException if it is empty or contains a NUL
     */
    public Soft {
      if (path.isEmpty() || path.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("path of a soft link: expected=text without NUL");
      }
    }
  }

  /** Returns the stored bytes. Local, thread-safe; does not fail. */
  default MemorySegment encode() {
    ByteWriter out = ByteWriter.create();
    switch (this) {
      case Hard(ObjectId target) -> out.u32(0).u64(target.bits());
      case Soft(String path) -> out.u32(1).text(path).u8(0);
    }
    return out.written();
  }

  /**
   * Decodes a link. Local, thread-safe.
   *
   * @throws FormatException if the bytes are not those of a link
   */
  static Link decode(MemorySegment bytes) {
    ByteReader in = ByteReader.of(bytes, "link");
    int type = in.i32();
    Link link =
        switch (type) {
          case 0 -> new Hard(ObjectId.decode(in.i64(), "link: target"));
          case 1 -> soft(in);
          default -> throw in.fault("type", "0 hard or 1 soft", type);
        };
    in.expect("bytes after the link", 0, in.remaining());
    return link;
  }

  private static Link soft(ByteReader in) {
    String path = in.textToNul();
    if (path.isEmpty()) {
      throw in.fault("path", "text", "none");
    }
    return new Soft(path);
  }
}
