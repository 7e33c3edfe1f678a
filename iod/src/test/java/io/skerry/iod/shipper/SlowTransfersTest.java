package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.transaction.VersionChoice;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Failures while values are sent or received, on a transport that does not copy them. */
@Timeout(60)
class SlowTransfersTest {
  private static final int SIZE = 100_000;

  @TempDir Path folder;

  /** A transfer that begins after a time. */
  private static final class Late implements Request {
    private final long start = System.nanoTime();
    private final Duration delay;
    private final Supplier<Request> transfer;
    private Optional<Request> begun = Optional.empty();

    Late(Duration delay, Supplier<Request> transfer) {
      this.delay = delay;
      this.transfer = transfer;
    }

    @Override
    public boolean done() {
      if (begun.isEmpty() && System.nanoTime() - start > delay.toNanos()) {
        begun = Optional.of(transfer.get());
      }
      return begun.map(Request::done).orElse(false);
    }

    @Override
    public Received await() {
      return begun.orElseThrow().await();
    }
  }

  /** Delays the bulk data that a rank sends to I/O ranks. */
  private static Communicator slow(
      Communicator world, Duration delay, ConcurrentLinkedQueue<MemorySegment> sending) {
    return Wire.tapped(
        world,
        new Wire.Tap() {
          @Override
          public Request send(Communicator inner, MemorySegment buffer, int destination, int tag) {
            if (tag != Wire.TO_SERVER) {
              return inner.sendLater(buffer, destination, tag);
            }
            sending.add(buffer);
            return new Late(
                delay,
                () -> {
                  assertTrue(buffer.scope().isAlive(), "the memory was released too early");
                  return inner.sendLater(buffer, destination, tag);
                });
          }
        });
  }

  /** Fails at the first change in shard 0. */
  private static Faulty failing(Setting setting) {
    return new Faulty(
        setting.source(),
        (shard, method) -> {
          if (shard == 0 && method.equals("Changes.put")) {
            throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
          }
        });
  }

  @Test
  void memory_is_not_released_while_it_is_sent_although_another_io_rank_has_failed() {
    var setting = ShipperFailureTest.setting(folder, 2, Placement.Kind.LAST);
    var sending = new ConcurrentLinkedQueue<MemorySegment>();
    LocalRanks.run(
        3,
        world -> {
          var ranks = world.rank() == 0 ? slow(world, Duration.ofSeconds(1), sending) : world;
          var shipper = setting.open(ranks, failing(setting));
          if (shipper.client().isEmpty()) {
            assertThrows(ShipperException.class, shipper::close);
            return;
          }
          var client = shipper.client().get();
          var ticket = client.transactions().startNext();
          var store = client.changing(ticket);
          store.shard(0).change(ticket.number()).put(Setting.tile(1), Setting.bytes("small"));
          var changes = store.shard(1).change(ticket.number());
          try (var arena = Arena.ofConfined()) {
            changes.put(Setting.tile(2), arena.allocate(SIZE));
          }
          assertEquals(1, sending.size());
          var e = assertThrows(ShipperException.class, () -> changes.prepare(Durability.BUFFERED));
          assertTrue(e.getMessage().contains("injected"), e.getMessage());
          shipper.close();
        });
  }

  @Test
  void memory_that_is_sent_for_longer_than_the_patience_is_not_released() {
    var setting =
        ShipperFailureTest.setting(folder, 2, Placement.Kind.LAST)
            .patient(ShipperFailureTest.SHORT);
    var sending = new ConcurrentLinkedQueue<MemorySegment>();
    LocalRanks.run(
        3,
        world -> {
          var ranks = world.rank() == 0 ? slow(world, Duration.ofSeconds(50), sending) : world;
          var shipper = setting.open(ranks, failing(setting));
          if (shipper.client().isEmpty()) {
            assertThrows(ShipperException.class, shipper::close);
            return;
          }
          var client = shipper.client().get();
          var ticket = client.transactions().startNext();
          var store = client.changing(ticket);
          store.shard(0).change(ticket.number()).put(Setting.tile(1), Setting.bytes("small"));
          var changes = ObjectStore.of(store, ChecksumLevel.OFF).change(ticket.number());
          var e =
              assertThrows(
                  ShipperException.class,
                  () -> {
                    for (int n = 0; n < 20; n++) {
                      changes.put(Setting.tile(n), MemorySegment.ofArray(new byte[SIZE]));
                    }
                  });
          assertTrue(e.getMessage().contains("memory"), e.getMessage());
          assertTrue(sending.stream().allMatch(buffer -> buffer.scope().isAlive()));
          shipper.close();
        });
  }

  @Test
  void memory_is_not_released_while_a_late_value_is_received() {
    var setting =
        ShipperFailureTest.setting(folder, 1, Placement.Kind.LAST)
            .patient(ShipperFailureTest.SHORT);
    var receiving = new AtomicReference<>(MemorySegment.NULL);
    var isAlive = new ConcurrentLinkedQueue<Boolean>();
    setting.run(
        2,
        world ->
            Wire.tapped(
                world,
                new Wire.Tap() {
                  @Override
                  public Request send(
                      Communicator inner, MemorySegment buffer, int destination, int tag) {
                    if (tag != Wire.TO_CLIENT) {
                      return inner.sendLater(buffer, destination, tag);
                    }
                    return new Late(
                        Duration.ofMillis(3500),
                        () -> {
                          isAlive.add(receiving.get().scope().isAlive());
                          return inner.sendLater(buffer, destination, tag);
                        });
                  }

                  @Override
                  public void receives(MemorySegment buffer, int tag) {
                    if (tag == Wire.TO_CLIENT) {
                      receiving.set(buffer);
                    }
                  }
                }),
        client -> {
          var ticket = client.transactions().startNext();
          setting.put(client, ticket, Setting.tile(1), "x".repeat(SIZE));
          client.transactions().finish(ticket);
          client.transactions().awaitReadable(ticket);
          var context = client.transactions().acquire(VersionChoice.LAST, 0);
          var shard = client.at(context).shard(setting.shardOf(Setting.tile(1)));
          var e =
              assertThrows(
                  ShipperException.class,
                  () -> {
                    try (var arena = Arena.ofConfined()) {
                      var unused = shard.get(Setting.tile(1), context.transaction(), arena);
                    }
                  });
          assertTrue(e.getMessage().contains("no result of Get within 3000 ms"), e.getMessage());
          long start = System.nanoTime();
          while (isAlive.isEmpty() && System.nanoTime() - start < Duration.ofSeconds(5).toNanos()) {
            client.progress();
          }
          assertEquals(List.of(true), List.copyOf(isAlive));
        });
  }

  @Test
  void an_io_rank_that_is_given_up_as_a_client_still_serves_the_others() {
    var setting =
        ShipperFailureTest.setting(folder, 2, Placement.Kind.SHARED)
            .patient(ShipperFailureTest.SHORT);
    LocalRanks.run(
        2,
        world -> {
          var sending = new ConcurrentLinkedQueue<MemorySegment>();
          var ranks = world.rank() == 1 ? slow(world, Duration.ofMillis(2500), sending) : world;
          try (var shipper = setting.open(ranks, setting.source())) {
            var client = shipper.client().orElseThrow();
            if (world.rank() == 1) {
              var ticket = client.transactions().startNext();
              var changes = client.changing(ticket).shard(0).change(ticket.number());
              var e =
                  assertThrows(
                      ShipperException.class,
                      () -> {
                        changes.put(Setting.tile(1), MemorySegment.ofArray(new byte[SIZE]));
                        changes.prepare(Durability.BUFFERED);
                      });
              assertTrue(e.getMessage().contains("has not arrived"), e.getMessage());
            }
            world.barrier();
            if (world.rank() == 0) {
              var ticket = client.transactions().startNext();
              var changes = client.changing(ticket).shard(1).change(ticket.number());
              changes.put(Setting.tile(1), Setting.bytes("kept"));
              changes.prepare(Durability.BUFFERED);
              client.transactions().finish(ticket);
              client.transactions().persist(ticket);
              assertEquals(ticket.number(), client.container().readableMark());
            }
            world.barrier();
          }
        });
  }
}
