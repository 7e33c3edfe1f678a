package io.skerry.mpi.ffm;

import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A message under way in the MPI library; keeps its buffer alive. */
final class FfmRequest implements Request {
  private final FfmCommunicator communicator;
  private final String operation;
  private final Staging staging;
  // Held so that memory of an automatic arena outlives the message.
  private final MemorySegment buffer;
  private final Optional<Received> ownSend;
  private long handle;
  private Optional<Received> received = Optional.empty();
  private Optional<RuntimeException> failure = Optional.empty();

  FfmRequest(
      FfmCommunicator communicator,
      String operation,
      long handle,
      MemorySegment buffer,
      Staging staging,
      Optional<Received> ownSend) {
    this.communicator = communicator;
    this.operation = operation;
    this.handle = handle;
    this.buffer = buffer;
    this.staging = staging;
    this.ownSend = ownSend;
  }

  @Override
  public boolean done() {
    communicator.enter("done");
    if (!finished()) {
      var answer = communicator.test(handle);
      handle = answer.request();
      if (answer.done()) {
        complete(answer.code());
      }
    }
    return finished();
  }

  @Override
  public Received await() {
    communicator.enter("await");
    if (!finished()) {
      complete(communicator.await(handle));
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return received.orElseThrow();
  }

  private boolean finished() {
    return received.isPresent() || failure.isPresent();
  }

  private void complete(int code) {
    try (staging) {
      if (code != ErrorCode.SUCCESS) {
        failure = Optional.of(communicator.exception(code, operation));
        return;
      }
      staging.deliver();
      received = Optional.of(ownSend.orElseGet(communicator::lastStatus));
    }
  }

  @Override
  public String toString() {
    return "%s of %d bytes".formatted(operation, buffer.byteSize());
  }
}
