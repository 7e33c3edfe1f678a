package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.mpi.internal.concurrent.StripedUseCount;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * The open database of a shard. The native objects of RocksDB crash the JVM if they are used after
 * they were closed, so all calls pass through this class and {@link StoreCursor}: each is counted,
 * a call after {@link #close} throws an {@link IllegalStateException}, and closing waits for the
 * calls of other threads. Local, thread-safe.
 */
final class ShardStore implements AutoCloseable {
  /** The maximum number of iterators that are kept for later reads. */
  private static final int IDLE_ITERATORS = 8;

  private final Faults faults;
  private final StoreOptions options;
  private final RocksDB database;

  /** The opening for reading; empty if the database is open for writing. */
  private final Optional<ReaderOpening> opening;

  private final StripedUseCount uses = new StripedUseCount();
  private final ConcurrentLinkedDeque<RocksIterator> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idleCount = new AtomicInteger();
  private final LongAdder seeks = new LongAdder();
  private final BlobGarbage garbage = new BlobGarbage();

  /** Writes batches while others are filled. Its thread starts with the first of them. */
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("skerry-rocksdb-writer").factory());

  private ShardStore(
      Faults faults, StoreOptions options, RocksDB database, Optional<ReaderOpening> opening) {
    this.faults = faults;
    this.options = options;
    this.database = database;
    this.opening = opening;
  }

  /** A call of RocksDB. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws RocksDBException;
  }

  /**
   * Creates an empty database.
   *
   * @throws io.skerry.iod.engine.EngineException if RocksDB cannot create it
   */
  static void create(Path folder, ShardIdentity identity, Cache cache, Faults faults) {
    StoreOptions options = StoreOptions.forCreating(EngineOptions.DEFAULT, cache);
    try (options;
        RocksDB database = RocksDB.open(options.options(), folder.toString())) {
      database.put(options.synced(), StoreKeys.identity(), identity.encode());
    } catch (RocksDBException e) {
      throw faults.of(e);
    }
  }

  /**
   * Opens a database.
   *
   * @throws ContainerException if another opener writes to the database, or if it belongs to
   *     another container or shard
   * @throws io.skerry.iod.engine.EngineException if RocksDB cannot open it
   */
  static ShardStore open(
      Path folder,
      ShardIdentity identity,
      ContainerAccess access,
      EngineOptions sizes,
      Cache cache,
      Faults faults) {
    StoreOptions options =
        access == ContainerAccess.WRITE
            ? StoreOptions.forWriting(sizes, cache)
            : StoreOptions.forReading(sizes, cache);
    Optional<ReaderOpening> opening =
        access == ContainerAccess.WRITE
            ? Optional.empty()
            : Optional.of(new ReaderOpening(folder, options));
    RocksDB database;
    boolean isOpen = false;
    try {
      database =
          opening.isPresent()
              ? opening.get().open()
              : RocksDB.open(options.options(), folder.toString());
      isOpen = true;
    } catch (RocksDBException e) {
      throw faults.of(e);
    } catch (IOException e) {
      throw faults.of(e);
    } finally {
      if (!isOpen) {
        options.close();
      }
    }
    ShardStore store = new ShardStore(faults, options, database, opening);
    boolean kept = false;
    try {
      store.check(identity, folder);
      kept = true;
      return store;
    } finally {
      if (!kept) {
        store.close();
      }
    }
  }

  private void check(ShardIdentity expected, Path folder) {
    Optional<byte[]> stored = get(StoreKeys.identity());
    if (stored.isEmpty()) {
      throw new ContainerException(
          Reason.WRONG_SHARD, folder.toString(), expected, "a database without identity");
    }
    ShardIdentity actual = checked(() -> ShardIdentity.decode(stored.get()));
    if (!actual.equals(expected)) {
      throw new ContainerException(Reason.WRONG_SHARD, folder.toString(), expected, actual);
    }
  }

  Faults faults() {
    return faults;
  }

  /**
   * Throws an exception if the database is open for reading.
   *
   * @throws IllegalStateException if it is
   */
  void requireWriting() {
    if (opening.isPresent()) {
      throw new IllegalStateException(
          "the container is open for reading: container=" + faults.container());
    }
  }

  /** Decodes bytes from the database, and adds the name of the database to failures. */
  <T> T checked(Supplier<T> decoding) {
    try {
      return decoding.get();
    } catch (FormatException e) {
      throw faults.of(e);
    }
  }

  private void enter() {
    if (!uses.enter()) {
      throw new IllegalStateException("the container is closed: container=" + faults.container());
    }
  }

  private <T> T call(Call<T> call) {
    enter();
    try {
      return call.run();
    } catch (RocksDBException e) {
      throw opening.map(reader -> reader.failure(faults, e)).orElseGet(() -> faults.of(e));
    } finally {
      uses.leave();
    }
  }

  /** Returns the value of a key; empty if there is none. */
  Optional<byte[]> get(byte[] key) {
    return call(() -> Optional.ofNullable(database.get(options.reading(), key)));
  }

  /**
   * Returns the unsigned number that is stored under a key, 0 if there is none.
   *
   * @throws FormatException if the value is not a transaction number
   */
  long number(byte[] key) {
    Optional<byte[]> stored = get(key);
    if (stored.isEmpty()) {
      return 0;
    }
    return checked(() -> {
      byte[] bytes = stored.get();
      long number = bytes.length == Long.BYTES ? ByteBuffer.wrap(bytes).getLong() : -1;
      if (number < 0) {
        throw new FormatException(
            "number of a transaction", "8 bytes below 2^63", Arrays.toString(bytes));
      }
      return number;
    });
  }

  void putNumber(byte[] key, long number, Durability durability) {
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    call(() -> {
      database.put(
          durability == Durability.SYNCED ? options.synced() : options.buffered(), key, value);
      return 0;
    });
  }

  /**
   * Copies the value of a key to native memory or to a byte array on the heap; copies only the
   * beginning of a value that is larger than the memory.
   *
   * @param check the layer that checks the value
   * @return the size of the value in bytes; -1 if there is no value
   */
  long copy(byte[] key, ValueCheck check, MemorySegment to) {
    ReadOptions reading = check == ValueCheck.BY_ENGINE ? options.reading() : options.unchecked();
    return call(() -> {
      if (!to.isNative()) {
        return (long) database.get(reading, ByteBuffer.wrap(key), to.asByteBuffer());
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment name = arena.allocate(key.length).copyFrom(MemorySegment.ofArray(key));
        return (long) database.get(reading, name.asByteBuffer(), to.asByteBuffer());
      }
    });
  }

  /** Writes a batch as one atomic change. */
  void write(WriteBatch batch, Durability durability) {
    call(() -> {
      database.write(
          durability == Durability.SYNCED ? options.synced() : options.buffered(), batch);
      return 0;
    });
  }

  /**
   * Starts to write a batch as one atomic change that is not synced. Batches are written in the
   * order of the calls. The caller must not use the batch until the write has ended.
   */
  CompletableFuture<Void> startWriting(WriteBatch batch) {
    return call(() -> CompletableFuture.runAsync(() -> write(batch, Durability.BUFFERED), writer));
  }

  /** Makes durable all batches that were written so far. */
  void persist() {
    call(() -> {
      database.flushWal(true);
      return 0;
    });
  }

  /** Creates a hard-linked copy of the database in a folder that must not exist yet. */
  void checkpoint(Path folder) {
    call(() -> {
      try (Checkpoint checkpoint = Checkpoint.create(database)) {
        checkpoint.createCheckpoint(folder.toString());
      }
      return 0;
    });
  }

  /** Collects the garbage of removed large values if there is enough. Calls must not overlap. */
  void collectGarbage() {
    call(() -> {
      garbage.adjust(database);
      return 0;
    });
  }

  /** Flushes and compacts everything, so that the space of removed versions is released. */
  void compact() {
    call(() -> {
      database.compactRange();
      return 0;
    });
  }

  /** Returns a cursor over the state of the database at this moment. */
  StoreCursor cursor() {
    enter();
    boolean kept = false;
    try {
      StoreCursor cursor = new StoreCursor(this, iterator());
      kept = true;
      return cursor;
    } catch (RocksDBException e) {
      throw faults.of(e);
    } finally {
      if (!kept) {
        uses.leave();
      }
    }
  }

  private RocksIterator iterator() throws RocksDBException {
    RocksIterator found = idle.poll();
    if (found == null) {
      return database.newIterator(options.reading());
    }
    idleCount.decrementAndGet();
    if (opening.isEmpty()) {
      boolean refreshed = false;
      try {
        found.refresh();
        refreshed = true;
      } finally {
        if (!refreshed) {
          found.close();
        }
      }
    }
    return found;
  }

  /** Counts a seek of a cursor. */
  void seeking() {
    seeks.increment();
  }

  /** Returns the number of seeks of cursors so far. */
  long seeks() {
    return seeks.sum();
  }

  /** Ends the use of a cursor by the thread that created it. */
  void release(RocksIterator iterator) {
    if (idleCount.incrementAndGet() <= IDLE_ITERATORS) {
      idle.push(iterator);
    } else {
      idleCount.decrementAndGet();
      iterator.close();
    }
    uses.leave();
  }

  /**
   * Closes the iterators that are kept for later reads. They hold memory and files of the state
   * that they last read, which a change makes obsolete.
   */
  void releaseIdle() {
    call(() -> {
      closeIdle();
      return 0;
    });
  }

  private void closeIdle() {
    for (RocksIterator found = idle.poll(); found != null; found = idle.poll()) {
      idleCount.decrementAndGet();
      found.close();
    }
  }

  /** Waits for the calls of other threads, then closes the database. Called once. */
  @Override
  public void close() {
    uses.close();
    writer.shutdown();
    closeIdle();
    try (options) {
      database.closeE();
    } catch (RocksDBException e) {
      throw faults.of(e);
    }
  }
}
