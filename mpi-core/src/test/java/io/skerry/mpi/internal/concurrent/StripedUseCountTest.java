package io.skerry.mpi.internal.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StripedUseCountTest {

  @Test
  void entering_is_refused_after_closing() {
    StripedUseCount visitors = new StripedUseCount();
    assertTrue(visitors.enter());
    assertTrue(visitors.enter());
    visitors.leave();
    visitors.leave();
    visitors.close();
    assertFalse(visitors.enter());
    visitors.close();
  }

  @Test
  void closing_waits_until_all_threads_have_left() throws InterruptedException {
    StripedUseCount visitors = new StripedUseCount();
    assertTrue(visitors.enter());
    AtomicBoolean closed = new AtomicBoolean();
    Thread closer =
        Thread.ofPlatform()
            .start(() -> {
              visitors.close();
              closed.set(true);
            });
    while (closer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertFalse(visitors.enter());
    assertFalse(closed.get());
    visitors.leave();
    closer.join();
    assertTrue(closed.get());
  }

  @Test
  void an_interrupt_does_not_end_the_wait_and_stays_set() throws InterruptedException {
    StripedUseCount visitors = new StripedUseCount();
    assertTrue(visitors.enter());
    AtomicBoolean stillSet = new AtomicBoolean();
    Thread closer =
        Thread.ofPlatform()
            .start(() -> {
              visitors.close();
              stillSet.set(Thread.interrupted());
            });
    closer.interrupt();
    closer.join(20);
    assertTrue(closer.isAlive());
    visitors.leave();
    closer.join();
    assertTrue(stillSet.get());
  }

  /** Checks that a thread that has entered never sees the resource closed, for any interleaving. */
  @RepeatedTest(200)
  void no_thread_is_inside_when_the_resource_is_closed() throws InterruptedException {
    StripedUseCount visitors = new StripedUseCount();
    AtomicBoolean closed = new AtomicBoolean();
    AtomicLong seenClosed = new AtomicLong();
    AtomicLong visits = new AtomicLong();
    CountDownLatch begun = new CountDownLatch(4);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                begun.countDown();
                while (visitors.enter()) {
                  if (visitors.enter()) {
                    visitors.leave();
                  }
                  seenClosed.addAndGet(closed.get() ? 1 : 0);
                  visits.incrementAndGet();
                  visitors.leave();
                }
              }));
    }
    begun.await();
    visitors.close();
    closed.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, seenClosed.get(), "of " + visits.get());
  }
}
