package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.KeyPlacement;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.iod.transaction.VersionChoice;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several clients in the same transactions, with one I/O rank or several. */
@Timeout(120)
class ShippedTransactionsTest {
  @TempDir Path folder;

  private static ShipperOptions options(int ioRanks, Placement.Kind kind) {
    return ShipperOptions.DEFAULT.with(ioRanks, kind).with(Conflicts.REFUSED, Durability.BUFFERED);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, SHARED, 32768", "2, 1, LAST, 64", "2, 1, SHARED, 32768", "2, 2, SHARED, 64",
    "4, 2, LAST, 1000", "4, 2, SHARED, 64", "4, 3, EVERY_KTH, 200", "6, 3, EVERY_KTH, 64",
    "6, 1, LAST, 300", "6, 3, SHARED, 500"
  })
  void programs_of_several_clients_do_what_a_map_does(
      int ranks, int ioRanks, Placement.Kind kind, int inline) {
    var setting =
        Setting.created(folder, 5, options(ioRanks, kind).withLimits(3, 2000, inline, 3000));
    setting.run(ranks, client -> SharedProgram.run(setting, client, ranks * 31L + ioRanks));
  }

  @ParameterizedTest
  @CsvSource({"1, 1, SHARED", "3, 1, LAST", "4, 2, SHARED"})
  void requests_that_are_not_waited_for_are_executed_before_the_client_leaves(
      int ranks, int ioRanks, Placement.Kind kind) {
    var setting = Setting.created(folder, 5, options(ioRanks, kind));
    setting.run(
        ranks,
        client -> {
          if (client.number() == client.clients() - 1) {
            var ticket = client.transactions().startNext();
            setting.put(client, ticket, Setting.tile(1), "kept");
            var finish = client.ask(id -> new Request.Finish(client.number(), id, ticket));
            var persist = client.ask(id -> new Request.Persist(client.number(), id, ticket));
            assertTrue(finish.failure().isEmpty() && persist.failure().isEmpty());
          }
        });
    setting.run(ranks, client -> assertEquals(1, client.container().readableMark()));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4"})
  void the_order_of_messages_does_not_matter(long seed) {
    var setting =
        Setting.created(folder, 3, options(2, Placement.Kind.LAST).withLimits(4, 2000, 64, 900));
    LocalRanks.run(
        4,
        seed % 2 == 0 ? Schedule.jittered(seed) : Schedule.seeded(seed),
        world -> {
          try (var shipper = setting.open(world, setting.source())) {
            shipper.client().ifPresent(client -> SharedProgram.run(setting, client, seed));
          }
        });
  }

  @Test
  void two_clients_fill_a_map_in_one_transaction() {
    var setting = Setting.created(folder, 4, options(2, Placement.Kind.LAST));
    var map = ObjectId.ofPairs(KeyPlacement.SPREAD, 9);
    setting.run(
        4,
        client -> {
          var ticket = client.transactions().start(1, 2);
          var store = ObjectStore.of(client.changing(ticket), ChecksumLevel.ALL);
          try (var changes = store.change(1)) {
            var writer = new KeyValueWriter(map, changes);
            for (int n = 0; n < 50; n++) {
              writer.put(key(client.number() + " " + n), Setting.bytes("value " + n));
            }
            assertEquals(
                Optional.of("value 3"),
                writer
                    .reader()
                    .get(key(client.number() + " 3"), Arena.ofAuto())
                    .map(Setting::text));
            changes.prepare(Durability.BUFFERED);
          }
          client.transactions().finish(ticket);
          client.transactions().awaitReadable(ticket);
          var context = client.transactions().acquire(VersionChoice.EXACT, 1);
          var values = ObjectStore.of(client.at(context), ChecksumLevel.ALL).at(1);
          var object = new KeyValueObject(map, values);
          assertEquals(100, object.count());
          assertEquals(
              Optional.of("value 7"),
              object.get(key(1 - client.number() + " 7"), Arena.ofAuto()).map(Setting::text));
          client.transactions().release(context);
        });
  }

  private static Bytes key(String text) {
    return Bytes.of(Setting.bytes(text));
  }

  @Test
  void a_place_that_two_clients_change_is_refused() {
    var setting = Setting.created(folder, 2, options(1, Placement.Kind.LAST));
    setting.run(
        3,
        client -> {
          var ticket = client.transactions().start(1, 2);
          var place = Setting.tile(3);
          if (client.number() == 0) {
            setting.put(client, ticket, place, "first");
            client.transactions().finish(ticket);
          } else {
            awaitVersion(client, setting, ticket, place);
            var e =
                assertThrows(
                    TransactionException.class, () -> setting.put(client, ticket, place, "second"));
            assertEquals(Refusal.WRITTEN_TWICE, e.refusal(), e.getMessage());
            // The change has failed, so the transaction cannot be finished by mistake.
            var again =
                assertThrows(
                    TransactionException.class, () -> client.transactions().finish(ticket));
            assertEquals(Refusal.WRITTEN_TWICE, again.refusal());
            client.transactions().abort(ticket, AbortExtent.AND_HIGHER);
          }
        });
  }

  /** Waits until another client has written a place in an open transaction. */
  private static void awaitVersion(
      ShipperClient client, Setting setting, Ticket ticket, Place place) {
    var shard = client.changing(ticket).shard(setting.shardOf(place));
    var view = client.container().shard(setting.shardOf(place));
    while (view.find(place, ticket.number()).isEmpty()) {
      shard.change(ticket.number()).flush();
    }
  }

  @Test
  void closing_changes_without_preparation_aborts_the_transaction() {
    var setting = Setting.created(folder, 3, options(1, Placement.Kind.LAST));
    setting.run(
        2,
        client -> {
          var ticket = client.transactions().startNext();
          var store = ObjectStore.of(client.changing(ticket), ChecksumLevel.STORE);
          try (var changes = store.change(ticket.number())) {
            changes.put(Setting.tile(1), Setting.bytes("lost"));
            changes.put(Setting.tile(2), Setting.bytes("lost"));
          }
          var e =
              assertThrows(TransactionException.class, () -> client.transactions().finish(ticket));
          assertTrue(
              e.refusal() == Refusal.STATE || e.refusal() == Refusal.ABORTED, e.getMessage());
          assertEquals(Optional.empty(), setting.get(client, Setting.tile(1)));
        });
  }

  @Test
  void views_of_transactions_refuse_what_the_leader_does() {
    var setting = Setting.created(folder, 2, options(1, Placement.Kind.LAST));
    setting.run(
        2,
        client -> {
          var ticket = client.transactions().startNext();
          var view = client.changing(ticket);
          assertThrows(IllegalStateException.class, () -> view.advance(0, 1));
          assertThrows(IllegalStateException.class, () -> view.shard(0).purge(0));
          assertThrows(IllegalArgumentException.class, () -> view.shard(0).change(99));
          var whole = client.container();
          assertThrows(IllegalStateException.class, () -> whole.shard(0).change(1));
          assertThrows(IllegalStateException.class, () -> whole.advance(0, 1));
          assertThrows(IllegalStateException.class, () -> whole.snapshots().take("s", 0));
          assertThrows(IllegalArgumentException.class, () -> whole.shard(2));
          var context = client.transactions().acquire(VersionChoice.LAST, 0);
          assertThrows(IllegalStateException.class, () -> client.at(context).shard(0).change(1));
          assertEquals(0, client.at(context).readableMark());
        });
  }

  @Test
  void a_container_is_opened_with_other_numbers_of_io_ranks() {
    var setting = Setting.created(folder, 5, options(1, Placement.Kind.SHARED));
    int[][] shapes = {{1, 1}, {4, 2}, {4, 3}, {6, 3}, {2, 1}};
    for (int round = 0; round < shapes.length; round++) {
      int before = round;
      int ranks = shapes[round][0];
      var kind = ranks == 1 ? Placement.Kind.SHARED : Placement.Kind.LAST;
      setting
          .with(options(shapes[round][1], kind))
          .run(
              ranks,
              client -> {
                for (int r = 0; r < before; r++) {
                  for (int n = 0; n < 20; n++) {
                    assertEquals(
                        Optional.of("round " + r), setting.get(client, Setting.tile(r * 100 + n)));
                  }
                }
                if (client.number() == 0) {
                  var ticket = client.transactions().startNext();
                  for (int n = 0; n < 20; n++) {
                    setting.put(client, ticket, Setting.tile(before * 100 + n), "round " + before);
                  }
                  client.transactions().finish(ticket);
                  client.transactions().persist(ticket);
                  assertEquals(before + 1, client.transactions().snapshot("s" + before));
                  assertTrue(client.container().snapshots().names().contains("s" + before));
                }
              });
    }
  }
}
