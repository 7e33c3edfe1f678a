package io.skerry.format.dense;

import io.skerry.chunk.bytes.Lookup3;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The key of a name index: lookup3 of the name's bytes, then the bytes themselves, both unsigned.
 *
 * @param hash of the name
 * @param name its UTF-8 bytes
 */
record NameHash(int hash, byte[] name) implements Comparable<NameHash> {
  static NameHash of(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return new NameHash(Lookup3.checksum(MemorySegment.ofArray(bytes)), bytes);
  }

  /** Where a hash of the index stands relative to this one. */
  int compareHash(int stored) {
    return Integer.compareUnsigned(stored, hash);
  }

  /** Where a name with the same hash stands relative to this one. */
  int compareName(byte[] stored) {
    return Arrays.compareUnsigned(stored, name);
  }

  @Override
  public int compareTo(NameHash other) {
    int byHash = other.compareHash(hash);
    return byHash != 0 ? byHash : other.compareName(name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NameHash(int h, byte[] n) && h == hash && Arrays.equals(n, name);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
