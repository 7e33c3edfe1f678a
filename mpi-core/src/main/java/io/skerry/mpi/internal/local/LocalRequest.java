package io.skerry.mpi.internal.local;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A request: a condition, guarded by the lock of the scheduler, and the action that completes the
 * request once the condition holds.
 */
final class LocalRequest implements Request {
  private final LocalCommunicator communicator;
  private final String what;
  private final BooleanSupplier ready;
  private final Supplier<Received> completion;
  private Optional<Received> received = Optional.empty();
  private Optional<MpiException> failure = Optional.empty();

  private LocalRequest(
      LocalCommunicator communicator,
      String what,
      BooleanSupplier ready,
      Supplier<Received> completion) {
    this.communicator = communicator;
    this.what = what;
    this.ready = ready;
    this.completion = completion;
  }

  static LocalRequest send(
      LocalCommunicator communicator,
      int destination,
      Mailbox.Message message,
      boolean rendezvous) {
    var result = new Received(message.source(), message.tag(), message.data().byteSize());
    return new LocalRequest(
        communicator,
        "rank %d to receive tag %d".formatted(destination, message.tag()),
        () -> !rendezvous || message.taken(),
        () -> result);
  }

  static LocalRequest receive(
      LocalCommunicator communicator, Mailbox.Posted posted, MemorySegment buffer, String what) {
    return new LocalRequest(
        communicator,
        what,
        () -> posted.message().isPresent(),
        () -> copy(communicator, posted.message().orElseThrow(), buffer));
  }

  private static Received copy(
      LocalCommunicator communicator, Mailbox.Message message, MemorySegment buffer) {
    long bytes = message.data().byteSize();
    if (bytes > buffer.byteSize()) {
      throw communicator.failure(
          "receive",
          MpiErrorClass.TRUNCATED,
          "a message is longer than the buffer: message=%d buffer=%d source=%d tag=%d"
              .formatted(bytes, buffer.byteSize(), message.source(), message.tag()));
    }
    MemorySegment.copy(message.data(), 0, buffer, 0, bytes);
    return new Received(message.source(), message.tag(), bytes);
  }

  @Override
  public boolean done() {
    if (finished()) {
      return true;
    }
    communicator.enter("done");
    communicator.scheduler().point(communicator, "done");
    synchronized (communicator.scheduler()) {
      if (!ready.getAsBoolean()) {
        communicator.scheduler().refuseIfPoisoned(communicator, "done");
        return false;
      }
    }
    complete();
    return true;
  }

  @Override
  public Received await() {
    if (!finished()) {
      communicator.enter("await");
      communicator.scheduler().point(communicator, "await");
      awaitHere("await");
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return received.orElseThrow();
  }

  /** Waits as part of another call, which has already passed its point in the schedule. */
  Received awaitHere(String operation) {
    synchronized (communicator.scheduler()) {
      communicator.scheduler().await(communicator, operation, what, ready);
    }
    complete();
    if (failure.isPresent()) {
      throw failure.get();
    }
    return received.orElseThrow();
  }

  private boolean finished() {
    return received.isPresent() || failure.isPresent();
  }

  private void complete() {
    try {
      received = Optional.of(completion.get());
    } catch (MpiException e) {
      failure = Optional.of(e);
    }
  }
}
