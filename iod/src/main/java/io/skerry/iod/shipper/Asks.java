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
 * The queue of requests that a client sends to the leader, in order. A finish or abort waits until
 * all calls started before it have ended, because the participants must have acknowledged all
 * changes of the transaction; later requests wait behind it. Not thread-safe.
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
   * @param sender sends a request on its way to the leader; a reply may arrive during the call
   */
  Asks(Consumer<Request> sender) {
    this.sender = sender;
  }

  /** Returns any request that has not ended; empty if there is none. */
  Optional<Pending<?>> anyOpen() {
    return Stream.<Pending<?>>concat(sent.values().stream(), queue.stream().map(Queued::pending))
        .filter(pending -> !pending.isDone())
        .findFirst();
  }

  /**
   * Adds a request.
   *
   * @param before the operations that must end before the request is sent
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

  /** Returns the failure of a change that prevents its transaction from being finished. */
  private static Optional<RuntimeException> failedBefore(Queued next) {
    if (!(next.request instanceof Request.Finish)) {
      return Optional.empty();
    }
    return next.before.stream().flatMap(pending -> pending.failure().stream()).findFirst();
  }

  /** Completes the request of a reply. Ignores a reply to a request that was given up. */
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
