package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.iod.transaction.VersionChoice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** A random program of all clients in the same transactions, compared with a map after each. */
final class SharedProgram {
  private static final int ROUNDS = 12;
  private static final int PLACES = 40;

  private SharedProgram() {}

  /** The same program on all clients: all compute the changes of all, and make their own. */
  static void run(Setting setting, ShipperClient client, long seed) {
    var random = new Random(seed);
    int clients = client.clients();
    Map<Long, String> model = new TreeMap<>();
    for (long number = 1; number <= ROUNDS; number++) {
      boolean isAborted = random.nextInt(4) == 0;
      int aborting = random.nextInt(clients);
      Map<Long, String> changed = new TreeMap<>(model);
      Map<Long, Optional<String>> own = new TreeMap<>();
      for (int n = 0; n < PLACES; n++) {
        long tile = random.nextInt(PLACES);
        boolean isRemoved = random.nextInt(4) == 0;
        int length = random.nextInt(3) == 0 ? random.nextInt(3000) : random.nextInt(20);
        String value = number + " " + tile + "x".repeat(length);
        if (isRemoved) {
          changed.remove(tile);
        } else {
          changed.put(tile, value);
        }
        if (tile % clients == client.number()) {
          own.put(tile, isRemoved ? Optional.empty() : Optional.of(value));
        }
      }
      if (isAborted) {
        aborted(setting, client, number, clients, client.number() == aborting, own);
      } else {
        committed(setting, client, number, clients, own);
        model = changed;
        compare(setting, client, number, model);
      }
    }
  }

  private static void committed(
      Setting setting,
      ShipperClient client,
      long number,
      int clients,
      Map<Long, Optional<String>> own) {
    var transactions = client.transactions();
    Ticket ticket = transactions.start(number, clients);
    change(setting, client, ticket, own, false);
    transactions.finish(ticket);
    transactions.awaitReadable(ticket);
    if (number % 3 == 0) {
      transactions.persist(ticket);
    }
  }

  private static void aborted(
      Setting setting,
      ShipperClient client,
      long number,
      int clients,
      boolean isAborting,
      Map<Long, Optional<String>> own) {
    var transactions = client.transactions();
    try {
      Ticket ticket = transactions.start(number, clients);
      change(setting, client, ticket, own, true);
      if (isAborting) {
        transactions.abort(ticket, AbortExtent.ONE);
        return;
      }
      transactions.finish(ticket);
      transactions.awaitReadable(ticket);
    } catch (TransactionException e) {
      assertTrue(!isAborting || e.refusal() == Refusal.STATE, e.getMessage());
      assertTrue(e.refusal() == Refusal.ABORTED || e.refusal() == Refusal.STATE, e.getMessage());
      return;
    }
    throw new AssertionError("the transaction was not aborted: number=" + number);
  }

  private static void change(
      Setting setting,
      ShipperClient client,
      Ticket ticket,
      Map<Long, Optional<String>> own,
      boolean mayVanish) {
    var store = client.changing(ticket);
    own.forEach((tile, value) -> {
      var place = Setting.tile(tile);
      // Not closed: that would abort a transaction that another client has aborted.
      var changes = store.shard(setting.shardOf(place)).change(ticket.number());
      if (value.isPresent()) {
        changes.put(place, Setting.bytes(value.get()));
      } else {
        changes.remove(place);
      }
      if (tile % 5 == 0) {
        changes.flush();
        var read =
            store
                .shard(setting.shardOf(place))
                .get(place, ticket.number(), Arena.ofAuto())
                .map(Setting::text);
        // Another client may have aborted the transaction between the two calls.
        assertTrue(mayVanish || read.equals(value), read + " expected " + value);
      }
    });
  }

  private static void compare(
      Setting setting, ShipperClient client, long number, Map<Long, String> model) {
    var context = client.transactions().acquire(VersionChoice.LAST, 0);
    assertEquals(number, context.transaction());
    var found = new TreeMap<Long, String>();
    try (var scope = client.scope()) {
      var reads = new TreeMap<Long, Pending<Optional<MemorySegment>>>();
      for (long tile = 0; tile < PLACES; tile++) {
        var place = Setting.tile(tile);
        int shard = setting.shardOf(place);
        reads.put(tile, scope.start(() -> client.get(context, shard, place, Arena.ofAuto())));
      }
      scope.waitAll();
      reads.forEach((tile, read) -> read.await().ifPresent(v -> found.put(tile, Setting.text(v))));
    }
    assertEquals(model, found);
    client.transactions().release(context);
  }
}
