package io.skerry.mpi.internal.mpj;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A pending message of a {@link MessageEngine}. */
final class PacketRequest implements Request {
  private final MpjCommunicator communicator;
  private final MessageEngine engine;
  private final BooleanSupplier finished;
  private final Supplier<Received> answer;

  private PacketRequest(
      MpjCommunicator communicator,
      MessageEngine engine,
      BooleanSupplier finished,
      Supplier<Received> answer) {
    this.communicator = communicator;
    this.engine = engine;
    this.finished = finished;
    this.answer = answer;
  }

  static PacketRequest send(
      MpjCommunicator communicator,
      MessageEngine engine,
      MessageEngine.Outgoing sent,
      Received answer) {
    return new PacketRequest(communicator, engine, sent::done, () -> answer);
  }

  static PacketRequest receive(
      MpjCommunicator communicator,
      MessageEngine engine,
      MessageEngine.Incoming incoming,
      int tag) {
    return new PacketRequest(
        communicator, engine, incoming::done, () -> received(communicator, incoming, tag));
  }

  private static Received received(
      MpjCommunicator communicator, MessageEngine.Incoming incoming, int tag) {
    int source = communicator.rankOf(incoming.source());
    if (incoming.tooLong()) {
      throw communicator.failure(
          "receive",
          MpiErrorClass.TRUNCATED,
          "a message is longer than the buffer: message=%d source=%d tag=%d"
              .formatted(incoming.bytes(), source, tag));
    }
    return new Received(source, tag, incoming.bytes());
  }

  @Override
  public boolean done() {
    if (!finished.getAsBoolean()) {
      communicator.enter("done");
      Optional<Throwable> broken = engine.work();
      if (!finished.getAsBoolean()) {
        refuseIfBroken("done", broken);
      }
    }
    return finished.getAsBoolean();
  }

  @Override
  public Received await() {
    if (!finished.getAsBoolean()) {
      communicator.enter("await");
      awaitHere("await");
    }
    return answer.get();
  }

  /** Waits as part of another call. */
  Received awaitHere(String operation) {
    while (!finished.getAsBoolean()) {
      refuseIfBroken(operation, engine.await());
    }
    return answer.get();
  }

  private void refuseIfBroken(String operation, Optional<Throwable> broken) {
    if (broken.isPresent()) {
      throw new MpiException(
          operation,
          MpiErrorClass.PEER_FAILED,
          "MPJ Express has lost another rank: " + broken.get(),
          communicator.name(),
          communicator.rank(),
          broken.get());
    }
  }
}
