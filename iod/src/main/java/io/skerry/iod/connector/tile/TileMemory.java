package io.skerry.iod.connector.tile;

import io.skerry.chunk.bytes.UninitializedMemory;
import io.skerry.iod.engine.Changes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Native memory for the stored tiles of a file. It is reused, because the system zeroes new memory
 * of several MiB page by page. A few blocks are kept until the file is closed. Thread-safe.
 */
public final class TileMemory implements AutoCloseable {
  /** The maximum number of bytes that are kept. */
  private static final long MOST_KEPT = 32 << 20;

  /** The size in bytes below which memory is not worth keeping. */
  private static final long LEAST = 256 << 10;

  private final Deque<Block> free = new ArrayDeque<>();
  private final long most;
  private long kept;
  private boolean isClosed;

  /** Memory that is released when its arena is closed. */
  private record Block(Arena arena, MemorySegment bytes) {}

  /** Creates an object that keeps some blocks. */
  public TileMemory() {
    this(MOST_KEPT);
  }

  private TileMemory(long most) {
    this.most = most;
  }

  /** Returns an object that keeps no block, and need not be closed. */
  static TileMemory notKept() {
    return new TileMemory(0);
  }

  /** Memory for the tiles of one read or write, for one thread. */
  static final class Use implements AutoCloseable {
    private final TileMemory memory;

    /** Owns the memory that is not kept. */
    private final Arena arena = Arena.ofConfined();

    /** The blocks to give back when the use is closed. */
    private final Deque<Block> taken = new ArrayDeque<>(1);

    private boolean isHeld;

    private Use(TileMemory memory) {
      this.memory = memory;
    }

    /** Returns memory with arbitrary content, which is valid until the use is closed. */
    MemorySegment allocate(long bytes) {
      if (bytes < LEAST || bytes > memory.most) {
        return UninitializedMemory.allocate(arena, bytes);
      }
      Block block = memory.take(bytes);
      taken.push(block);
      return block.bytes.asSlice(0, bytes);
    }

    /**
     * Runs an action that passes the memory to the engine. If the transport of the engine still
     * uses the memory after a failure, it is never released: its arenas stay open, and no garbage
     * collection closes them.
     */
    <T> T using(Supplier<T> action) {
      try {
        return action.get();
      } catch (RuntimeException e) {
        isHeld |= e instanceof Changes.HoldsMemory;
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
      if (!isHeld) {
        taken.forEach(memory::give);
        taken.clear();
        arena.close();
      }
    }
  }

  Use use() {
    return new Use(this);
  }

  private Block take(long bytes) {
    Block found;
    synchronized (this) {
      found = free.poll();
      if (found != null) {
        kept -= found.bytes.byteSize();
        if (found.bytes.byteSize() >= bytes) {
          return found;
        }
      }
    }
    if (found != null) {
      found.arena.close();
    }
    // Another thread may give the block back.
    Arena arena = Arena.ofShared();
    return new Block(arena, UninitializedMemory.allocate(arena, bytes));
  }

  private void give(Block block) {
    synchronized (this) {
      long size = block.bytes.byteSize();
      if (!isClosed && kept + size <= most) {
        kept += size;
        free.push(block);
        return;
      }
    }
    block.arena.close();
  }

  /** Releases the blocks that are not in use, and the others as soon as they are given back. */
  @Override
  public synchronized void close() {
    isClosed = true;
    free.forEach(block -> block.arena.close());
    free.clear();
    kept = 0;
  }
}
