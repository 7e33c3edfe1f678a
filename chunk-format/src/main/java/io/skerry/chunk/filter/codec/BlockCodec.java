package io.skerry.chunk.filter.codec;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Compresses and decompresses blocks of bytes. An instance may keep working memory, so only one
 * thread at a time may use it; instances are cheap to create.
 */
public interface BlockCodec {
  /** Returns the name of the codec, for error messages. */
  String name();

  /**
   * Returns an upper bound on the compressed size of a block, in bytes.
   *
   * @param bytes size of the block in bytes
   * @throws UnsupportedOperationException if the codec only decompresses
   */
  int worst(int bytes);

  /**
   * Returns an upper bound on the size, in bytes, to which an input can decompress.
   *
   * @param bytes size of the compressed input in bytes
   */
  long most(long bytes);

  /**
   * Compresses a block.
   *
   * @param in the block
   * @param out the destination of the compressed bytes, at least {@link #worst} bytes long
   * @return the number of bytes written
   * @throws UnsupportedOperationException if the codec only decompresses
   */
  int compress(MemorySegment in, MemorySegment out);

  /**
   * Decompresses a block. Even for damaged input, no memory outside the two segments is accessed.
   *
   * @param in the compressed bytes
   * @param out the destination of the block
   * @return the number of bytes written, at most the size of {@code out}
   * @throws FormatException if the input is damaged or decompresses to more bytes than {@code out}
   *     holds
   */
  int decompress(MemorySegment in, MemorySegment out);

  /**
   * Decompresses a block that must fill the output exactly.
   *
   * @throws FormatException if the input is damaged or decompresses to a different number of bytes
   */
  default void decompressFully(MemorySegment in, MemorySegment out) {
    int written = decompress(in, out);
    if (written != out.byteSize()) {
      throw new FormatException(name() + " block: decoded bytes", out.byteSize(), written);
    }
  }

  /**
   * Returns the exception for a damaged block.
   *
   * @param why the damage found
   */
  default FormatException damaged(Object why) {
    return new FormatException(name() + " block", "valid data", why);
  }
}
