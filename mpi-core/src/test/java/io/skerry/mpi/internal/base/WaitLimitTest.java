package io.skerry.mpi.internal.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitLimitTest {
  private static long nanos(Duration limit) {
    return new WaitLimit(Optional.of(limit)).nanos();
  }

  @Test
  void a_limit_of_more_nanoseconds_than_64_bits_hold_is_the_longest_one() {
    assertEquals(300_000_000_000L, nanos(Duration.ofMinutes(5)));
    assertEquals(Long.MAX_VALUE - 1, nanos(Duration.ofNanos(Long.MAX_VALUE - 1)));
    assertEquals(Long.MAX_VALUE, nanos(Duration.ofNanos(Long.MAX_VALUE)));
    assertEquals(Long.MAX_VALUE, nanos(Duration.ofSeconds(9_223_372_037L)));
    assertEquals(Long.MAX_VALUE, nanos(Duration.ofSeconds(Long.MAX_VALUE)));
    assertEquals(Long.MAX_VALUE, WaitLimit.UNLIMITED.nanos());
  }
}
