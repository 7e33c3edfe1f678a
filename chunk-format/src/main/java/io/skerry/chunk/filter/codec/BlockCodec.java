package io.skerry.chunk.filter.codec;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Compresses and decompresses blocks of bytes. An instance may keep working memory and must be used
 * by a single thread; creating one is cheap.
 */
public interface BlockCodec {
  /** The name of the codec, for error messages. */
  String name();

  /**
   * Returns the maximum compressed size of a block, in bytes.
   *
   * @param bytes size of the block in bytes
   */
  int worst(int bytes);

  /**
   * Returns the maximum decompressed size of any input, in bytes.
   *
   * @param bytes size of the input in bytes
   */
  long most(long bytes);

  /**
   * Compresses a block.
   *
   * @param in the block
   * @param out receives the compressed bytes; at least {@link #worst} bytes
   * @return the number of bytes written
   */
  int compress(MemorySegment in, MemorySegment out);

  /**
   * Decompresses a block, without access outside the segments for any input.
   *
   * @param in the compressed bytes
   * @param out receives the block
   * @return the number of bytes written, at most the size of {@code out}
   * @throws FormatException if the input is damaged or decompresses to more bytes than {@code out}
   *     holds
   */
  int decompress(MemorySegment in, MemorySegment out);

  /**
   * Decompresses a block that must fill the output exactly.
   *
   * @throws FormatException if the input is damaged or decompresses to another number of bytes
   */
  default void decompressFully(MemorySegment in, MemorySegment out) {
    int written = decompress(in, out);
    if (written != out.byteSize()) {
      throw new FormatException(name() + " block: decoded bytes", out.byteSize(), written);
    }
  }

  /** Returns the exception for a damaged block. */
  default FormatException damaged(Object why) {
    return new FormatException(name() + " block", "valid data", why);
  }
}
