package io.skerry.iod.shipper;

import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.TransactionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The requests of a client to the leader, in their order. A finish or abort waits until all calls
 * that were started before it have ended, since the participants must have acknowledged the changes
 * of a transaction; later requests wait behind it. Not thread-safe.
 */
final class Asks {
  /** A request that has not been sent. */
  private record Queued(Pending<Reply> pending, Request request, List<Pending<?>> before) {}

  private final Consumer<Request> sender;
  private final Deque<Queued> queue = new ArrayDeque<>();
  private final Map<Long, Pending<Reply>> sent = new HashMap<>();

  /**
   * Creates an empty queue.
   *
   * @param sender sends a request on its way to the leader; a reply may arrive meanwhile
   */
  Asks(Consumer<Request> sender) {
    this.sender = sender;
  }

  /** Returns a request that has not ended. */
  Optional<Pending<?>> anyOpen() {
    return Stream.<Pending<?>>concat(sent.values().stream(), queue.stream().map(Queued::pending))
        .filter(pending -> !pending.isDone())
        .findFirst();
  }

  /**
   * Adds a request.
   *
   * @param before the operations that have to end before the request is sent
   */
  void add(Pending<Reply> pending, Request request, List<Pending<?>> before) {
    queue.add(new Queued(pending, request, before));
    pump();
  }

  /** Sends the requests that need not wait. */
  void pump() {
    while (!queue.isEmpty() && queue.element().before.stream().allMatch(Pending::isDone)) {
      Queued next = queue.remove();
      if (next.pending.isDone()) {
        continue;
      }
      Optional<RuntimeException> failed = failedBefore(next);
      if (failed.isPresent()) {
        next.pending.fail(failed.get());
        continue;
      }
      sent.put(next.request.id(), next.pending);
      next.pending.sent();
      sender.accept(next.request);
    }
  }

  /** Returns the failure of a change because of which a transaction must not be finished. */
  private static Optional<RuntimeException> failedBefore(Queued next) {
    if (!(next.request instanceof Request.Finish)) {
      return Optional.empty();
    }
    return next.before.stream().flatMap(pending -> pending.failure().stream()).findFirst();
  }

  /** Notes a reply. A reply to a request that was given up is ignored. */
  void replied(Reply reply) {
    Optional.ofNullable(sent.remove(reply.id()))
        .ifPresent(pending -> {
          if (reply instanceof Reply.Refused refused) {
            pending.fail(new TransactionException(refused.refusal(), refused.message()));
          } else {
            pending.succeed(reply);
          }
        });
  }

  /** Removes a request that has not been sent; returns whether there was one. */
  boolean withdraw(Pending<?> pending) {
    boolean isFound = queue.removeIf(queued -> queued.pending.equals(pending));
    if (isFound) {
      pending.fail(new CancellationException("cancelled before it was sent: " + pending.what()));
    }
    return isFound;
  }

  /** Gives up a request, whose reply will be ignored. */
  void giveUp(Pending<?> pending) {
    sent.values().removeIf(each -> each.equals(pending));
  }

  /** Ends all requests with a failure. */
  void fail(RuntimeException failure) {
    List<Pending<Reply>> open = new ArrayList<>(sent.values());
    queue.forEach(queued -> open.add(queued.pending));
    queue.clear();
    sent.clear();
    open.forEach(pending -> pending.fail(failure));
  }
}
