package io.skerry.chunk.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SegmentPoolTest {
  @Test
  void returned_memory_is_reused() {
    try (SegmentPool pool = new SegmentPool(1 << 20)) {
      long address;
      try (Lease lease = pool.lease(5000)) {
        assertEquals(5000, lease.segment().byteSize());
        address = lease.segment().address();
      }
      try (Lease lease = pool.lease(8000)) {
        assertEquals(address, lease.segment().address());
      }
    }
  }

  @Test
  void two_open_leases_never_share_memory() {
    try (SegmentPool pool = new SegmentPool(1 << 20);
        Lease one = pool.lease(100);
        Lease other = pool.lease(100)) {
      assertNotEquals(one.segment().address(), other.segment().address());
    }
  }

  @Test
  void a_returned_lease_cannot_be_used() {
    try (SegmentPool pool = new SegmentPool(1 << 20)) {
      Lease lease = pool.lease(10);
      lease.close();
      lease.close();
      assertThrows(IllegalStateException.class, lease::segment);
    }
  }

  @Test
  void closing_a_pool_with_an_open_lease_names_where_the_lease_was_taken() {
    SegmentPool pool = new SegmentPool(1 << 20);
    Lease forgotten = pool.lease(10);
    IllegalStateException leak = assertThrows(IllegalStateException.class, pool::close);
    String here = "closing_a_pool_with_an_open_lease_names_where_the_lease_was_taken";
    assertTrue(
        Arrays.stream(leak.getSuppressed()[0].getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals(here)));
    forgotten.close();
  }

  @Test
  void memory_leased_from_an_abandoned_pool_can_be_used_until_it_is_returned() {
    SegmentPool pool = new SegmentPool(1 << 20);
    Lease lease = pool.lease(10);
    MemorySegment memory = lease.segment();
    pool.abandon();
    memory.fill((byte) 1);
    assertThrows(IllegalStateException.class, () -> pool.lease(10));
    lease.close();
    assertFalse(memory.scope().isAlive());
    pool.close();
  }

  @Test
  void a_closed_pool_leases_nothing_and_frees_returned_memory() {
    SegmentPool pool = new SegmentPool(1 << 20);
    Lease open = pool.lease(10);
    var memory = open.segment();
    assertThrows(IllegalStateException.class, pool::close);
    assertThrows(IllegalStateException.class, () -> pool.lease(10));
    open.close();
    assertEquals(false, memory.scope().isAlive());
  }

  /** Each thread fills its leases with its own number and checks that they do not change. */
  @Test
  void threads_at_once_never_share_memory() throws InterruptedException {
    int threads = 6;
    AtomicInteger disturbed = new AtomicInteger();
    try (SegmentPool pool = new SegmentPool(1 << 18)) {
      List<Thread> started = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        byte own = (byte) (i + 1);
        Random random = new Random(i);
        started.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int n = 0; n < 400; n++) {
                    try (Lease one = pool.lease(random.nextInt(1 << 17));
                        Lease other = pool.lease(random.nextInt(1 << 13))) {
                      one.segment().fill(own);
                      other.segment().fill((byte) -own);
                      Thread.yield();
                      if (!isFilled(one.segment(), own) || !isFilled(other.segment(), -own)) {
                        disturbed.incrementAndGet();
                      }
                    }
                  }
                }));
      }
      for (Thread thread : started) {
        thread.join();
      }
    }
    assertEquals(0, disturbed.get());
  }

  private static boolean isFilled(MemorySegment memory, int value) {
    for (byte one : memory.toArray(ValueLayout.JAVA_BYTE)) {
      if (one != value) {
        return false;
      }
    }
    return true;
  }

  @Test
  void memory_beyond_the_limit_is_freed() {
    try (SegmentPool pool = new SegmentPool(0)) {
      Lease lease = pool.lease(1 << 16);
      var memory = lease.segment();
      lease.close();
      assertEquals(false, memory.scope().isAlive());
    }
  }
}
