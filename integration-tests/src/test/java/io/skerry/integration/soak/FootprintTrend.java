package io.skerry.integration.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Footprints in the order in which they were taken. A resource is flat if the median of the last
 * quarter exceeds that of the first by at most its slack: 8 MiB of heap and of segments, 32 MiB of
 * resident memory (compiled code, and memory that the C allocator does not release) and 64
 * mappings, each plus 10 %; 8 descriptors; 8 threads.
 */
final class FootprintTrend {
  private static final long MEBIBYTE = 1 << 20;

  private final List<Footprint> footprints = new ArrayList<>();

  /** A component of a footprint, and the growth that is allowed. */
  private enum Resource {
    HEAP(Footprint::heap, 8 * MEBIBYTE, 10),
    SEGMENTS(Footprint::segments, 8 * MEBIBYTE, 10),
    RESIDENT(Footprint::resident, 32 * MEBIBYTE, 10),
    MAPPINGS(Footprint::mappings, 64, 10),
    DESCRIPTORS(Footprint::descriptors, 8, 0),
    THREADS(Footprint::threads, 8, 0);

    private final ToLongFunction<Footprint> number;
    private final long slack;
    private final int percent;

    Resource(ToLongFunction<Footprint> number, long slack, int percent) {
      this.number = number;
      this.slack = slack;
      this.percent = percent;
    }

    long median(List<Footprint> some) {
      return some.stream()
          .mapToLong(number)
          .sorted()
          .skip(some.size() / 2)
          .findFirst()
          .orElseThrow();
    }

    long most(long first) {
      return first + first * percent / 100 + slack;
    }
  }

  void add(Footprint footprint) {
    footprints.add(footprint);
  }

  int size() {
    return footprints.size();
  }

  private List<Footprint> firstQuarter() {
    return footprints.subList(0, Math.max(1, footprints.size() / 4));
  }

  private List<Footprint> lastQuarter() {
    return footprints.subList(
        footprints.size() - Math.max(1, footprints.size() / 4), footprints.size());
  }

  /** Returns a line for each resource that is not flat, with its medians and its bound. */
  List<String> growth() {
    List<String> growing = new ArrayList<>();
    for (Resource resource : Resource.values()) {
      long first = resource.median(firstQuarter());
      long last = resource.median(lastQuarter());
      if (last > resource.most(first)) {
        growing.add(
            "%s grows: first quarter=%d last quarter=%d bound=%d"
                .formatted(resource, first, last, resource.most(first)));
      }
    }
    return growing;
  }

  /** Returns a line for each resource, with the medians of both quarters and the bound. */
  String table() {
    StringBuilder text = new StringBuilder();
    for (Resource resource : Resource.values()) {
      long first = resource.median(firstQuarter());
      text.append(
          "%-12s first quarter=%,d last quarter=%,d bound=%,d%n"
              .formatted(resource, first, resource.median(lastQuarter()), resource.most(first)));
    }
    return text.toString();
  }
}
