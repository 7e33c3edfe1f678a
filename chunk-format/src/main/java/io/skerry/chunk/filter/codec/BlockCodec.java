package io.skerry.chunk.filter.codec;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Compresses and decompresses blocks of bytes. An instance may keep working memory and belongs to
 * one thread; making one is cheap.
 */
public interface BlockCodec {
  /** Its name, for messages. */
  String name();

  /** The most bytes that compressing so many can give. */
  int worst(int bytes);

  /** The most bytes that decompressing so many can give, whatever they are. */
  long most(long bytes);

  /**
   * Compresses a block.
   *
   * @param out at least {@link #worst} bytes
   * @return bytes written
   */
  int compress(MemorySegment in, MemorySegment out);

  /**
   * Decompresses a block, whatever it holds, without leaving either segment.
   *
   * @return bytes written, at most those of {@code out}
   * @throws FormatException if the input is damaged or holds more than {@code out} takes
   */
  int decompress(MemorySegment in, MemorySegment out);

  /** Decompresses a block that must fill the output exactly. */
  default void decompressFully(MemorySegment in, MemorySegment out) {
    int written = decompress(in, out);
    if (written != out.byteSize()) {
      throw new FormatException(name() + " block: decoded bytes", out.byteSize(), written);
    }
  }

  /** What to throw for a damaged block. */
  default FormatException damaged(Object why) {
    return new FormatException(name() + " block", "valid data", why);
  }
}
