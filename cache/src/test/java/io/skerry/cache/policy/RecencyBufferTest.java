package io.skerry.cache.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecencyBufferTest {
  /**
   * An element of a buffer.
   *
   * @param thread number of the thread that offered it
   * @param index index among the elements of the thread
   */
  private record Hit(int thread, int index) {}

  private static List<Hit> drain(RecencyBuffer<Hit> buffer) {
    List<Hit> drained = new ArrayList<>();
    buffer.drainTo(drained::add);
    return drained;
  }

  @Test
  void elements_come_out_in_order_and_are_lost_only_when_the_ring_is_full() {
    RecencyBuffer<Hit> buffer = new RecencyBuffer<>(4, 16);
    for (int round = 0; round < 5; round++) {
      List<Hit> offered = new ArrayList<>();
      for (int index = 0; index < 16; index++) {
        offered.add(new Hit(round, index));
        assertTrue(buffer.offer(offered.getLast()), "room for 16: index=" + index);
      }
      assertFalse(buffer.offer(new Hit(round, 16)));
      assertEquals(offered, drain(buffer));
      assertEquals(List.of(), drain(buffer));
    }
  }

  @Test
  void a_partly_drained_ring_wraps_around() {
    RecencyBuffer<Hit> buffer = new RecencyBuffer<>(1, 8);
    for (int index = 0; index < 1_000; index++) {
      assertTrue(buffer.offer(new Hit(0, index)));
      if (index % 3 == 2) {
        assertEquals(3, drain(buffer).size());
      }
    }
  }

  @Test
  void a_consumer_that_throws_gets_no_element_twice() {
    RecencyBuffer<Hit> buffer = new RecencyBuffer<>(1, 8);
    buffer.offer(new Hit(0, 0));
    buffer.offer(new Hit(0, 1));
    assertThrows(
        IllegalStateException.class,
        () ->
            buffer.drainTo(hit -> {
              throw new IllegalStateException("no");
            }));
    assertEquals(List.of(new Hit(0, 1)), drain(buffer));
  }

  @Test
  void sizes_that_are_no_powers_of_two_are_refused() {
    assertThrows(IllegalArgumentException.class, () -> new RecencyBuffer<Hit>(3, 8));
    assertThrows(IllegalArgumentException.class, () -> new RecencyBuffer<Hit>(4, 0));
  }

  @Test
  void adjacent_threads_do_not_share_a_stripe() throws InterruptedException {
    RecencyBuffer<Hit> buffer = new RecencyBuffer<>(4, 16);
    AtomicInteger taken = new AtomicInteger();
    for (int thread = 0; thread < 4; thread++) {
      int number = thread;
      Thread offering =
          Thread.ofPlatform()
              .start(() -> {
                for (int index = 0; index < 20; index++) {
                  taken.addAndGet(buffer.offer(new Hit(number, index)) ? 1 : 0);
                }
              });
      offering.join();
    }
    assertEquals(taken.get(), drain(buffer).size());
    assertTrue(taken.get() > 16, "all threads had one ring: taken=" + taken);
  }

  /**
   * Threads that offer elements, and drain the buffer when no other thread does, as in the cache.
   */
  private static final class Crowd {
    private static final int COUNT = 200_000;

    private final RecencyBuffer<Hit> buffer;
    private final ReentrantLock draining = new ReentrantLock();
    private final List<Hit> drained = new ArrayList<>();
    private final List<boolean[]> taken = new ArrayList<>();

    Crowd(int threads, RecencyBuffer<Hit> buffer) throws Exception {
      this.buffer = buffer;
      CyclicBarrier start = new CyclicBarrier(threads);
      try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
        List<Future<boolean[]>> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
          int number = thread;
          running.add(
              pool.submit(() -> {
                start.await();
                return offerAndDrain(number);
              }));
        }
        for (Future<boolean[]> thread : running) {
          taken.add(thread.get());
        }
      }
      buffer.drainTo(drained::add);
    }

    /** Offers elements; returns, for each of them, whether the buffer accepted it. */
    private boolean[] offerAndDrain(int thread) {
      boolean[] mine = new boolean[COUNT];
      for (int index = 0; index < COUNT; index++) {
        mine[index] = buffer.offer(new Hit(thread, index));
        if (index % 3 == 0 && draining.tryLock()) {
          try {
            buffer.drainTo(drained::add);
          } finally {
            draining.unlock();
          }
        }
      }
      return mine;
    }

    /** Checks that the accepted elements of each thread were drained once and in order. */
    void check() {
      int[] next = new int[taken.size()];
      for (Hit hit : drained) {
        int expected = nextTaken(hit.thread(), next[hit.thread()]);
        assertEquals(expected, hit.index(), "out of order, twice, or never taken: " + hit);
        next[hit.thread()] = expected + 1;
      }
      for (int thread = 0; thread < next.length; thread++) {
        assertEquals(COUNT, nextTaken(thread, next[thread]), "taken and never drained");
      }
    }

    private int nextTaken(int thread, int from) {
      int index = from;
      while (index < COUNT && !taken.get(thread)[index]) {
        index++;
      }
      return index;
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 1", "2, 1, 2", "2, 1, 8", "2, 1, 64", "4, 1, 16", "4, 2, 8", "4, 4, 256"})
  void elements_of_many_threads_come_out_once_and_in_the_order_of_each_thread(
      int threads, int stripes, int slots) throws Exception {
    Crowd crowd = new Crowd(threads, new RecencyBuffer<>(stripes, slots));
    crowd.check();
    assertFalse(crowd.drained.isEmpty());
  }

  @Test
  void a_thread_alone_in_its_ring_loses_nothing_until_it_is_full() throws Exception {
    int slots = 16;
    RecencyBuffer<Hit> buffer = new RecencyBuffer<>(1, slots);
    AtomicInteger drained = new AtomicInteger();
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<Integer> offering =
          pool.submit(() -> {
            int taken = 0;
            for (int index = 0; index < 200_000; index++) {
              int out = drained.get();
              if (buffer.offer(new Hit(0, index))) {
                taken++;
              } else {
                assertTrue(taken - out >= slots, "refused with " + (taken - out) + " inside");
              }
            }
            return taken;
          });
      while (!offering.isDone()) {
        buffer.drainTo(hit -> drained.incrementAndGet());
      }
      buffer.drainTo(hit -> drained.incrementAndGet());
      assertEquals(offering.get(), drained.get());
    }
  }

  @Test
  void an_offer_allocates_nothing() {
    RecencyBuffer<Hit> buffer = new RecencyBuffer<>();
    Hit hit = new Hit(0, 0);
    int offers = 100_000;
    int[] drained = new int[1];
    long allocated =
        Allocation.of(() -> {
          for (int i = 0; i < offers; i++) {
            buffer.offer(hit);
            if (i % 200 == 0) {
              buffer.drainTo(each -> drained[0]++);
            }
          }
        });
    assertTrue(drained[0] > offers, "drained=" + drained[0]);
    // The consumer allocates one object for each drain.
    assertTrue(allocated < offers, "allocated=" + allocated + " offers=" + offers);
  }
}
