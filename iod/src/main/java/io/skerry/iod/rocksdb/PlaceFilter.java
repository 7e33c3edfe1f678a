package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A set of places that may contain more places than were added: Bloom filters, each four times as
 * large as the one before. A place that was added is always found. Not thread-safe.
 */
final class PlaceFilter {
  private static final int FIRST_BITS = 1 << 18;

  /** The size of the last filter in bits. All together take 11 MiB, for 7 million places. */
  private static final int LAST_BITS = 1 << 26;

  private static final int GROWTH = 4;
  private static final int BITS_PER_PLACE = 12;
  private static final int PROBES = 6;

  private final List<long[]> filters = new ArrayList<>();
  private int added;

  private static int bits(long[] filter) {
    return filter.length * Long.SIZE;
  }

  /**
   * Adds a place.
   *
   * @return true if the place was certainly not contained; false if it may have been contained, or
   *     if there is no room
   */
  boolean add(Place place) {
    long hash = hash(PlaceCodec.encode(place));
    long step = mixed(hash) | 1;
    for (long[] filter : filters) {
      if (contains(filter, hash, step)) {
        return false;
      }
    }
    if (!hasRoom()) {
      return false;
    }
    long[] last = filters.getLast();
    for (int i = 0; i < PROBES; i++) {
      int bit = bit(last, hash + i * step);
      last[bit >>> 6] |= 1L << bit;
    }
    added++;
    return true;
  }

  private boolean hasRoom() {
    if (filters.isEmpty()) {
      filters.add(new long[FIRST_BITS / Long.SIZE]);
    }
    int bits = bits(filters.getLast());
    if (added < bits / BITS_PER_PLACE) {
      return true;
    }
    if (bits == LAST_BITS) {
      return false;
    }
    filters.add(new long[GROWTH * (bits / Long.SIZE)]);
    added = 0;
    return true;
  }

  private static boolean contains(long[] filter, long hash, long step) {
    for (int i = 0; i < PROBES; i++) {
      int bit = bit(filter, hash + i * step);
      if ((filter[bit >>> 6] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  private static int bit(long[] filter, long hash) {
    return (int) (hash >>> 32) & bits(filter) - 1;
  }

  private static long hash(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long hash = bytes.length;
    while (in.remaining() >= Long.BYTES) {
      hash = mixed(hash ^ in.getLong());
    }
    while (in.hasRemaining()) {
      hash = mixed(hash ^ in.get());
    }
    return hash;
  }

  /** Applies one step of SplitMix64: the addition of its constant, then the finalizer. */
  private static long mixed(long value) {
    long x = value + 0x9e3779b97f4a7c15L;
    x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
    x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
    return x ^ x >>> 31;
  }
}
