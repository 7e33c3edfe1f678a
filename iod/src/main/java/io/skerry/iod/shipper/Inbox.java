package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.wire.Call;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The client calls that have not been executed, in order per client, and the memory for their bulk
 * data. Not thread-safe.
 *
 * <p>Bulk data is received in the order in which it was announced, and only while its total size is
 * within the limit; the transport keeps the rest at the sender. A single value larger than the
 * limit is received alone. Small payloads that wait behind bulk data are not counted; the window of
 * each client limits them.
 */
final class Inbox {
  /** A call that was received. */
  static final class Item {
    private final int client;
    private final long id;
    private final Call call;
    private final long checksum;
    private final Arena memory;
    private final long size;
    private MemorySegment payload;
    private boolean hasArrived;
    private boolean isAbandoned;
    private long since;

    private Item(int client, long id, Call call, long checksum, long size) {
      this.client = client;
      this.id = id;
      this.call = call;
      this.checksum = checksum;
      this.size = size;
      this.memory = Arena.ofConfined();
      this.payload = MemorySegment.NULL;
    }

    int client() {
      return client;
    }

    long id() {
      return id;
    }

    Call call() {
      return call;
    }

    long checksum() {
      return checksum;
    }

    MemorySegment payload() {
      return payload;
    }
  }

  private final Postbox postbox;
  private final Placement placement;
  private final long limit;
  private final Map<Integer, Deque<Item>> calls = new HashMap<>();
  private final Deque<Item> announced = new ArrayDeque<>();
  private final Set<Item> arriving = new HashSet<>();
  private long held;
  private long mostHeld;

  Inbox(Postbox postbox, Placement placement, long limit) {
    this.postbox = postbox;
    this.placement = placement;
    this.limit = limit;
  }

  /** Returns whether a client has calls that have not been executed. */
  boolean hasCalls(int client) {
    return calls.containsKey(client);
  }

  /** Returns the clients that have calls. */
  Set<Integer> clients() {
    return new TreeSet<>(calls.keySet());
  }

  /** Returns the largest number of bytes of bulk data held at the same time. */
  long mostHeld() {
    return mostHeld;
  }

  /** Adds a call with a small payload, which is copied. */
  void add(int client, long id, Call call, long checksum, MemorySegment payload) {
    Item item = new Item(client, id, call, checksum, 0);
    item.payload = item.memory.allocate(payload.byteSize()).copyFrom(payload);
    item.hasArrived = true;
    enqueue(item);
  }

  /** Adds a call whose bulk data has been announced. */
  void announce(int client, long id, Call call, long checksum, long size) {
    Item item = new Item(client, id, call, checksum, size);
    enqueue(item);
    announced.add(item);
    admit();
  }

  private void enqueue(Item item) {
    calls.computeIfAbsent(item.client, _ -> new ArrayDeque<>()).add(item);
  }

  private void admit() {
    while (!announced.isEmpty() && (held == 0 || announced.element().size <= limit - held)) {
      Item next = announced.remove();
      next.payload = next.memory.allocate(next.size);
      next.since = System.nanoTime();
      held += next.size;
      mostHeld = Math.max(mostHeld, held);
      arriving.add(next);
      postbox.receive(
          placement.rankOfClient(next.client),
          Postbox.Bulk.TO_SERVER,
          next.payload,
          () -> {
            next.hasArrived = true;
            arriving.remove(next);
            if (next.isAbandoned) {
              next.memory.close();
            }
          });
    }
  }

  /** Returns whether the first call of a client can be executed. */
  boolean isReady(int client) {
    return hasCalls(client) && queue(client).element().hasArrived;
  }

  /** Returns the first call of a client. */
  Item first(int client) {
    return queue(client).element();
  }

  private Deque<Item> queue(int client) {
    return Objects.requireNonNull(calls.get(client));
  }

  /** Removes the first call of a client, and frees its memory. */
  void remove(int client) {
    Deque<Item> queue = queue(client);
    Item item = queue.remove();
    if (queue.isEmpty()) {
      calls.remove(client);
    }
    item.memory.close();
    held -= item.size;
    admit();
  }

  /** Returns the clients whose announced bulk data has not arrived within the patience. */
  Set<Integer> overdue(Patience patience) {
    Set<Integer> found = new TreeSet<>();
    for (Item item : arriving) {
      if (patience.isExceededSince(item.since)) {
        found.add(item.client);
      }
    }
    return found;
  }

  /**
   * Forgets the calls of a lost client. Data that still arrives is ignored; the memory of data that
   * never arrives is not released, since the transport may write to it.
   */
  void forget(int client) {
    Deque<Item> queue = calls.containsKey(client) ? calls.remove(client) : new ArrayDeque<>();
    for (Item item : queue) {
      if (!announced.remove(item)) {
        held -= item.size;
      }
      item.isAbandoned = arriving.remove(item);
      if (!item.isAbandoned) {
        item.memory.close();
      }
    }
    admit();
  }
}
