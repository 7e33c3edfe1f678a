package io.skerry.format.dense;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.format.btree.RecordOrder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The key of a name index: the lookup3 hash of the name, then the bytes of the name, both compared
 * as unsigned values.
 *
 * @param hash the lookup3 hash of the name
 * @param name the bytes of the name
 */
record NameHash(int hash, byte[] name) implements Comparable<NameHash> {
  static NameHash of(String name) {
    byte[] bytes = StoredText.encode(name);
    return new NameHash(Lookup3.checksum(MemorySegment.ofArray(bytes)), bytes);
  }

  /**
   * Returns the search key of this name in an index.
   *
   * @param hashOf a function that returns the hash in a record
   * @param nameOf a function that returns the name to which a record refers; called only for equal
   *     hashes
   */
  RecordOrder order(ToIntFunction<MemorySegment> hashOf, Function<MemorySegment, byte[]> nameOf) {
    return record -> {
      int byHash = compareHash(hashOf.applyAsInt(record));
      return byHash != 0 ? byHash : compareName(nameOf.apply(record));
    };
  }

  /** Compares a hash stored in the index with this hash. */
  private int compareHash(int stored) {
    return Integer.compareUnsigned(stored, hash);
  }

  /** Compares a stored name with this name; both have the same hash. */
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
