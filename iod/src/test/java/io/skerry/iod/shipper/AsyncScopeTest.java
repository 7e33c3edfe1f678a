package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.VersionChoice;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations without waiting, the window, and the memory of values. */
@Timeout(60)
class AsyncScopeTest {
  @TempDir Path folder;

  private Setting setting(int requests, long bytes, int inline, long held) {
    return Setting.created(
        folder,
        3,
        ShipperOptions.DEFAULT
            .with(2, Placement.Kind.LAST)
            .with(Conflicts.REFUSED, Durability.BUFFERED)
            .withLimits(requests, bytes, inline, held));
  }

  private static Pending<Boolean> put(
      Setting setting, ShipperClient client, Ticket ticket, long tile, MemorySegment value) {
    var place = Setting.tile(tile);
    return client.put(ticket, setting.shardOf(place), place, value);
  }

  @Test
  void a_whole_transaction_is_started_without_waiting() {
    var setting = setting(4, 20_000, 64, 10_000);
    setting.run(
        3,
        client -> {
          var ticket = client.transactions().startNext();
          try (var scope = client.scope()) {
            for (int n = 0; n < 60; n++) {
              var value = Setting.bytes(n + "x".repeat(n * 50));
              int tile = n;
              scope.start(() -> put(setting, client, ticket, tile, value));
            }
            // The finish depends on the changes, and the others on the finish.
            scope.start(() -> client.ask(id -> new Request.Finish(client.number(), id, ticket)));
            scope.start(
                () -> client.ask(id -> new Request.AwaitReadable(client.number(), id, ticket)));
            Pending<Reply> context =
                scope.start(() ->
                    client.ask(
                        id -> new Request.Acquire(client.number(), id, VersionChoice.LAST, 0)));
            assertEquals(63, scope.size());
            assertEquals(0, scope.waitAll());
            assertTrue(context.await() instanceof Reply.Acquired);
          }
          for (int n = 0; n < 60; n++) {
            assertEquals(Optional.of(n + "x".repeat(n * 50)), setting.get(client, Setting.tile(n)));
          }
          var statistics = client.statistics();
          assertTrue(statistics.mostCalls() == 4, statistics.toString());
          assertTrue(statistics.mostCallBytes() <= 20_000, statistics.toString());
        });
  }

  @Test
  void reads_that_are_started_before_the_first_is_awaited_overlap() {
    var setting = setting(16, 1 << 20, 64, 1 << 20);
    setting.run(
        3,
        client -> {
          var ticket = client.transactions().startNext();
          for (int n = 0; n < 40; n++) {
            var unused = put(setting, client, ticket, n, Setting.bytes("value " + n)).await();
          }
          client.transactions().finish(ticket);
          client.transactions().awaitReadable(ticket);
          var context = client.transactions().acquire(VersionChoice.LAST, 0);
          assertTrue(client.statistics().mostCalls() < 3, client.statistics().toString());
          var reads = new ArrayList<Supplier<Optional<MemorySegment>>>();
          for (int n = 0; n < 40; n++) {
            var place = Setting.tile(n);
            var shard = client.at(context).shard(setting.shardOf(place));
            reads.add(
                shard.getLater(place, context.transaction(), ValueCheck.BY_ENGINE, Arena.ofAuto()));
          }
          for (int n = 0; n < 40; n++) {
            assertEquals(
                -1, reads.get(n).get().orElseThrow().mismatch(Setting.bytes("value " + n)));
          }
          assertTrue(client.statistics().mostCalls() >= 8, client.statistics().toString());
        });
  }

  @Test
  void windows_and_memory_of_io_ranks_are_limited() {
    var setting = setting(16, 6000, 64, 4000);
    LocalRanks.run(
        6,
        world -> {
          try (var shipper = setting.open(world, setting.source())) {
            if (shipper.client().isEmpty()) {
              shipper.serve();
              long held = shipper.statistics().mostHeldBytes();
              assertTrue(held > 1500 && held <= 4000 + 1500, "held=" + held);
              return;
            }
            var client = shipper.client().get();
            var ticket = client.transactions().start(1, 4);
            try (var scope = client.scope()) {
              for (int n = 0; n < 100; n++) {
                long tile = 4L * n + client.number();
                var value = MemorySegment.ofArray(new byte[1500]);
                scope.start(() -> put(setting, client, ticket, tile, value));
              }
            }
            client.transactions().finish(ticket);
            client.transactions().awaitReadable(ticket);
            var context = client.transactions().acquire(VersionChoice.LAST, 0);
            try (var scope = client.scope()) {
              var reads = new ArrayList<Pending<Optional<MemorySegment>>>();
              for (int n = 0; n < 400; n++) {
                var place = Setting.tile(n);
                reads.add(
                    scope.start(
                        () -> client.get(context, setting.shardOf(place), place, Arena.ofAuto())));
              }
              assertEquals(0, scope.waitAll());
              for (var read : reads) {
                assertEquals(1500, read.await().orElseThrow().byteSize());
              }
            }
            var statistics = client.statistics();
            assertTrue(statistics.mostCalls() <= 16, statistics.toString());
            assertEquals(6000, statistics.mostCallBytes());
          }
        });
  }

  @Test
  void a_value_that_is_larger_than_all_limits_is_sent_alone() {
    var setting = setting(4, 1000, 64, 1000);
    setting.run(
        4,
        client -> {
          var ticket = client.transactions().start(1, 2);
          try (var scope = client.scope()) {
            for (int n = 0; n < 6; n++) {
              int tile = 2 * n + client.number();
              var value = MemorySegment.ofArray(new byte[n % 2 == 0 ? 50_000 : 10]);
              scope.start(() -> put(setting, client, ticket, tile, value));
            }
          }
          client.transactions().finish(ticket);
          client.transactions().awaitReadable(ticket);
          assertEquals(50_000, client.statistics().mostCallBytes());
        });
  }

  @Test
  void failures_are_collected() {
    var setting = setting(8, 100_000, 512, 100_000);
    setting.run(
        3,
        client -> {
          var ticket = client.transactions().startNext();
          var lost = new Ticket(ticket.session(), ticket.number() + 1_000_000);
          var stale = new Ticket(ticket.session() - 1, ticket.number());
          var scope = client.scope();
          Pending<Boolean> good =
              scope.start(() -> put(setting, client, ticket, 1, Setting.bytes("kept")));
          scope.start(() -> put(setting, client, stale, 2, Setting.bytes("lost")));
          scope.start(() -> client.ask(id -> new Request.Finish(client.number(), id, lost)));
          scope.start(() -> client.ask(id -> new Request.Skip(client.number(), id, 9, 5)));
          assertEquals(3, scope.waitAll());
          assertTrue(good.await());
          var errors = scope.errors();
          assertEquals(3, errors.size(), errors.toString());
          assertTrue(errors.getFirst().getMessage().contains("earlier session"));
          assertEquals(List.of(), scope.errors());
          scope.start(() -> put(setting, client, stale, 2, Setting.bytes("lost")));
          scope.start(() -> put(setting, client, stale, 3, Setting.bytes("lost")));
          var e = assertThrows(RuntimeException.class, scope::close);
          assertEquals(1, e.getSuppressed().length);
        });
  }

  @Test
  void operations_that_were_not_sent_are_cancelled() {
    var setting = setting(1, 1_000_000, 64, 1_000_000);
    setting.run(
        3,
        client -> {
          var ticket = client.transactions().startNext();
          var scope = client.scope();
          var puts = new ArrayList<Pending<Boolean>>();
          for (int n = 0; n < 20; n++) {
            int tile = n;
            var value = MemorySegment.ofArray(new byte[500]);
            puts.add(scope.start(() -> put(setting, client, ticket, tile, value)));
          }
          int withdrawn = scope.cancel();
          // One call to each I/O rank has been sent.
          assertEquals(18, withdrawn);
          assertEquals(0, scope.waitAll());
          int cancelled = 0;
          for (var put : puts) {
            assertTrue(put.isDone());
            if (put.failure().isPresent()) {
              assertThrows(CancellationException.class, put::await);
              cancelled++;
            }
          }
          assertEquals(18, cancelled);
          assertThrows(
              IllegalStateException.class,
              () -> scope.start(() -> put(setting, client, ticket, 1, Setting.bytes("late"))));
          // The transaction must not be finished without the changes that were withdrawn.
          assertThrows(CancellationException.class, () -> client.transactions().finish(ticket));
        });
  }

  @Test
  void values_are_sent_from_the_memory_of_the_caller_and_received_into_it() {
    var setting = setting(8, 1 << 20, 512, 1 << 20);
    Set<Long> addresses = ConcurrentHashMap.newKeySet();
    var received = new AtomicLong();
    setting.run(
        3,
        world ->
            world.rank() > 0
                ? world
                : Wire.tapped(
                    world,
                    new Wire.Tap() {
                      @Override
                      public io.skerry.mpi.Request send(
                          Communicator inner, MemorySegment buffer, int destination, int tag) {
                        if (tag == Wire.TO_SERVER) {
                          addresses.add(buffer.address());
                        }
                        return inner.sendLater(buffer, destination, tag);
                      }

                      @Override
                      public void receives(MemorySegment buffer, int tag) {
                        if (tag == Wire.TO_CLIENT) {
                          received.set(buffer.address());
                        }
                      }
                    }),
        client -> {
          try (var arena = Arena.ofConfined()) {
            var value = arena.allocate(100_000).fill((byte) 7);
            var ticket = client.transactions().startNext();
            var place = Setting.tile(5);
            var shard = client.changing(ticket).shard(setting.shardOf(place));
            Changes changes = shard.change(ticket.number());
            changes.put(place, value);
            // The memory is free again, also on a transport without copies.
            changes.prepare(Durability.BUFFERED);
            client.transactions().finish(ticket);
            client.transactions().awaitReadable(ticket);
            assertEquals(Set.of(value.address()), addresses);
            var context = client.transactions().acquire(VersionChoice.LAST, 0);
            var memory = arena.allocate(100_000);
            var found =
                client
                    .at(context)
                    .shard(setting.shardOf(place))
                    .get(place, context.transaction(), (_, _) -> memory)
                    .orElseThrow();
            assertEquals(memory.address(), received.get());
            assertEquals(-1, found.mismatch(value));
          }
        });
  }

  @Test
  void a_pair_with_a_long_key_in_a_shard_of_another_rank_is_removed() {
    var setting = setting(8, 1 << 20, 32 << 10, 1 << 20);
    setting.run(
        3,
        client -> {
          for (int length : new int[] {16_000, 40_000, Place.LONGEST_KEY}) {
            // Each zero byte takes two bytes in a message.
            var key = Bytes.of(MemorySegment.ofArray(new byte[length]));
            var place = new Place.Pair(9, key);
            var ticket = client.transactions().startNext();
            setting.put(client, ticket, place, "value");
            client.transactions().finish(ticket);
            client.transactions().awaitReadable(ticket);
            assertEquals(Optional.of("value"), setting.get(client, place));
            var next = client.transactions().startNext();
            var shard = client.changing(next).shard(setting.shardOf(place));
            var changes = shard.change(next.number());
            changes.remove(place);
            changes.prepare(Durability.BUFFERED);
            client.transactions().finish(next);
            client.transactions().awaitReadable(next);
            assertEquals(Optional.empty(), setting.get(client, place));
          }
        });
  }

  @Test
  void the_flushes_of_all_shards_are_started_before_the_first_wait() {
    var setting = setting(64, 1 << 20, 512, 1 << 20);
    var firstFlush = new AtomicBoolean();
    var unsentFlushes = new CountDownLatch(3);
    var flushesBeforeAnswers = new AtomicBoolean(true);
    var firstRank =
        new Wire.Tap() {
          @Override
          public io.skerry.mpi.Request send(
              Communicator inner, MemorySegment buffer, int destination, int tag) {
            if (tag == Wire.MESSAGE && buffer.get(ValueLayout.JAVA_BYTE, 5) == 3) {
              firstFlush.set(true);
              unsentFlushes.countDown();
            }
            return inner.sendLater(buffer, destination, tag);
          }
        };
    // The I/O ranks answer nothing between the first and the last flush. A client that waits for
    // an answer before it has sent all flushes waits until the time limit below.
    var ioRanks =
        new Wire.Tap() {
          @Override
          public io.skerry.mpi.Request send(
              Communicator inner, MemorySegment buffer, int destination, int tag) {
            if (firstFlush.get() && !sent(unsentFlushes)) {
              flushesBeforeAnswers.set(false);
            }
            return inner.sendLater(buffer, destination, tag);
          }
        };
    setting.run(
        3,
        world -> Wire.tapped(world, world.rank() == 0 ? firstRank : ioRanks),
        client -> {
          var ticket = client.transactions().startNext();
          var changes =
              ObjectStore.of(client.changing(ticket), ChecksumLevel.STORE).change(ticket.number());
          for (int n = 0; n < 30; n++) {
            changes.put(Setting.tile(n), MemorySegment.ofArray(new byte[10]));
          }
          changes.flush();
          changes.prepare(Durability.BUFFERED);
          client.transactions().finish(ticket);
        });
    assertEquals(0, unsentFlushes.getCount());
    assertTrue(flushesBeforeAnswers.get(), "a flush was sent only after an answer");
  }

  private static boolean sent(CountDownLatch unsent) {
    try {
      return unsent.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void one_rank_sends_no_messages() {
    var setting = Setting.created(folder, 3, ShipperOptions.DEFAULT.with(1, Placement.Kind.SHARED));
    setting.run(
        1,
        client -> {
          for (int round = 0; round < 5; round++) {
            var ticket = client.transactions().startNext();
            for (int n = 0; n < 10; n++) {
              setting.put(client, ticket, Setting.tile(n), round + "x".repeat(n * 10_000));
            }
            client.transactions().finish(ticket);
            client.transactions().persist(ticket);
            assertEquals(
                Optional.of(round + "x".repeat(50_000)), setting.get(client, Setting.tile(5)));
          }
          assertEquals(0, client.statistics().messages());
        });
  }

  @Test
  void small_changes_are_sent_together() {
    var setting = setting(8, 1 << 20, 32 << 10, 1 << 20);
    setting.run(
        3,
        client -> {
          var ticket = client.transactions().startNext();
          var store = client.changing(ticket);
          var open = new ArrayList<Changes>();
          for (int shard = 0; shard < setting.shards(); shard++) {
            open.add(store.shard(shard).change(ticket.number()));
          }
          long before = client.statistics().messages();
          var shards = new HashSet<Integer>();
          for (int n = 0; n < 300; n++) {
            var place = Setting.tile(3 * n);
            shards.add(setting.shardOf(place));
            open.get(setting.shardOf(place)).put(place, Setting.bytes("value " + n));
          }
          open.forEach(changes -> changes.prepare(Durability.BUFFERED));
          long sent = client.statistics().messages() - before;
          assertTrue(sent < 10, "messages=" + sent);
          System.out.println("300 changes in " + sent + " messages, shards=" + shards);
          client.transactions().finish(ticket);
          client.transactions().awaitReadable(ticket);
          assertEquals(Optional.of("value 299"), setting.get(client, Setting.tile(897)));
        });
  }
}
