package io.skerry.iod.connector.tile;

import io.skerry.chunk.bytes.UninitializedMemory;
import io.skerry.iod.engine.Changes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Native memory for the stored tiles of a dataset, which is used again: new memory of some MiB is
 * zeroed by the system page by page. A few blocks are kept as long as the dataset is used.
 * Thread-safe.
 */
final class TileMemory {
  /** The number of bytes that are kept. */
  private static final long MOST_KEPT = 32 << 20;

  /** The size in bytes below which memory is not worth keeping. */
  private static final long LEAST = 256 << 10;

  /**
   * The memory that a transport may still read or write after a failure, until the process ends:
   * without a reference to it, the garbage collector would free it.
   */
  private static final Set<Use> HELD = Collections.newSetFromMap(new ConcurrentHashMap<>());

  private final Deque<MemorySegment> free = new ArrayDeque<>();
  private long kept;

  /**
   * Memory for the tiles of one read, for one thread.
   *
   * @param memory the memory of the dataset
   * @param arena owns what is not kept
   * @param taken the blocks that are given back
   */
  record Use(TileMemory memory, Arena arena, Deque<MemorySegment> taken) implements AutoCloseable {
    /** Returns memory with arbitrary content, which is valid until the use is closed. */
    MemorySegment allocate(long bytes) {
      if (bytes < LEAST || bytes > MOST_KEPT) {
        return UninitializedMemory.allocate(arena, bytes);
      }
      MemorySegment block = memory.take(bytes);
      taken.push(block);
      return block.asSlice(0, bytes);
    }

    /**
     * Runs an action that passes the memory to the engine. If the transport of the engine still
     * uses the memory after a failure, it is never released.
     */
    <T> T using(Supplier<T> action) {
      try {
        return action.get();
      } catch (RuntimeException e) {
        if (e instanceof Changes.HoldsMemory) {
          HELD.add(this);
        }
        throw e;
      }
    }

    void using(Runnable action) {
      boolean unused =
          using(() -> {
            action.run();
            return true;
          });
    }

    @Override
    public void close() {
      if (!HELD.contains(this)) {
        taken.forEach(memory::give);
        taken.clear();
        arena.close();
      }
    }
  }

  Use use() {
    return new Use(this, Arena.ofConfined(), new ArrayDeque<>(1));
  }

  private MemorySegment take(long bytes) {
    synchronized (this) {
      MemorySegment found = free.poll();
      if (found != null) {
        kept -= found.byteSize();
        if (found.byteSize() >= bytes) {
          return found;
        }
      }
    }
    // Freed by the garbage collector, because the dataset is never closed.
    return Arena.ofAuto().allocate(bytes);
  }

  private synchronized void give(MemorySegment block) {
    if (kept + block.byteSize() <= MOST_KEPT) {
      kept += block.byteSize();
      free.push(block);
    }
  }
}
