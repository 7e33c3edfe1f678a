package io.skerry.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LocalRanksTest {
  private static final int TAG = 5;

  private static final class Agreed extends RuntimeException implements AgreedFailure {
    private static final long serialVersionUID = 1;

    private final Communicator.RankSet ranks;

    Agreed(Communicator ranks) {
      this.ranks = ranks.rankSet();
    }

    @Override
    public Communicator.RankSet agreedRanks() {
      return ranks;
    }
  }

  private static MemorySegment bytes(int n) {
    return MemorySegment.ofArray(new byte[n]);
  }

  private static void assertContains(String part, Throwable t) {
    assertTrue(t.getMessage().contains(part), t.getMessage());
  }

  @Test
  void results_are_returned_by_rank() {
    assertEquals(List.of(0, 10, 20), LocalRanks.call(3, world -> world.rank() * 10));
    assertThrows(IllegalArgumentException.class, () -> LocalRanks.run(0, _ -> {}));
  }

  @Test
  void threads_may_split_a_communicator_of_one_rank_beside_a_reduction() throws Exception {
    try (var world = Communicator.self().duplicate();
        var threads = Executors.newSingleThreadExecutor()) {
      var splits =
          threads.submit(() -> {
            for (int i = 0; i < 20_000; i++) {
              world.split(0, 0).close();
            }
          });
      while (!splits.isDone()) {
        assertEquals(7, world.allReduce(7, Reduction.SUM));
      }
      splits.get();
    }
  }

  @Test
  void a_failing_rank_ends_all_waits_and_its_failure_is_rethrown() {
    var seen = new ConcurrentHashMap<Integer, MpiException>();
    var thrown =
        assertThrows(
            UncheckedIOException.class,
            () ->
                LocalRanks.run(
                    4,
                    world -> {
                      if (world.rank() == 2) {
                        throw new IOException("disk gone");
                      }
                      try {
                        world.barrier();
                      } catch (MpiException e) {
                        seen.put(world.rank(), e);
                        throw e;
                      }
                    }));
    assertEquals("disk gone", thrown.getCause().getMessage());
    assertEquals(3, seen.size());
    seen.forEach((rank, e) -> {
      assertEquals(MpiErrorClass.PEER_FAILED, e.errorClass());
      assertEquals("barrier", e.operation());
      assertEquals("world", e.communicator());
      assertEquals(rank, e.rank());
      assertContains("rank 2 failed with java.io.IOException: disk gone", e);
    });
    assertEquals(3, thrown.getCause().getSuppressed().length);
  }

  @Test
  void runtime_exceptions_and_errors_are_rethrown_unchanged_and_checked_ones_wrapped() {
    var error = new AssertionError("no");
    assertSame(
        error, assertThrows(AssertionError.class, () -> LocalRanks.run(2, _ -> sneak(error))));
    var checked =
        assertThrows(
            CompletionException.class,
            () ->
                LocalRanks.run(
                    1,
                    _ -> {
                      throw new InterruptedException("x");
                    }));
    assertInstanceOf(InterruptedException.class, checked.getCause());
  }

  private static void sneak(Error error) {
    throw error;
  }

  @Test
  void an_agreed_failure_is_thrown_unchanged_on_every_rank() {
    for (long seed = 0; seed < 20; seed++) {
      long s = seed;
      var kinds = ConcurrentHashMap.<Class<?>>newKeySet();
      assertThrows(
          Agreed.class,
          () ->
              LocalRanks.run(
                  4,
                  Schedule.jittered(s),
                  world -> {
                    try {
                      world.allReduce(1, Reduction.MAX);
                      throw new Agreed(world);
                    } catch (RuntimeException e) {
                      kinds.add(e.getClass());
                      throw e;
                    }
                  }));
      assertEquals(Set.of(Agreed.class), kinds);
    }
  }

  @Test
  void different_collectives_at_one_point_fail_on_all_ranks_with_both_names() {
    for (int ranks : new int[] {2, 3, 7}) {
      var messages = ConcurrentHashMap.<String>newKeySet();
      assertThrows(
          MpiException.class,
          () ->
              LocalRanks.run(
                  ranks,
                  world -> {
                    try {
                      if (world.rank() == 0) {
                        world.barrier();
                      } else {
                        world.allReduce(1, Reduction.SUM);
                      }
                    } catch (MpiException e) {
                      assertEquals(MpiErrorClass.MISMATCH, e.errorClass());
                      messages.add(e.text());
                      throw e;
                    }
                  }));
      assertEquals(1, messages.size(), messages.toString());
      var text = messages.iterator().next();
      assertTrue(text.contains("barrier") && text.contains("allReduce SUM of I64"), text);
    }
  }

  @Test
  void differing_roots_sizes_and_reductions_are_mismatches() {
    assertMismatch(world -> world.broadcast(bytes(8), world.rank()));
    assertMismatch(world -> world.broadcast(bytes(8 + world.rank()), 0));
    assertMismatch(world -> world.allReduce(1, world.rank() == 0 ? Reduction.SUM : Reduction.MAX));
    assertMismatch(world ->
        world.allToAllVariable(
            bytes(1),
            world.rank() == 0 ? new long[] {0, 1} : new long[] {1, 0},
            new long[2],
            bytes(2),
            world.rank() == 0 ? new long[] {0, 2} : new long[] {1, 0},
            new long[2]));
  }

  private static void assertMismatch(LocalRanks.Body body) {
    var e =
        assertThrows(
            MpiException.class,
            () ->
                LocalRanks.run(
                    2,
                    world -> {
                      body.run(world);
                      world.barrier();
                    }));
    assertEquals(MpiErrorClass.MISMATCH, e.errorClass(), e.getMessage());
  }

  @Test
  void a_deadlock_is_reported_with_what_each_rank_waits_for() {
    for (var schedule : List.of(Schedule.free(), Schedule.seeded(3), Schedule.jittered(3))) {
      var e =
          assertThrows(
              MpiException.class,
              () ->
                  LocalRanks.run(
                      3,
                      schedule,
                      world -> {
                        switch (world.rank()) {
                          case 0 -> world.receive(bytes(1), 1, TAG);
                          case 1 -> world.barrier();
                          default -> {}
                        }
                      }));
      assertEquals(MpiErrorClass.DEADLOCK, e.errorClass());
      assertContains("rank 0 waits in receive of world for tag 5 of rank 1", e);
      assertContains("rank 1 is in barrier of world", e);
      assertContains("rank 2 has left", e);
    }
  }

  @Test
  void two_ranks_that_both_send_first_deadlock_only_under_some_seeds() {
    int deadlocks = 0;
    for (long seed = 0; seed < 20; seed++) {
      try {
        LocalRanks.run(
            2,
            Schedule.seeded(seed),
            world -> {
              world.send(bytes(1), 1 - world.rank(), TAG);
              world.receive(bytes(1), 1 - world.rank(), TAG);
            });
      } catch (MpiException e) {
        assertEquals(MpiErrorClass.DEADLOCK, e.errorClass());
        deadlocks++;
      }
    }
    assertTrue(deadlocks > 0 && deadlocks < 20, "deadlocks=" + deadlocks);
  }

  @Test
  void abort_ends_every_rank() {
    var e =
        assertThrows(
            MpiException.class,
            () ->
                LocalRanks.run(
                    3,
                    world -> {
                      if (world.rank() == 1) {
                        world.abort(9);
                      }
                      world.barrier();
                    }));
    assertEquals(MpiErrorClass.ABORTED, e.errorClass());
    assertContains("rank 1 aborted the job with code 9", e);
    assertEquals(2, e.getSuppressed().length);
  }

  /** Returns the sends and any-source receives of all ranks in the order of their completion. */
  private static List<String> trace(Schedule schedule) {
    var trace = Collections.synchronizedList(new ArrayList<String>());
    LocalRanks.run(
        4,
        schedule,
        world -> {
          for (int round = 0; round < 5; round++) {
            if (world.rank() == round % 4) {
              for (int i = 0; i < 3; i++) {
                trace.add(round + "<" + world.receive(bytes(1), Communicator.ANY_SOURCE, TAG));
              }
            } else {
              world.sendLater(bytes(1), round % 4, TAG).await();
              trace.add(round + ":" + world.rank());
            }
            world.allReduce(1, Reduction.SUM);
          }
        });
    return List.copyOf(trace);
  }

  @Test
  void a_serialized_schedule_is_reproducible_from_its_seed() {
    var traces = new HashSet<List<String>>();
    for (long seed = 0; seed < 10; seed++) {
      var first = trace(Schedule.seeded(seed));
      assertEquals(first, trace(Schedule.seeded(seed)), "seed " + seed);
      traces.add(first);
    }
    assertTrue(traces.size() >= 9, "distinct interleavings: " + traces.size());
  }

  @Test
  void a_rank_fails_at_the_point_in_the_schedule() {
    for (var base : List.of(Schedule.free(), Schedule.seeded(1), Schedule.jittered(1))) {
      long[] reached = new long[3];
      var e =
          assertThrows(
              Schedule.InjectedFailure.class,
              () ->
                  LocalRanks.run(
                      3,
                      base.failing(1, 4),
                      world -> {
                        for (int i = 0; i < 10; i++) {
                          world.allReduce(1, Reduction.SUM);
                          reached[world.rank()]++;
                        }
                      }));
      assertContains("rank=1 call=4 operation=allReduce", e);
      assertEquals(4, reached[1]);
      assertTrue(reached[0] <= 4 && reached[2] <= 4);
    }
  }

  @Test
  void delays_do_not_change_results() {
    for (long seed = 0; seed < 5; seed++) {
      var sums =
          LocalRanks.call(
              7,
              Schedule.jittered(seed),
              world ->
                  LongStream.range(0, 20)
                      .map(i -> world.allReduce(i * world.rank(), Reduction.SUM))
                      .sum());
      assertEquals(Collections.nCopies(7, 21L * 190), sums);
    }
  }

  @Test
  void a_collective_waits_only_for_ranks_whose_data_it_needs() {
    LocalRanks.run(
        2,
        world -> {
          // Rank 1 joins the broadcast only after it has received the message that rank 0 sends
          // after the broadcast, so the root must not wait for rank 1.
          if (world.rank() == 0) {
            world.broadcast(bytes(1), 0);
            world.send(bytes(1), 1, TAG);
          } else {
            world.receive(bytes(1), 0, TAG);
            world.broadcast(bytes(1), 0);
          }
        });
  }

  @Test
  void the_text_of_a_schedule_describes_it() {
    assertNotEquals(Schedule.seeded(1), Schedule.jittered(1));
    assertThrows(IllegalArgumentException.class, () -> Schedule.free().failing(-1, 0));
    assertEquals(
        List.of(new Schedule.FailurePoint(1, 2)), Schedule.seeded(9).failing(1, 2).failures());
  }
}
