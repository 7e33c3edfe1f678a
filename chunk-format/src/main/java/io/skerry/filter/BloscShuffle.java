package io.skerry.filter;

/** What Blosc does to the elements of a block before it compresses them; client data 5. */
public enum BloscShuffle {
  NONE,
  BYTES,
  BITS
}
