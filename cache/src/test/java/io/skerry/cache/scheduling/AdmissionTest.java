package io.skerry.cache.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.Requester;
import io.skerry.cache.scheduling.Admission.Grant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AdmissionTest {
  private final Admission admission = new Admission(100);

  private Requester<Grant> running(long bytes) {
    return Requester.running(() -> admission.admit(bytes));
  }

  private Requester<Grant> waiting(long bytes) {
    return Requester.waiting(() -> admission.admit(bytes));
  }

  @Test
  void requests_that_fit_run_concurrently() {
    Requester<Grant> first = running(60);
    Requester<Grant> second = running(40);
    assertEquals(100, admission.used());
    Requester<Grant> third = waiting(1);
    running(0);
    assertEquals(1, admission.waits());
    assertEquals(0, admission.waitNanos());
    second.end();
    third.awaitRunning();
    assertEquals(61, admission.used());
    assertTrue(admission.waitNanos() > 0);
    assertEquals(1, third.held().bytes());
    assertFalse(third.held().isAlone());
    first.end();
    assertEquals(1, admission.used());
  }

  @Test
  void a_request_larger_than_the_limit_runs_alone() {
    Requester<Grant> small = running(0);
    Requester<Grant> large = waiting(1_000);
    small.end();
    large.awaitRunning();
    assertTrue(large.held().isAlone());
    assertEquals(100, large.held().bytes());
    assertEquals(100, admission.used());
    Requester<Grant> empty = waiting(0);
    Requester<Grant> other = waiting(101);
    large.end();
    empty.awaitRunning();
    assertTrue(other.isWaiting());
    empty.end();
    other.awaitRunning();
    assertEquals(3, admission.waits());
  }

  @Test
  void a_request_that_fills_the_limit_exactly_need_not_run_alone() {
    Requester<Grant> full = running(100);
    assertFalse(full.held().isAlone());
    running(0);
  }

  @Test
  void a_waiting_request_is_overtaken_at_most_sixteen_times() {
    Requester<Grant> first = running(50);
    Requester<Grant> large = waiting(60);
    for (int i = 0; i < 16; i++) {
      running(1).end();
    }
    Requester<Grant> late = waiting(1);
    assertEquals(50, admission.used());
    first.end();
    large.awaitRunning();
    late.awaitRunning();
    assertEquals(61, admission.used());
  }

  @Test
  void a_request_that_must_run_alone_is_overtaken_at_most_sixteen_times() {
    List<Requester<Grant>> small = new ArrayList<>(List.of(running(1)));
    Requester<Grant> large = waiting(101);
    for (int i = 0; i < 16; i++) {
      small.add(running(1));
    }
    Requester<Grant> late = waiting(1);
    small.forEach(Requester::end);
    large.awaitRunning();
    assertTrue(late.isWaiting());
    large.end();
    late.awaitRunning();
  }

  @Test
  void a_waiting_request_behind_another_has_its_own_bound() {
    Requester<Grant> first = running(50);
    Requester<Grant> large = waiting(60);
    for (int i = 0; i < 10; i++) {
      running(1).end();
    }
    Requester<Grant> second = waiting(70);
    for (int i = 0; i < 6; i++) {
      running(1).end();
    }
    Requester<Grant> late = waiting(1);
    first.end();
    large.awaitRunning();
    // The second one has been overtaken six times so far; now a seventh time.
    late.awaitRunning();
    late.end();
    for (int i = 0; i < 9; i++) {
      running(1).end();
    }
    Requester<Grant> last = waiting(1);
    large.end();
    second.awaitRunning();
    last.awaitRunning();
  }

  @Test
  void a_higher_limit_admits_all_requests_that_fit_now() {
    running(90);
    Requester<Grant> second = waiting(20);
    Requester<Grant> large = waiting(1_000);
    admission.limit(110);
    second.awaitRunning();
    assertTrue(large.isWaiting());
    admission.limit(1_110);
    large.awaitRunning();
    assertFalse(large.held().isAlone());
    assertEquals(1_110, admission.used());
    assertEquals(1_110, admission.limit());
  }

  @Test
  void a_lower_limit_keeps_running_requests_and_delays_waiting_ones() {
    Requester<Grant> first = running(80);
    Requester<Grant> second = waiting(50);
    admission.limit(40);
    assertEquals(80, admission.used());
    Requester<Grant> third = waiting(0);
    admission.limit(80);
    third.awaitRunning();
    admission.limit(40);
    first.end();
    assertTrue(second.isWaiting());
    third.end();
    second.awaitRunning();
    assertTrue(second.held().isAlone());
    assertEquals(40, admission.used());
  }

  @Test
  void no_request_joins_one_that_runs_alone_even_if_the_limit_rises() {
    Requester<Grant> large = running(200);
    Requester<Grant> small = waiting(1);
    admission.limit(1_000);
    assertTrue(small.isWaiting());
    assertTrue(large.held().isAlone());
    large.end();
    small.awaitRunning();
  }

  @Test
  void a_limit_of_zero_admits_requests_one_by_one() {
    Admission none = new Admission(0);
    Requester<Grant> first = Requester.running(() -> none.admit(7));
    Requester<Grant> second = Requester.waiting(() -> none.admit(1));
    assertEquals(0, first.held().bytes());
    assertTrue(first.held().isAlone());
    first.end();
    second.awaitRunning();
  }

  @Test
  void a_second_grant_of_a_thread_is_refused() {
    try (Grant _ = admission.admit(60)) {
      IllegalStateException e = assertThrows(IllegalStateException.class, () -> admission.admit(1));
      assertEquals(
          "this thread holds a grant and must close it before it asks for another:"
              + " asked=1 used=60 limit=100",
          e.getMessage());
      assertEquals(60, admission.used());
    }
    admission.admit(1).close();
    assertEquals(0, admission.used());
  }

  @Test
  void closing_a_grant_twice_returns_its_bytes_once() {
    Grant mine = admission.admit(60);
    Requester<Grant> other = running(30);
    mine.close();
    mine.close();
    assertEquals(30, admission.used());
    other.end();
    admission.admit(10).close();
    mine.close();
    assertEquals(0, admission.used());
  }

  @Test
  void an_interrupted_request_leaves_the_queue() {
    Requester<Grant> first = running(50);
    Requester<Grant> large = waiting(60);
    for (int i = 0; i < 16; i++) {
      running(1).end();
    }
    Requester<Grant> late = waiting(1);
    large.interrupt();
    late.awaitRunning();
    assertEquals(51, admission.used());
    assertEquals(0, admission.waiting());
    first.end();
    late.end();
    assertEquals(0, admission.used());
    assertEquals(2, admission.waits());
  }

  @Test
  void the_message_of_an_interrupted_request_has_its_size() {
    running(50);
    Thread.currentThread().interrupt();
    RequestInterruptedException e =
        assertThrows(RequestInterruptedException.class, () -> admission.admit(60));
    assertTrue(Thread.interrupted());
    assertTrue(e.getMessage().contains("bytes=60"), e.getMessage());
    assertEquals(50, admission.used());
  }

  @Test
  void negative_numbers_are_refused() {
    assertThrows(IllegalArgumentException.class, () -> admission.admit(-1));
    assertThrows(IllegalArgumentException.class, () -> admission.limit(-1));
    assertThrows(IllegalArgumentException.class, () -> new Admission(-1));
    assertEquals(100, admission.limit());
  }

  @Test
  void sizes_near_the_largest_long_do_not_overflow() {
    admission.limit(Long.MAX_VALUE);
    running(Long.MAX_VALUE - 1);
    waiting(2);
    running(1);
    assertEquals(Long.MAX_VALUE, admission.used());
  }
}
