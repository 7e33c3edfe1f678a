package io.skerry.integration.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class FootprintTrendTest {
  private static final long MEBIBYTE = 1 << 20;

  private static FootprintTrend trend(LongFunction<Footprint> at) {
    FootprintTrend trend = new FootprintTrend();
    for (long i = 0; i < 40; i++) {
      trend.add(at.apply(i));
    }
    return trend;
  }

  private static Footprint footprint(long more, long things) {
    long bytes = 100 * MEBIBYTE + more * MEBIBYTE;
    return new Footprint(bytes, bytes, bytes, 500 + things, 50 + things, 20 + things);
  }

  @Test
  void a_fluctuating_footprint_is_flat() {
    FootprintTrend trend = trend(i -> footprint(40 * (i % 2), 30 * (i % 3)));
    assertEquals(List.of(), trend.growth());
  }

  @Test
  void a_slowly_growing_footprint_is_named() {
    String growth = trend(i -> footprint(3 * i, 10 * i)).growth().toString();
    for (String resource :
        List.of("HEAP", "SEGMENTS", "RESIDENT", "MAPPINGS", "DESCRIPTORS", "THREADS")) {
      assertTrue(growth.contains(resource + " grows: first quarter="), growth);
    }
  }

  @Test
  void nine_descriptors_that_stay_open_are_detected() {
    FootprintTrend trend =
        trend(i -> new Footprint(MEBIBYTE, MEBIBYTE, MEBIBYTE, 500, i < 30 ? 50 : 59, 20));
    assertEquals(
        List.of("DESCRIPTORS grows: first quarter=50 last quarter=59 bound=58"), trend.growth());
  }
}
