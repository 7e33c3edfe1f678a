package io.skerry.iod.shipper;

import io.skerry.exception.FormatException;
import io.skerry.iod.shipper.wire.Failure;
import io.skerry.iod.shipper.wire.Frame;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.shipper.wire.Result;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/** Passes the messages of a rank to its client and its server. Not thread-safe. */
final class Deliveries implements Postbox.Receiver {
  private Optional<Postbox> postbox = Optional.empty();
  private Optional<Server> server = Optional.empty();
  private Optional<ShipperClient> client = Optional.empty();
  private boolean isStopped;

  /** Sets the receivers of the messages of a rank, once, before the first message. */
  void connect(Postbox from, Optional<Server> toServer, Optional<ShipperClient> toClient) {
    postbox = Optional.of(from);
    server = toServer;
    client = toClient;
  }

  /** Returns whether all clients have left. */
  boolean isStopped() {
    return isStopped || server.map(Server::isStopped).orElse(false);
  }

  @Override
  public void received(int source, Frame frame) {
    switch (frame.message()) {
      case Message.Returning returning -> returned(source, returning, frame);
      case Message.Failing failing ->
          client
              .flatMap(to -> to.take(source, failing.id()))
              .ifPresent(pending -> pending.fail(exception(failing.failure())));
      case Message.RankFailed failed -> {
        client.ifPresent(to -> to.fail(failed.failure()));
        server.ifPresent(to -> to.received(source, frame));
      }
      case Message.GivenUp given -> client.ifPresent(to -> to.fail(given.failure()));
      case Message.Replying replying when server.isEmpty() ->
          client.ifPresent(to -> to.replied(replying.reply()));
      case Message.Stopping _ when server.isEmpty() -> isStopped = true;
      default -> server.ifPresent(to -> to.received(source, frame));
    }
  }

  private static RuntimeException exception(Failure failure) {
    try {
      return Failures.exception(failure);
    } catch (FormatException e) {
      // The description itself is damaged: the caller receives this exception instead.
      return e;
    }
  }

  private void returned(int source, Message.Returning returning, Frame frame) {
    Optional<Pending<?>> pending = client.flatMap(to -> to.take(source, returning.id()));
    Result result = returning.result();
    MemorySegment memory;
    try {
      SegmentAllocator allocator =
          pending.<SegmentAllocator>map(Pending::memory).orElse(Pending.HEAP);
      memory = allocator.allocate(frame.payloadSize());
    } catch (RuntimeException | OutOfMemoryError e) {
      // Bulk data must be received even if the caller has no memory for it.
      pending.ifPresent(
          to -> to.fail(new IllegalStateException("no memory for the result of a call", e)));
      memory = Arena.ofAuto().allocate(frame.payloadSize());
    }
    MemorySegment payload = memory;
    if (frame.isBulk()) {
      // The caller must not release the memory until the data has arrived, even after a failure.
      pending.ifPresent(Pending::transferBegins);
      postbox
          .orElseThrow()
          .receive(
              source,
              Postbox.Bulk.TO_CLIENT,
              payload,
              () ->
                  pending.ifPresent(to -> {
                    to.transferEnds();
                    complete(to, result, payload, frame);
                  }));
    } else {
      payload.copyFrom(frame.inline());
      pending.ifPresent(to -> complete(to, result, payload, frame));
    }
  }

  private void complete(Pending<?> pending, Result result, MemorySegment payload, Frame frame) {
    try {
      postbox.orElseThrow().check(payload, frame.payloadChecksum());
      pending.complete(Outcome.of(result, payload));
    } catch (RuntimeException e) {
      // The caller of the operation receives the exception.
      pending.fail(e);
    }
  }

  @Override
  public void damaged(int source, FormatException damage) {
    Postbox from = postbox.orElseThrow();
    if (server.isPresent()) {
      server.get().damaged(source, damage);
    } else {
      Failure failure = Failures.of(from.rank(), damage);
      client.ifPresent(to -> to.fail(failure));
    }
  }
}
