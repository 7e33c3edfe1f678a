package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One version of a container, open for reading.
 *
 * @param name the location of the container, for messages
 * @param size returns the number of bytes that the container occupies
 * @param version the number of the version
 * @param values the values of the version
 * @param versions the versions of the container
 * @param readers the threads that have access to the values
 * @param closing closes the resources of the store
 * @param abandoning closes the part of this rank, after it has left the other ranks
 */
record ReadStore(
    String name,
    LongSupplier size,
    long version,
    Values values,
    Versions versions,
    Readers readers,
    Runnable closing,
    Consumer<RuntimeException> abandoning)
    implements ContainerStore {
  @Override
  public long bytes() {
    return size.getAsLong();
  }

  private IllegalStateException refused() {
    return new IllegalStateException("the container is open for reading: container=" + name);
  }

  @Override
  public NumberedTransactions transactions() {
    throw refused();
  }

  @Override
  public ValueChanges changes() {
    throw refused();
  }

  @Override
  public IdSource ids() {
    throw refused();
  }

  @Override
  public void reserve(long blobs) {
    throw refused();
  }

  @Override
  public void flush(LocalStatus status) {
    throw refused();
  }

  /** Has no effect: there are no changes. */
  @Override
  public void publish() {}

  /** Returns rank 0: no tile is changed. */
  @Override
  public int ownerOf(Place.Tile tile) {
    return 0;
  }

  @Override
  public boolean isConfined() {
    return readers == Readers.OPENING_THREAD;
  }

  @Override
  public void close() {
    closing.run();
  }

  @Override
  public void abandon(RuntimeException cause) {
    abandoning.accept(cause);
  }
}
