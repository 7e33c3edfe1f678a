package io.skerry.chunk.format;

/** What a format knows about the stored size of a chunk before it is encoded. */
public sealed interface EncodedSize {
  /** Every chunk is stored in exactly this many bytes, so space can be given out at creation. */
  record Exactly(long bytes) implements EncodedSize {}

  /** A stored chunk never exceeds this many bytes. */
  record AtMost(long bytes) implements EncodedSize {}

  /** Only encoding tells: allocation is late, and in parallel collective. */
  record Unknown() implements EncodedSize {}
}
