package io.skerry.iod.shipper;

import io.skerry.iod.engine.Place;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.shipper.wire.EditList;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.shipper.wire.Position;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

/**
 * The calls of a client to one I/O rank, in their order. Calls wait in a queue while the window is
 * full. Small changes of one transaction in one shard are collected in a batch; any call that is
 * not such a change ends all batches, so it is executed after them. Batches of different shards may
 * be sent in a different order from their changes, which is harmless because changes in different
 * shards affect different places. Not thread-safe.
 */
final class Lane {
  private record Queued(Pending<?> pending, Call call, MemorySegment payload) {}

  private record Sent(Pending<?> pending, long size) {}

  private record Target(int shard, Position at) {}

  /** Small changes that have not been queued yet. */
  private record Batch(Target target, EditList edits, Pending<Outcome> pending) {}

  /** The maximum number of batches that are open at the same time. */
  private static final int MOST_BATCHES = 32;

  private final ShipperClient client;
  private final Postbox postbox;
  private final int rank;
  private final ShipperOptions options;
  private final Deque<Queued> queue = new ArrayDeque<>();
  private final Map<Long, Sent> sent = new HashMap<>();
  private final Map<Target, Batch> batches = new LinkedHashMap<>();
  private long nextId;
  private long bytes;
  private int mostSent;
  private long mostBytes;
  private long lastResult = System.nanoTime();

  Lane(ShipperClient client, Postbox postbox, int rank, ShipperOptions options) {
    this.client = client;
    this.postbox = postbox;
    this.rank = rank;
    this.options = options;
  }

  int rank() {
    return rank;
  }

  /** Returns the largest number of calls that have been awaiting results at the same time. */
  int mostSent() {
    return mostSent;
  }

  /** Returns the largest total size, in bytes, of the values of calls awaiting results. */
  long mostBytes() {
    return mostBytes;
  }

  /** Returns the time of the last result, as a value of {@link System#nanoTime}. */
  long lastResult() {
    return lastResult;
  }

  boolean isEmpty() {
    return batches.isEmpty() && queue.isEmpty() && sent.isEmpty();
  }

  /** Adds a call. */
  void add(Pending<?> pending, Call call, MemorySegment payload) {
    seal();
    queue.add(new Queued(pending, call, payload));
    pump();
  }

  /**
   * Adds a small change to a batch.
   *
   * @param value the value, which is copied; empty for a removal
   * @return the operation of the batch
   */
  Pending<Outcome> edit(int shard, Position at, Place place, Optional<MemorySegment> value) {
    long size = EditList.size(place, value);
    Target target = new Target(shard, at);
    Optional<Batch> full =
        Optional.ofNullable(batches.get(target)).filter(batch -> !batch.edits.hasRoom(size));
    if (full.isPresent()) {
      seal(full.get());
    } else if (!batches.containsKey(target) && batches.size() == MOST_BATCHES) {
      seal(batches.values().iterator().next());
    }
    Batch open = batches.computeIfAbsent(target, this::batch);
    open.edits.add(place, value);
    pump();
    return open.pending;
  }

  private Batch batch(Target target) {
    MemorySegment memory = MemorySegment.ofArray(new byte[options.inlineBytes()]);
    return new Batch(
        target,
        new EditList(memory),
        new Pending<>(client, rank, "Edit", Function.identity(), Pending.HEAP));
  }

  /** Queues all batches. */
  void seal() {
    List.copyOf(batches.values()).forEach(this::seal);
  }

  private void seal(Batch batch) {
    batches.remove(batch.target);
    queue.add(
        new Queued(
            batch.pending,
            new Call.Edit(batch.target.shard, batch.target.at),
            batch.edits.payload()));
  }

  /** Sends calls while the window has room. */
  void pump() {
    while (!queue.isEmpty() && hasRoom(queue.element().payload.byteSize())) {
      send(queue.remove());
    }
  }

  private boolean hasRoom(long size) {
    return sent.isEmpty()
        || (sent.size() < options.windowRequests() && size <= options.windowBytes() - bytes);
  }

  private void send(Queued next) {
    long id = nextId++;
    long size = next.payload.byteSize();
    sent.put(id, new Sent(next.pending, size));
    bytes += size;
    mostSent = Math.max(mostSent, sent.size());
    mostBytes = Math.max(mostBytes, bytes);
    next.pending.sent();
    // The transport copies a smaller payload at once.
    boolean isTransferred = size > options.inlineBytes();
    if (isTransferred) {
      next.pending.transferBegins();
    }
    postbox.send(
        rank,
        new Message.Calling(id, next.call),
        next.payload,
        Postbox.Bulk.TO_SERVER,
        isTransferred ? next.pending::transferEnds : () -> {});
  }

  /** Removes a call whose result has arrived; empty if the call was given up. */
  Optional<Pending<?>> take(long id) {
    Optional<Sent> found = Optional.ofNullable(sent.remove(id));
    found.ifPresent(call -> {
      bytes -= call.size;
      lastResult = System.nanoTime();
    });
    return found.map(Sent::pending);
  }

  /** Removes a call that has not been sent; returns whether there was one. */
  boolean withdraw(Pending<?> pending) {
    boolean isOpen = batches.values().removeIf(batch -> batch.pending.equals(pending));
    boolean isFound = isOpen || queue.removeIf(queued -> queued.pending.equals(pending));
    if (isFound) {
      pending.fail(new CancellationException("cancelled before it was sent: " + pending.what()));
    }
    return isFound;
  }

  /** Returns the operations that have not ended. */
  List<Pending<?>> open() {
    List<Pending<?>> found = new ArrayList<>();
    sent.values().forEach(call -> found.add(call.pending));
    queue.forEach(call -> found.add(call.pending));
    batches.values().forEach(batch -> found.add(batch.pending));
    return found;
  }

  /** Ends all operations with a failure. */
  void fail(RuntimeException failure) {
    open().forEach(pending -> pending.fail(failure));
    queue.clear();
    batches.clear();
    sent.clear();
    bytes = 0;
  }
}
