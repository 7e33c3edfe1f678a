package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Request;
import io.skerry.mpi.Schedule;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of ranks, storage and messages. */
@Timeout(60)
class ShipperFailureTest {
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration BOUND = Duration.ofSeconds(15);

  @TempDir Path folder;

  private Setting setting(int ioRanks, Placement.Kind kind) {
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

  @ParameterizedTest
  @EnumSource
  void a_container_that_cannot_be_opened_is_reported_on_all_ranks(Placement.Kind kind) {
    var missing = new EngineLocation("iod", folder.resolve("missing").toString());
    var count = new AtomicInteger();
    LocalRanks.run(
        4,
        world -> {
          var source = ContainerSource.of(missing, Opening.writing());
          var options = ShipperOptions.DEFAULT.with(2, kind);
          var e =
              assertThrows(ContainerException.class, () -> Shipper.open(world, options, source));
          assertEquals(ContainerException.Reason.MISSING, e.reason());
          assertTrue(e.getCause() instanceof ShipperException, String.valueOf(e.getCause()));
          count.incrementAndGet();
        });
    assertEquals(4, count.get());
  }

  @Test
  void a_shard_that_cannot_be_recovered_is_reported_on_all_ranks() {
    var setting = setting(2, Placement.Kind.LAST);
    var count = new AtomicInteger();
    LocalRanks.run(
        4,
        world -> {
          var source =
              new Faulty(
                  setting.source(),
                  (shard, method) -> {
                    if (shard == 1 && method.equals("Shard.recover")) {
                      throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
                    }
                  });
          var e = assertThrows(ShipperException.class, () -> setting.open(world, source));
          assertEquals(3, e.rank(), e.getMessage());
          assertTrue(e.getMessage().contains("injected"), e.getMessage());
          count.incrementAndGet();
        });
    assertEquals(4, count.get());
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

  /** Changes the messages of one rank that fulfil a condition. */
  private static Communicator tapped(
      Communicator world, int rank, BiPredicate<MemorySegment, Integer> condition, long bit) {
    if (world.rank() != rank) {
      return world;
    }
    return Wire.tapped(
        world,
        new Wire.Tap() {
          @Override
          public Request send(Communicator inner, MemorySegment buffer, int destination, int tag) {
            if (!condition.test(buffer, tag)) {
              return inner.sendLater(buffer, destination, tag);
            }
            return bit < 0
                ? Wire.dropped(buffer, tag)
                : Wire.damaged(inner, buffer, destination, tag, bit);
          }
        });
  }

  private static int kind(MemorySegment frame) {
    return Byte.toUnsignedInt(frame.get(ValueLayout.JAVA_BYTE, 5));
  }

  @Test
  void damaged_bulk_data_to_an_io_rank_is_found() {
    var setting = setting(1, Placement.Kind.LAST);
    var isDamaged = new AtomicBoolean(true);
    setting.run(
        2,
        world ->
            tapped(world, 0, (_, tag) -> tag == Wire.TO_SERVER && isDamaged.getAndSet(false), 700),
        client -> {
          var ticket = client.transactions().startNext();
          var e =
              assertThrows(
                  FormatException.class,
                  () -> setting.put(client, ticket, Setting.tile(1), "x".repeat(5000)));
          assertTrue(e.getMessage().contains("checksum of the payload"), e.getMessage());
          assertThrows(FormatException.class, () -> client.transactions().finish(ticket));
          var next = client.transactions().startNext();
          setting.put(client, next, Setting.tile(1), "y".repeat(5000));
          client.transactions().finish(next);
        });
  }

  @Test
  void damaged_bulk_data_to_a_client_is_found() {
    var setting = setting(1, Placement.Kind.LAST);
    var isDamaged = new AtomicBoolean(true);
    setting.run(
        2,
        world ->
            tapped(world, 1, (_, tag) -> tag == Wire.TO_CLIENT && isDamaged.getAndSet(false), 700),
        client -> {
          var ticket = client.transactions().startNext();
          setting.put(client, ticket, Setting.tile(1), "x".repeat(5000));
          client.transactions().finish(ticket);
          client.transactions().awaitReadable(ticket);
          var e = assertThrows(FormatException.class, () -> setting.get(client, Setting.tile(1)));
          assertTrue(e.getMessage().contains("checksum of the payload"), e.getMessage());
          assertEquals(Optional.of("x".repeat(5000)), setting.get(client, Setting.tile(1)));
        });
  }

  @Test
  void without_checksums_damaged_bulk_data_is_not_found_on_its_way() {
    var setting = setting(1, Placement.Kind.LAST);
    setting
        .with(setting.options().with(ChecksumLevel.OFF))
        .run(
            2,
            world -> tapped(world, 0, (_, tag) -> tag == Wire.TO_SERVER, 700),
            client -> {
              var ticket = client.transactions().startNext();
              setting.put(client, ticket, Setting.tile(1), "x".repeat(5000));
              client.transactions().finish(ticket);
              client.transactions().awaitReadable(ticket);
              var found = setting.get(client, Setting.tile(1)).orElseThrow();
              assertEquals(5000, found.length());
              assertTrue(!found.equals("x".repeat(5000)));
            });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5, 9, 17, 25, 33, 41, 50})
  void a_client_whose_message_is_damaged_is_given_up(long at) {
    var setting = setting(2, Placement.Kind.LAST).patient(SHORT);
    setting.run(
        5,
        world -> tapped(world, 1, (frame, tag) -> tag == Wire.MESSAGE && kind(frame) == 1, at),
        client -> {
          var ticket = client.transactions().startNext();
          if (client.number() == 1) {
            var e =
                assertThrows(
                    ShipperException.class,
                    () -> {
                      setting.put(client, ticket, Setting.tile(1), "lost");
                      client.transactions().finish(ticket);
                    });
            assertTrue(e.getMessage().contains("FORMAT"), e.getMessage());
          } else {
            setting.put(client, ticket, Setting.tile(10 + client.number()), "kept");
            client.transactions().finish(ticket);
          }
        });
  }

  @Test
  void a_client_whose_announced_data_does_not_arrive_is_given_up() {
    var setting = setting(2, Placement.Kind.LAST).patient(SHORT);
    setting.run(
        5,
        world -> tapped(world, 1, (_, tag) -> tag == Wire.TO_SERVER, -1),
        client -> {
          var transactions = client.transactions();
          var ticket = transactions.start(1, 3);
          if (client.number() == 1) {
            var e =
                assertThrows(
                    ShipperException.class,
                    () -> {
                      setting.put(client, ticket, Setting.tile(1), "x".repeat(5000));
                      transactions.finish(ticket);
                    });
            assertTrue(e.getMessage().contains("rank=1"), e.getMessage());
            assertTrue(e.getMessage().contains("has not arrived within 2000 ms"), e.getMessage());
          } else {
            transactions.finish(ticket);
            long start = System.nanoTime();
            assertThrows(RuntimeException.class, () -> transactions.awaitReadable(ticket));
            assertTrue(System.nanoTime() - start < BOUND.toNanos());
          }
        });
  }

  @Test
  void an_io_rank_that_does_not_answer_is_reported() {
    var setting = setting(1, Placement.Kind.LAST).patient(SHORT);
    setting.run(
        3,
        world -> tapped(world, 2, (frame, tag) -> tag == Wire.MESSAGE && kind(frame) == 32, -1),
        client -> {
          var ticket = client.transactions().startNext();
          long start = System.nanoTime();
          var e =
              assertThrows(
                  ShipperException.class,
                  () -> {
                    setting.put(client, ticket, Setting.tile(1), "x");
                  });
          assertEquals(2, e.rank());
          assertTrue(e.getMessage().contains("no result of Edit within 3000 ms"), e.getMessage());
          assertTrue(System.nanoTime() - start < BOUND.toNanos());
          assertThrows(ShipperException.class, () -> client.transactions().startNext());
        });
  }

  @Test
  void an_io_rank_that_does_not_answer_the_leader_is_reported() {
    var setting = setting(2, Placement.Kind.LAST).patient(SHORT);
    LocalRanks.run(
        4,
        world -> {
          var shipper =
              setting.open(
                  tapped(world, 3, (frame, tag) -> tag == Wire.MESSAGE && kind(frame) == 114, -1),
                  setting.source());
          if (shipper.client().isEmpty()) {
            assertEquals(3, assertThrows(ShipperException.class, shipper::close).rank());
            return;
          }
          var client = shipper.client().get();
          long start = System.nanoTime();
          var e = failed(setting, client);
          assertEquals(3, e.rank());
          assertTrue(e.getMessage().contains("no answer to an order"), e.getMessage());
          assertTrue(System.nanoTime() - start < BOUND.toNanos());
          shipper.close();
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
