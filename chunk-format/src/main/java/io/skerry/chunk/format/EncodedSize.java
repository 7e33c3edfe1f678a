package io.skerry.chunk.format;

/** Information about the stored size of a chunk that is available before the chunk is encoded. */
public sealed interface EncodedSize {
  /**
   * Every chunk is stored in exactly this many bytes, so file space can be allocated as soon as the
   * chunk is created.
   */
  record Exactly(long bytes) implements EncodedSize {}

  /** A stored chunk never exceeds this many bytes. */
  record AtMost(long bytes) implements EncodedSize {}

  /** The size is known only after encoding. */
  record Unknown() implements EncodedSize {}
}
