package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.EngineException.Fault;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.RadosException;
import io.skerry.iod.rados.library.Submission;
import io.skerry.iod.rados.library.WriteOperation;
import io.skerry.mpi.internal.concurrent.StripedUseCount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The objects of an open shard. The native objects of librados crash the JVM if they are used after
 * they were closed, so all calls pass through this class: each is counted, a call after {@link
 * #close} fails with an {@link IllegalStateException}, and closing waits for the calls of other
 * threads. Local, thread-safe.
 */
final class ShardStore implements AutoCloseable {
  private static final Set<Integer> MISSING_IS_FINE = Set.of(RadosException.NO_ENTRY);

  private final Faults faults;
  private final ShardNames names;
  private final Optional<Lease> lease;
  private final StripedUseCount uses = new StripedUseCount();
  private final List<Pool> replaced = new ArrayList<>();
  private volatile Pool pool;

  /** The changes that were passed to the cluster and have not been awaited. */
  private final Set<InFlight> inFlight = ConcurrentHashMap.newKeySet();

  /**
   * Prevents the removal of an object without versions while a batch adds versions. A batch holds
   * the read lock while its changes are passed to the cluster. The removal holds the write lock,
   * and then waits for the changes in flight.
   */
  private final ReentrantReadWriteLock objects = new ReentrantReadWriteLock();

  /**
   * Creates a store.
   *
   * @param lease the lease of an opener that writes; empty if the shard is open for reading
   */
  ShardStore(Faults faults, ShardNames names, Pool pool, Optional<Lease> lease) {
    this.faults = faults;
    this.names = names;
    this.pool = pool;
    this.lease = lease;
  }

  Faults faults() {
    return faults;
  }

  ShardNames names() {
    return names;
  }

  ReentrantReadWriteLock objects() {
    return objects;
  }

  boolean isWriting() {
    return lease.isPresent();
  }

  /**
   * Checks that the shard is open for writing.
   *
   * @throws IllegalStateException if it is open for reading
   */
  void requireWriting() {
    if (lease.isEmpty()) {
      throw new IllegalStateException(
          "the container is open for reading: container=" + faults.container());
    }
  }

  /** Runs a call of librados. */
  <T> T call(Function<Pool, T> call) {
    if (!uses.enter()) {
      throw new IllegalStateException("the container is closed: container=" + faults.container());
    }
    try {
      return call.apply(pool);
    } catch (RadosException e) {
      throw faults.of(e);
    } finally {
      uses.leave();
    }
  }

  /** Runs a step that decodes a result of the cluster, and adds the shard to its failure. */
  <T> T checked(Supplier<T> decoding) {
    return faults.checked(decoding);
  }

  /**
   * Changes the head, if this opener is still its writer.
   *
   * @return false if an attribute that the change expects has another value
   * @throws io.skerry.iod.engine.EngineException if another opener has taken over the shard
   */
  boolean changeHead(Consumer<WriteOperation> steps) {
    requireWriting();
    byte[] writer = lease.orElseThrow().writer();
    return call(store -> {
      try (WriteOperation change = store.change().expect(ShardNames.WRITER, writer)) {
        steps.accept(change);
        store.write(names.head(), change);
        return true;
      } catch (RadosException e) {
        if (e.number() != RadosException.CANCELED && e.number() != RadosException.NO_DATA) {
          throw e;
        }
        requireWriter(store, writer, e);
        return false;
      }
    });
  }

  private void requireWriter(Pool store, byte[] writer, RadosException cause) {
    Optional<byte[]> actual = store.attribute(names.head(), ShardNames.WRITER);
    if (actual.isEmpty() || !Arrays.equals(actual.get(), writer)) {
      throw faults.of(
          Fault.INPUT_OUTPUT,
          "another opener has taken over the shard, since the lease of this one was not renewed in"
              + " time: expected="
              + Lease.describe(writer)
              + " actual="
              + actual.map(Lease::describe).orElse("none"),
          cause);
    }
  }

  /** A change of an object. */
  record ObjectChange(String object, Consumer<WriteOperation> steps) {}

  /** A change of an object whose bytes have already been copied. */
  record PreparedChange(String object, WriteOperation operation) {}

  /**
   * Stores changes of several objects at the same time. The removal of a missing object is not a
   * failure.
   *
   * @throws io.skerry.iod.engine.EngineException if one of the changes failed; the others are
   *     stored or have failed as well
   */
  void changeAll(List<ObjectChange> changes) {
    await(start(List.of(), changes));
  }

  /**
   * Passes changes of several objects to the cluster. Changes of one object are stored in the order
   * in which they are passed. Missing objects that a change removes are no failures.
   *
   * @param prepared changes whose bytes were copied before; the caller closes them
   * @return the changes, for {@link #await}, which reports their failures
   */
  InFlight start(List<PreparedChange> prepared, List<ObjectChange> changes) {
    return call(store -> {
      List<Submission> submitted = new ArrayList<>();
      Optional<RadosException> failure = Optional.empty();
      try {
        for (PreparedChange change : prepared) {
          submitted.add(store.submit(change.object(), change.operation(), MISSING_IS_FINE));
        }
        for (ObjectChange change : changes) {
          try (WriteOperation operation = store.change()) {
            change.steps().accept(operation);
            submitted.add(store.submit(change.object(), operation, MISSING_IS_FINE));
          }
        }
      } catch (RadosException e) {
        failure = Optional.of(e);
      }
      InFlight started = new InFlight(submitted, failure);
      boolean unused = inFlight.add(started);
      return started;
    });
  }

  /**
   * Waits until each change is stored or has failed.
   *
   * @throws io.skerry.iod.engine.EngineException if one of the changes failed
   */
  void await(InFlight started) {
    settle(started);
    faults.call(() -> {
      started.await();
      return started;
    });
  }

  /** Waits until each change is stored or has failed, and ignores failures. */
  void settle(InFlight started) {
    started.settle();
    boolean unused = inFlight.remove(started);
  }

  /** Waits until all changes of all threads that are in flight now are stored or have failed. */
  void settleAll() {
    inFlight.forEach(this::settle);
  }

  /** Returns a change that replaces the data of an object by bytes that are copied now. */
  WriteOperation data(MemorySegment bytes) {
    return call(store -> {
      WriteOperation operation = store.change();
      if (bytes.isNative()) {
        return operation.data(bytes);
      }
      try (Arena arena = Arena.ofConfined()) {
        return operation.data(
            arena
                .allocate(Math.max(1, bytes.byteSize()))
                .copyFrom(bytes)
                .asSlice(0, bytes.byteSize()));
      }
    });
  }

  /**
   * Returns the number that an attribute of the head holds, 0 if there is none.
   *
   * @throws FormatException if the value is not a transaction number
   */
  long number(String attribute) {
    Optional<byte[]> stored = call(store -> store.attribute(names.head(), attribute));
    return stored.isEmpty() ? 0 : checked(() -> decode(attribute, stored.get()));
  }

  private static long decode(String attribute, byte[] bytes) {
    long number = bytes.length == Long.BYTES ? ByteBuffer.wrap(bytes).getLong() : -1;
    if (number < 0) {
      throw new FormatException(
          "attribute " + attribute, "8 bytes below 2^63", Arrays.toString(bytes));
    }
    return number;
  }

  static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Replaces the pool by one whose changes preserve other snapshots. */
  synchronized void replace(Pool next) {
    replaced.add(pool);
    pool = next;
  }

  /**
   * Releases the lease and closes the pool, after the calls of other threads and the changes in
   * flight. Must be called only once.
   */
  @Override
  public synchronized void close() {
    uses.close();
    settleAll();
    try {
      lease.ifPresent(held -> faults.call(() -> held.release(pool)));
    } finally {
      pool.close();
      replaced.forEach(Pool::close);
    }
  }
}
