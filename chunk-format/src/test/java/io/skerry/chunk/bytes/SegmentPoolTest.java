package io.skerry.chunk.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SegmentPoolTest {
  @Test
  void memory_given_back_is_used_again() {
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
  void a_lease_that_was_given_back_cannot_be_used() {
    try (SegmentPool pool = new SegmentPool(1 << 20)) {
      Lease lease = pool.lease(10);
      lease.close();
      lease.close();
      assertThrows(IllegalStateException.class, lease::segment);
    }
  }

  @Test
  void a_pool_closed_with_an_open_lease_tells_where_it_was_taken() {
    SegmentPool pool = new SegmentPool(1 << 20);
    Lease forgotten = pool.lease(10);
    IllegalStateException leak = assertThrows(IllegalStateException.class, pool::close);
    assertEquals(
        "a_pool_closed_with_an_open_lease_tells_where_it_was_taken",
        leak.getSuppressed()[0].getStackTrace()[1].getMethodName());
    forgotten.close();
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
