package io.skerry.mpi.openmpi;

import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A message under way in Open MPI; keeps its buffer alive. */
final class OpenMpiRequest implements Request {
  private final OpenMpiCommunicator communicator;
  private final String operation;
  private final Object handle;
  private final NativeStand stand;
  // Held so that memory of an automatic arena outlives the message.
  private final ByteBuffer buffer;
  private final Optional<Received> ownSend;
  private Optional<Received> received = Optional.empty();
  private Optional<RuntimeException> failure = Optional.empty();

  OpenMpiRequest(
      OpenMpiCommunicator communicator,
      String operation,
      Object handle,
      ByteBuffer buffer,
      NativeStand stand,
      Optional<Received> ownSend) {
    this.communicator = communicator;
    this.operation = operation;
    this.handle = handle;
    this.buffer = buffer;
    this.stand = stand;
    this.ownSend = ownSend;
  }

  @Override
  public boolean done() {
    communicator.enter("done");
    if (!finished()) {
      complete(() -> Optional.ofNullable((Object) communicator.api().test.invokeExact(handle)));
    }
    return finished();
  }

  @Override
  public Received await() {
    communicator.enter("await");
    if (!finished()) {
      complete(() -> Optional.of((Object) communicator.api().await.invokeExact(handle)));
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return received.orElseThrow();
  }

  private boolean finished() {
    return received.isPresent() || failure.isPresent();
  }

  private void complete(JarCall.Answering<Optional<Object>> call) {
    try {
      var status = call.run();
      if (status.isEmpty()) {
        return;
      }
      received =
          Optional.of(ownSend.isPresent() ? ownSend.get() : communicator.received(status.get()));
      stand.deliver();
    } catch (Throwable t) {
      failure = Optional.of(communicator.exception(t, operation));
    }
    stand.close();
  }

  @Override
  public String toString() {
    return "%s of %d bytes".formatted(operation, buffer.capacity());
  }
}
