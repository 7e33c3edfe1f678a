package io.skerry.cache.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.skerry.cache.Crowd;
import io.skerry.cache.RandomSelections;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import io.skerry.selection.Selection;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs random requests on many threads, some of which are interrupted, and checks the concurrent
 * accesses of each element.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestOrderRaceTest {
  private static final int SEEDS = 1000;
  private static final int THREADS = 6;
  private static final int REQUESTS = 12;

  /**
   * The accesses of each element: the requests that run, and the latest request that has started.
   */
  private static final class Elements {
    private final AtomicIntegerArray readers = new AtomicIntegerArray(RandomSelections.ELEMENTS);
    private final AtomicIntegerArray writers = new AtomicIntegerArray(RandomSelections.ELEMENTS);
    private final AtomicLongArray lastRead = new AtomicLongArray(RandomSelections.ELEMENTS);
    private final AtomicLongArray lastWritten = new AtomicLongArray(RandomSelections.ELEMENTS);

    void begin(int element, Kind kind, long number) {
      if (lastWritten.get(element) >= number) {
        fail("request " + number + " after a later writer at element " + element);
      }
      if (kind == Kind.READ) {
        readers.incrementAndGet(element);
        lastRead.accumulateAndGet(element, number, Math::max);
      } else {
        if (lastRead.get(element) >= number) {
          fail("request " + number + " after a later reader at element " + element);
        }
        lastWritten.set(element, number);
        assertEquals(1, writers.incrementAndGet(element), "writers at once");
        assertEquals(0, readers.get(element), "readers beside a writer");
      }
      if (kind == Kind.READ) {
        assertEquals(0, writers.get(element), "writers beside a reader");
      }
    }

    void end(int element, Kind kind) {
      (kind == Kind.READ ? readers : writers).decrementAndGet(element);
    }
  }

  /** The run of one seed. */
  private static final class Run {
    private final long seed;
    private final RequestOrder order = new RequestOrder("/a", 2, new WaitForGraph());
    private final Elements elements = new Elements();
    private final AtomicInteger interrupted = new AtomicInteger();

    /** All elements have equal values while no writer is running. */
    private final AtomicLongArray values = new AtomicLongArray(RandomSelections.ELEMENTS);

    private final AtomicLong quietReads = new AtomicLong();

    Run(long seed) {
      this.seed = seed;
    }

    void requests(Crowd crowd, int thread) {
      Random random = new Random(seed * THREADS + thread);
      RandomSelections selections = new RandomSelections(random);
      for (int i = 0; i < REQUESTS; i++) {
        if (random.nextInt(10) == 0) {
          crowd.interruptAny(random);
        }
        Kind kind = random.nextInt(3) == 0 ? Kind.WRITE : Kind.READ;
        boolean whole = random.nextInt(10) == 0;
        Selection selection = whole ? Selection.all() : selections.next();
        long bits = RandomSelections.elements(selection);
        quietRead();
        try (Ticket ticket = whole ? order.enterAll(kind) : order.enter(selection, kind)) {
          each(bits, element -> elements.begin(element, kind, ticket.number()));
          if (kind == Kind.WRITE) {
            assertEquals(1, order.stamp() % 2);
          }
          if (kind == Kind.WRITE && whole) {
            each(bits, values::getAndIncrement);
          }
          pause(random);
          each(bits, element -> elements.end(element, kind));
        } catch (RequestInterruptedException e) {
          assertTrue(Thread.interrupted());
          interrupted.incrementAndGet();
        }
      }
    }

    private void quietRead() {
      long stamp = order.stamp();
      long first = values.get(0);
      boolean same =
          IntStream.range(0, RandomSelections.ELEMENTS).allMatch(e -> values.get(e) == first);
      if (order.validate(stamp)) {
        assertTrue(same, "half of a write seen between two equal stamps");
        quietReads.incrementAndGet();
      }
    }

    private static void pause(Random random) {
      for (int i = random.nextInt(4); i > 0; i--) {
        Thread.yield();
      }
    }

    private static void each(long bits, IntConsumer action) {
      for (long rest = bits; rest != 0; rest &= rest - 1) {
        action.accept(Long.numberOfTrailingZeros(rest));
      }
    }
  }

  @Test
  void conflicting_requests_neither_run_concurrently_nor_overtake_each_other() {
    int interrupted = 0;
    long quiet = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Run run = new Run(seed);
      Crowd.run(THREADS, run::requests);
      assertEquals(0, run.order.unfinished());
      assertEquals(0, run.order.stamp() % 2);
      interrupted += run.interrupted.get();
      quiet += run.quietReads.get();
    }
    assertTrue(interrupted > 0, "interrupts that met a waiting thread: " + interrupted);
    assertTrue(quiet > 0, "reads without a ticket: " + quiet);
  }

  /** Threads that hold a request and make another one, each to either of two datasets. */
  private static final class Nested {
    private final WaitForGraph waits = new WaitForGraph();
    private final RequestOrder[] orders = {
      new RequestOrder("/a", 2, waits), new RequestOrder("/b", 2, waits)
    };
    private final AtomicInteger refused = new AtomicInteger();
    private final long seed;

    Nested(long seed) {
      this.seed = seed;
    }

    void requests(Crowd crowd, int thread) {
      Random random = new Random(seed * THREADS + thread);
      RandomSelections selections = new RandomSelections(random);
      for (int i = 0; i < REQUESTS; i++) {
        // An interrupt also ends a deadlock, so half of the runs have no interrupts.
        if (seed % 2 == 0 && random.nextInt(10) == 0) {
          crowd.interruptAny(random);
        }
        // A refusal of the first request is an error: its thread holds no request.
        try (Ticket _ = enter(random, selections)) {
          Thread.yield();
          try (Ticket _ = enter(random, selections)) {
            Thread.yield();
          } catch (IllegalStateException e) {
            refused.incrementAndGet();
          }
        } catch (RequestInterruptedException e) {
          assertTrue(Thread.interrupted());
        }
      }
    }

    private Ticket enter(Random random, RandomSelections selections) {
      Kind kind = random.nextInt(2) == 0 ? Kind.WRITE : Kind.READ;
      return orders[random.nextInt(2)].enter(selections.next(), kind);
    }
  }

  @Test
  void threads_that_hold_requests_and_make_more_never_deadlock() {
    int refused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Nested run = new Nested(seed);
      Crowd.run(THREADS, run::requests);
      assertEquals(0, run.orders[0].unfinished() + run.orders[1].unfinished());
      refused += run.refused.get();
    }
    assertTrue(refused > 0, "deadlocks that were broken: " + refused);
  }
}
