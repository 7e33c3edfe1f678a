package io.skerry.iod.connector.store;

import io.skerry.Transactions;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import java.util.List;

/**
 * The values of an open container as a file uses them: the changes of the open transaction, and a
 * flush that finishes and persists it. The connector reaches the shards of a container through this
 * interface only, so an implementation may send reads and changes to other ranks.
 *
 * <p>Methods are local unless they state otherwise. They throw an {@link
 * io.skerry.iod.engine.EngineException} if the storage fails. If one rank has the container open,
 * reads may run concurrently; changes and {@link #flush} must not overlap in time with other calls.
 * If several ranks have it open, only the thread that opened the file may call the methods.
 */
public interface ContainerStore extends AutoCloseable {
  /** The threads that have access to the values. */
  enum Readers {
    ALL_THREADS,
    OPENING_THREAD
  }

  /** The readable versions of a container, and its snapshots. Methods are local. */
  interface Versions {
    /** Returns the numbers of the versions that have not been purged, in ascending order. */
    List<Long> list();

    /** Returns the names of the snapshots in ascending order. */
    List<String> snapshots();

    /**
     * Opens a version for reading. Collective, within an operation of the ranks that open it.
     *
     * @param others the ranks of the container, for the file of the version
     * @throws io.skerry.iod.engine.ContainerException if there is no such version, and a single
     *     rank opens it
     * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such version, and
     *     several ranks open it
     */
    ContainerStore open(FileRanks others, Transactions.Version version);
  }

  /** Returns the location of the container, for messages. Does not fail. */
  String name();

  /**
   * Returns the newest readable version; if the container is open for reading, the version of its
   * reads.
   */
  long version();

  /** Returns the versions of the container. Does not fail. */
  Versions versions();

  /**
   * Returns the transactions of the container.
   *
   * @throws IllegalStateException if the container is open for reading
   */
  NumberedTransactions transactions();

  /** Returns the approximate number of bytes that the container occupies. */
  long bytes();

  /**
   * Returns the current values: if the container is open for reading, those of its version; if it
   * is open for writing, those of the newest transactions with the changes of the open one. They
   * are valid until the next {@link #flush}, or until a transaction begins or ends.
   */
  Values values();

  /**
   * Returns the changes of the open transaction, valid until the next {@link #flush}.
   *
   * @throws IllegalStateException if the container is open for reading, or the program delimits its
   *     transactions and has none open
   */
  ValueChanges changes();

  /**
   * Returns the source of the numbers of new objects. Rank 0 can create objects of all types; every
   * other rank can create as many BLOBs as have been reserved.
   *
   * @throws IllegalStateException if the container is open for reading
   */
  IdSource ids();

  /**
   * Reserves the numbers of new BLOBs. Collective, within an operation, after an agreement.
   *
   * @param blobs the number of BLOBs that this rank may create next
   * @throws IllegalStateException on all ranks if no numbers are left
   */
  void reserve(long blobs);

  /**
   * Makes the changes of this rank visible to the reads of all ranks. Reports changes that have
   * failed.
   */
  void publish();

  /** Returns the rank that changes a tile when all ranks write together. Does not fail. */
  int ownerOf(Place.Tile tile);

  /**
   * Finishes and persists the open transaction, and starts the next; if the program delimits its
   * transactions, persists those that are readable. When the method returns, all changes are on
   * disk. If it throws an exception, the container has either all changes of the transaction or
   * none when it is opened again, and only {@link #close} may be called. Collective, within an
   * operation.
   *
   * @param status the failures of this rank since the last flush; if any rank has one, the flush
   *     fails on all
   * @throws IllegalStateException if the container is open for reading
   */
  void flush(LocalStatus status);

  /** Closes the container without the changes of the open transaction. Collective. */
  @Override
  void close();

  /**
   * Closes the part of the container that this rank serves, after it has left the other ranks.
   *
   * @param cause the reason, for the exceptions of the other ranks
   */
  void abandon(RuntimeException cause);

  /**
   * Returns whether only the thread that opened the file has access to the values. Does not fail.
   */
  boolean isConfined();
}
