package io.skerry.chunk.format;

/**
 * The information about the stored size of a chunk that a format has before it encodes the chunk.
 */
public sealed interface EncodedSize {
  /**
   * Every chunk is stored in exactly this many bytes, so space can be allocated when it is created.
   */
  record Exactly(long bytes) implements EncodedSize {}

  /** A stored chunk never exceeds this many bytes. */
  record AtMost(long bytes) implements EncodedSize {}

  /**
   * The size is known only after encoding: allocation is late, and collective if there are several
   * ranks.
   */
  record Unknown() implements EncodedSize {}
}
