package io.skerry.mpi.internal.base;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A pending message of an MPI library; keeps its buffer reachable. */
final class LibraryRequest implements Request {
  private final CheckedCommunicator communicator;
  private final String operation;
  private final LibraryCommunicator.Message message;
  // Keeps memory of an automatic arena reachable until the message is complete.
  private final MemorySegment buffer;
  private final NativeStaging staging;
  private Optional<Received> received = Optional.empty();
  private Optional<MpiException> failure = Optional.empty();

  LibraryRequest(
      CheckedCommunicator communicator,
      String operation,
      LibraryCommunicator.Message message,
      MemorySegment buffer,
      NativeStaging staging) {
    this.communicator = communicator;
    this.operation = operation;
    this.message = message;
    this.buffer = buffer;
    this.staging = staging;
  }

  @Override
  public boolean done() {
    communicator.enter("done");
    if (!finished()) {
      try {
        message.test().ifPresent(this::complete);
      } catch (MpiException e) {
        fail(e);
      }
    }
    return finished();
  }

  @Override
  public Received await() {
    communicator.enter("await");
    if (!finished()) {
      try {
        complete(message.await());
      } catch (MpiException e) {
        fail(e);
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return received.orElseThrow();
  }

  private boolean finished() {
    return received.isPresent() || failure.isPresent();
  }

  private void complete(Received what) {
    try (staging) {
      staging.deliver();
      received = Optional.of(what);
    }
  }

  private void fail(MpiException e) {
    failure = Optional.of(e);
    staging.close();
  }

  @Override
  public String toString() {
    return "%s of %d bytes".formatted(operation, buffer.byteSize());
  }
}
