package io.skerry.format.dense;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.format.btree.RecordOrder;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.ToIntFunction;

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

  /**
   * Where the records of an index stand relative to this name.
   *
   * @param hashOf the hash that a record has
   * @param nameOf the name that a record leads to, asked for only where hashes are equal
   */
  RecordOrder order(ToIntFunction<MemorySegment> hashOf, Function<MemorySegment, byte[]> nameOf) {
    return record -> {
      int byHash = compareHash(hashOf.applyAsInt(record));
      return byHash != 0 ? byHash : compareName(nameOf.apply(record));
    };
  }

  /** Where a hash of the index stands relative to this one. */
  private int compareHash(int stored) {
    return Integer.compareUnsigned(stored, hash);
  }

  /** Where a name with the same hash stands relative to this one. */
  private int compareName(byte[] stored) {
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
