package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.EngineException;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of ranks and storage. */
@Timeout(60)
class ShipperFailureTest {
  static final Duration SHORT = Duration.ofSeconds(2);
  static final Duration BOUND = Duration.ofSeconds(15);

  @TempDir Path folder;

  private Setting setting(int ioRanks, Placement.Kind kind) {
    return setting(folder, ioRanks, kind);
  }

  /** Creates a container of four shards in a folder, with low limits for each client. */
  static Setting setting(Path folder, int ioRanks, Placement.Kind kind) {
    return Setting.created(
        folder, 4, ShipperOptions.DEFAULT.with(ioRanks, kind).withLimits(8, 1 << 20, 512, 1 << 20));
  }

  /** Writes until an exception is thrown, which must come in bounded time. */
  static ShipperException failed(Setting setting, ShipperClient client) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < BOUND.toNanos()) {
      try {
        var ticket = client.transactions().startNext();
        for (int n = 0; n < 8; n++) {
          setting.put(client, ticket, Setting.tile(100 * client.number() + n), "x".repeat(n * 200));
        }
        client.transactions().finish(ticket);
        client.transactions().awaitReadable(ticket);
      } catch (ShipperException e) {
        return e;
      } catch (EngineException e) {
        // The client whose change has failed; its next request names the rank.
        assertTrue(e.getMessage().contains("injected"), e.getMessage());
      } catch (TransactionException e) {
        // The leader has aborted the transaction before the rank has failed.
        assertTrue(
            e.refusal() == Refusal.STORAGE || e.refusal() == Refusal.ABORTED, e.getMessage());
      }
    }
    throw new AssertionError("no failure within " + BOUND);
  }

  /** Runs a program on all clients, while the storage of one I/O rank fails. */
  private void failing(
      int ranks,
      Setting setting,
      BiConsumer<Integer, String> fault,
      int failingRank,
      String cause) {
    var served = new AtomicInteger();
    LocalRanks.run(
        ranks,
        world -> {
          var source = new Faulty(setting.source(), fault);
          var shipper = setting.open(world, source);
          if (shipper.client().isPresent()) {
            var client = shipper.client().get();
            var e = failed(setting, client);
            assertEquals(failingRank, e.rank(), e.getMessage());
            assertTrue(e.getMessage().contains(cause), e.getMessage());
            var later =
                assertThrows(ShipperException.class, () -> client.transactions().startNext());
            assertEquals(e.getMessage(), later.getMessage());
            assertThrows(
                ShipperException.class, () -> client.container().shard(1).find(Setting.tile(1), 1));
            shipper.close();
          } else {
            var e = assertThrows(ShipperException.class, shipper::close);
            assertEquals(failingRank, e.rank());
            served.incrementAndGet();
          }
        });
    assertEquals(
        setting.options().kind() == Placement.Kind.SHARED ? 0 : setting.options().ioRanks(),
        served.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Changes.put", "Shard.change"})
  void a_failing_storage_ends_the_requests_of_all_clients(String where) {
    var setting = setting(2, Placement.Kind.LAST);
    var calls = new AtomicInteger();
    failing(
        5,
        setting,
        (shard, method) -> {
          if (shard == 1 && method.equals(where) && calls.incrementAndGet() > 5) {
            throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
          }
        },
        4,
        "injected");
  }

  @Test
  void a_failing_storage_is_noticed_where_ranks_compute_and_serve() {
    var calls = new AtomicInteger();
    failing(
        4,
        setting(2, Placement.Kind.SHARED),
        (shard, method) -> {
          if (shard == 1 && method.equals("Changes.put") && calls.incrementAndGet() > 5) {
            throw Faulty.engine(EngineException.Fault.UNAVAILABLE, shard);
          }
        },
        2,
        "injected");
  }

  @Test
  void an_error_in_the_loop_of_an_io_rank_ends_the_requests_of_all_clients() {
    var calls = new AtomicInteger();
    failing(
        4,
        setting(2, Placement.Kind.LAST),
        (shard, method) -> {
          if (shard == 0 && method.equals("Changes.put") && calls.incrementAndGet() > 7) {
            throw new OutOfMemoryError("injected");
          }
        },
        2,
        "injected");
  }

  @Test
  void a_failure_to_abort_ends_the_requests_of_all_clients() {
    failing(
        4,
        setting(2, Placement.Kind.LAST),
        (shard, method) -> {
          if (shard == 3 && (method.equals("Shard.abort") || method.equals("Changes.prepare"))) {
            throw new IllegalStateException("injected");
          }
        },
        3,
        "injected");
  }

  @Test
  void a_failing_storage_is_named_on_all_processes_of_mpirun() throws Exception {
    var mpirun = MpirunLauncher.find();
    Assumptions.assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome =
        mpirun.get().run(4, RankedSuite.class.getName(), ShipperFailureCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("2 passed, 0 failed"), outcome.output());
  }

  @Test
  void a_full_storage_fails_the_transaction_only() {
    var setting = setting(1, Placement.Kind.LAST);
    var isFull = new AtomicBoolean(true);
    LocalRanks.run(
        2,
        world -> {
          var source =
              new Faulty(
                  setting.source(),
                  (shard, method) -> {
                    if (isFull.get() && method.equals("Changes.put")) {
                      throw Faulty.engine(EngineException.Fault.NO_SPACE, shard);
                    }
                  });
          try (var shipper = setting.open(world, source)) {
            shipper
                .client()
                .ifPresent(client -> {
                  var ticket = client.transactions().startNext();
                  var e =
                      assertThrows(
                          EngineException.class,
                          () -> setting.put(client, ticket, Setting.tile(1), "lost"));
                  assertEquals(EngineException.Fault.NO_SPACE, e.fault());
                  assertEquals("E5", e.code());
                  assertThrows(EngineException.class, () -> client.transactions().finish(ticket));
                  client.transactions().abort(ticket, AbortExtent.ONE);
                  isFull.set(false);
                  var next = client.transactions().startNext();
                  setting.put(client, next, Setting.tile(1), "kept");
                  client.transactions().finish(next);
                  client.transactions().awaitReadable(next);
                  assertEquals(Optional.of("kept"), setting.get(client, Setting.tile(1)));
                });
          }
        });
  }

  @Test
  void a_client_that_leaves_aborts_the_transactions_that_need_it() {
    var setting = setting(2, Placement.Kind.LAST);
    setting.run(
        5,
        client -> {
          var transactions = client.transactions();
          if (client.number() == 2) {
            var own = transactions.start(1, 3);
            setting.put(client, own, Setting.tile(2), "lost");
            return;
          }
          var e =
              assertThrows(
                  TransactionException.class,
                  () -> {
                    var ticket = transactions.start(1, 3);
                    setting.put(client, ticket, Setting.tile(client.number()), "lost");
                    transactions.finish(ticket);
                    transactions.awaitReadable(ticket);
                  });
          assertTrue(
              e.refusal() == Refusal.LOST
                  || e.refusal() == Refusal.ABORTED
                  || e.refusal() == Refusal.STATE,
              e.getMessage());
          var next = transactions.start(2, 2);
          setting.put(client, next, Setting.tile(10 + client.number()), "kept");
          transactions.finish(next);
          transactions.awaitReadable(next);
          assertEquals(Optional.empty(), setting.get(client, Setting.tile(client.number())));
          assertEquals(Optional.of("kept"), setting.get(client, Setting.tile(10)));
        });
  }

  @Test
  void a_request_that_waits_for_other_clients_ends_after_the_patience() {
    var setting = setting(1, Placement.Kind.LAST).patient(SHORT);
    setting.run(
        3,
        client -> {
          if (client.number() == 0) {
            var ticket = client.transactions().start(1, 2);
            client.transactions().finish(ticket);
            var e =
                assertThrows(
                    ShipperException.class, () -> client.transactions().awaitReadable(ticket));
            assertTrue(e.getMessage().contains("AwaitReadable"), e.getMessage());
            // The I/O rank is not lost.
            assertEquals(0, client.container().readableMark());
          } else {
            // Still here, but it does not take part.
            long start = System.nanoTime();
            while (System.nanoTime() - start < SHORT.toNanos() * 2) {
              client.progress();
              Thread.onSpinWait();
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void a_rank_that_fails_anywhere_ends_all_ranks_and_frees_the_container(int rank) {
    var setting = setting(2, Placement.Kind.LAST).patient(SHORT);
    for (long point = 0; point < 400; point = point * 3 / 2 + 7) {
      var schedule = Schedule.free().failing(rank, point);
      var e =
          assertThrows(
              RuntimeException.class,
              () ->
                  LocalRanks.run(
                      4,
                      schedule,
                      world -> {
                        try (var shipper = setting.open(world, setting.source())) {
                          shipper.client().ifPresent(client -> failed(setting, client));
                        }
                      }));
      var all = new ArrayList<Throwable>(List.of(e.getSuppressed()));
      all.add(e);
      assertTrue(
          all.stream().anyMatch(Schedule.InjectedFailure.class::isInstance)
              || all.toString().contains("injected failure"),
          all.toString());
    }
    // No rank holds the container any more.
    setting.with(ShipperOptions.DEFAULT).run(1, client -> assertEquals(0, client.number()));
  }

  @Test
  void a_rank_that_does_not_leave_is_reported() {
    var setting = setting(1, Placement.Kind.LAST).patient(SHORT);
    var reports = new AtomicInteger();
    LocalRanks.run(
        3,
        world -> {
          var shipper = setting.open(world, setting.source());
          if (world.rank() == 1) {
            // Leaves its body without a close.
            return;
          }
          var e = assertThrows(ShipperException.class, shipper::close);
          assertTrue(e.getMessage().contains("ranks=[1]"), e.getMessage());
          reports.incrementAndGet();
        });
    assertEquals(2, reports.get());
  }

  @Test
  void another_thread_is_refused() throws Exception {
    var setting = setting(1, Placement.Kind.LAST);
    setting.run(
        2,
        client -> {
          var refused = new AtomicBoolean();
          var thread =
              new Thread(() -> {
                assertThrows(
                    IllegalStateException.class,
                    () -> client.container().shard(0).find(Setting.tile(1), 1));
                refused.set(true);
              });
          thread.start();
          try {
            thread.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          assertTrue(refused.get());
        });
  }
}
