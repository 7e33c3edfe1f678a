package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Durability;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.rocksdb.WriteBatch;

/**
 * The batches of a transaction: one is filled while the writer thread of the database writes the
 * previous one. They are written in the order in which they were filled. After a failure, nothing
 * more is written. Not thread-safe.
 */
final class BatchPair implements AutoCloseable {
  /** The size at which a batch is written, in bytes. */
  private static final int BATCH = 4 << 20;

  /** Room for keys besides a large value, in bytes, so that the batch is not copied to grow. */
  private static final int KEYS = 1 << 16;

  /** The size of an empty batch in bytes. */
  private static final int HEADER = 12;

  private final ShardStore store;
  private Sized filled = new Sized(new WriteBatch(), 0);
  private Sized written = new Sized(new WriteBatch(), 0);
  private Optional<CompletableFuture<Void>> writing = Optional.empty();
  private boolean isWritten;

  /** A batch, and the bytes that it can hold without growing. */
  private record Sized(WriteBatch batch, long reserved) {}

  BatchPair(ShardStore store) {
    this.store = store;
  }

  /** Returns the batch to be filled, until the next call of another method. */
  WriteBatch batch() {
    return filled.batch();
  }

  boolean isEmpty() {
    return filled.batch().count() == 0;
  }

  /** Returns whether the batch should be written. */
  boolean isFull() {
    return filled.batch().getDataSize() >= BATCH;
  }

  /** Returns whether a large value would make the batch grow, which copies its content. */
  boolean lacksRoomFor(long bytes) {
    return filled.batch().getDataSize() + bytes + KEYS > filled.reserved();
  }

  /** Makes room for a large value in an empty batch. */
  void reserve(long bytes) {
    if (lacksRoomFor(bytes)) {
      long reserved = HEADER + Math.max(BATCH, bytes) + KEYS;
      filled.batch().close();
      filled = new Sized(new WriteBatch(Math.toIntExact(reserved)), reserved);
    }
  }

  /**
   * Waits for the previous write, then starts to write the batch. The next batch is empty.
   *
   * @throws io.skerry.iod.engine.EngineException if the previous write has failed
   */
  void startWriting() {
    await();
    Sized next = written;
    next.batch().clear();
    written = filled;
    filled = next;
    isWritten = true;
    writing = Optional.of(store.startWriting(written.batch()));
  }

  /**
   * Writes the batch, and waits for the end of all writes.
   *
   * @throws io.skerry.iod.engine.EngineException if a write fails or has failed
   */
  void finish(Durability durability) {
    await();
    if (!isEmpty()) {
      store.write(filled.batch(), durability);
      filled.batch().clear();
      isWritten = true;
    } else if (isWritten && durability == Durability.SYNCED) {
      store.persist();
    }
  }

  private void await() {
    try {
      writing.ifPresent(CompletableFuture::join);
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** Waits for a write in progress, ignoring its failure, then releases the memory. */
  @Override
  public void close() {
    writing.ifPresent(write -> write.handle((_, _) -> true).join());
    filled.batch().close();
    written.batch().close();
  }
}
