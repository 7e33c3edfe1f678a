package io.skerry.iod.connector.store;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionClient;
import java.util.Optional;

/**
 * The container of a {@link WriteStore}: in this process, or on I/O ranks. Methods are local unless
 * they state otherwise, and throw an {@link io.skerry.iod.engine.EngineException} if the storage
 * fails.
 */
interface Backing {
  /** Returns the location of the container, for messages. Does not fail. */
  String name();

  /** Returns the approximate number of bytes that the container occupies. */
  long bytes();

  /** Returns the rank that changes a tile when all ranks write together. Does not fail. */
  int ownerOf(Place.Tile tile);

  /** Returns the client through which this rank requests transactions. Does not fail. */
  TransactionClient transactions();

  /** Returns the threads that have access to the values. Does not fail. */
  ContainerStore.Readers readers();

  /** Begins the changes of this rank in a transaction. */
  StoreChanges change(Ticket ticket);

  /** Returns the values of a version, valid until the context is released. */
  Values at(ReadContext context);

  /** Returns the container for reads of stored data, including that of open transactions. */
  Container container();

  /**
   * Closes the container. Collective.
   *
   * @param open the changes of the open transaction, which is aborted
   */
  void close(Optional<StoreChanges> open);

  /**
   * Closes the part of the container that this rank serves, after it has left the other ranks.
   *
   * @param open the changes of the open transaction
   * @param cause the reason, for the exceptions of the other ranks
   */
  void abandon(Optional<StoreChanges> open, RuntimeException cause);
}
