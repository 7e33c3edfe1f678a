package io.skerry.mpi.internal.mpj;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A message under way in the post office. */
final class PacketRequest implements Request {
  private final MpjCommunicator communicator;
  private final MessageEngine office;
  private final BooleanSupplier finished;
  private final Supplier<Received> answer;

  private PacketRequest(
      MpjCommunicator communicator,
      MessageEngine office,
      BooleanSupplier finished,
      Supplier<Received> answer) {
    this.communicator = communicator;
    this.office = office;
    this.finished = finished;
    this.answer = answer;
  }

  static PacketRequest send(
      MpjCommunicator communicator,
      MessageEngine office,
      MessageEngine.Outgoing sent,
      Received answer) {
    return new PacketRequest(communicator, office, sent::done, () -> answer);
  }

  static PacketRequest receive(
      MpjCommunicator communicator, MessageEngine office, MessageEngine.Incoming asked, int tag) {
    return new PacketRequest(
        communicator, office, asked::done, () -> received(communicator, asked, tag));
  }

  private static Received received(
      MpjCommunicator communicator, MessageEngine.Incoming asked, int tag) {
    int source = communicator.rankOf(asked.source());
    if (asked.tooLong()) {
      throw communicator.failure(
          "receive",
          MpiErrorClass.TRUNCATED,
          "a message is longer than the buffer: message=%d source=%d tag=%d"
              .formatted(asked.bytes(), source, tag));
    }
    return new Received(source, tag, asked.bytes());
  }

  @Override
  public boolean done() {
    if (!finished.getAsBoolean()) {
      communicator.enter("done");
      Optional<Throwable> broken = office.work();
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
      refuseIfBroken(operation, office.await());
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
