package io.skerry.benchmarks;

import io.skerry.cache.EvictionPolicy;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Prints the hit ratio of each eviction policy on each trace.
 *
 * <pre>
 * ./skerry bench hits
 * </pre>
 */
public final class HitRatios {
  private HitRatios() {}

  /** Prints a line per policy. */
  public static void main(String[] args) {
    System.out.println(heading());
    for (EvictionPolicy policy : EvictionPolicy.values()) {
      System.out.println(line(policy.name(), trace -> of(policy, trace)));
    }
  }

  /** Returns the hit ratio of a policy on a trace. */
  public static double of(EvictionPolicy policy, AccessTrace trace) {
    return PolicySimulation.hitRatio(policy, trace.chunks(), AccessTrace.CACHE_BYTES);
  }

  static String heading() {
    StringBuilder heading = new StringBuilder("hit ratio in %  ");
    for (AccessTrace trace : AccessTrace.values()) {
      heading.append(String.format(Locale.ROOT, "%8s", trace));
    }
    return heading.toString();
  }

  static String line(String name, ToDoubleFunction<AccessTrace> ratios) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-16s", name));
    for (AccessTrace trace : AccessTrace.values()) {
      line.append(String.format(Locale.ROOT, "%8.2f", 100 * ratios.applyAsDouble(trace)));
    }
    return line.toString();
  }
}
