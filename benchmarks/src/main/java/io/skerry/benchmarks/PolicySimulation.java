package io.skerry.benchmarks;

import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.policy.Evictable;
import io.skerry.cache.policy.EvictionOrder;
import io.skerry.cache.policy.RecencyBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Simulates the chunk cache without chunks: an eviction policy receives the calls that it would
 * receive in the cache. Hits are recorded in a buffer, each chunk at most once between two misses.
 * A miss drains the buffer, adds the chunk, and evicts until all chunks fit. The accessed chunk is
 * in use, so it is not evicted.
 */
public final class PolicySimulation {
  /** Specifies whether the simulation sets the capacity of the policy to the size of the cache. */
  enum Capacity {
    TOLD,
    UNTOLD
  }

  private static final class Chunk extends Evictable {
    private final int number;
    private final int bytes;

    /** The miss count at the last recorded hit; -1 if no hit was recorded. */
    private long noted = -1;

    Chunk(int number) {
      this.number = number;
      this.bytes = AccessTrace.bytes(number);
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public long bytes() {
      return bytes;
    }
  }

  private final long limit;
  private final EvictionOrder<Chunk> order;
  private final RecencyBuffer<Chunk> hits = new RecencyBuffer<>();
  private final Map<Integer, Chunk> resident = new HashMap<>();
  private long misses;

  private PolicySimulation(EvictionPolicy policy, long limit, Capacity capacity) {
    this.limit = limit;
    this.order = EvictionOrder.of(policy);
    if (capacity == Capacity.TOLD) {
      order.capacity(limit);
    }
  }

  /**
   * Returns the hit ratio of a policy.
   *
   * @param limit the size of the cache in bytes
   */
  public static double hitRatio(EvictionPolicy policy, int[] chunks, long limit) {
    return hitRatio(policy, chunks, limit, Capacity.TOLD);
  }

  static double hitRatio(EvictionPolicy policy, int[] chunks, long limit, Capacity capacity) {
    PolicySimulation simulation = new PolicySimulation(policy, limit, capacity);
    for (int chunk : chunks) {
      simulation.access(chunk);
    }
    return 1 - (double) simulation.misses / chunks.length;
  }

  private void access(int number) {
    Chunk found = resident.get(number);
    if (found == null) {
      miss(number);
    } else if (found.noted != misses && hits.offer(found)) {
      found.noted = misses;
    }
  }

  private void miss(int number) {
    misses++;
    hits.drainTo(order::use);
    Chunk missing = new Chunk(number);
    resident.put(number, missing);
    order.add(missing);
    List<Chunk> kept = new ArrayList<>();
    while (order.bytes() + (kept.isEmpty() ? 0 : missing.bytes) > limit) {
      Optional<Chunk> victim = order.nominate();
      if (victim.isEmpty()) {
        break;
      }
      if (victim.get().number == number) {
        kept.add(missing);
      } else {
        resident.remove(victim.get().number);
        order.evicted(victim.get());
      }
    }
    kept.forEach(order::restore);
  }
}
