package io.skerry.cache.jfr;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * What the Java Flight Recorder is told of a file's chunk cache: loads, stores, passes of eviction
 * and waiting; {@link StatisticsEmitter} adds the counts. A hit tells nothing.
 *
 * <p>While nobody has asked for a recording in this JVM, all it costs is a look at a flag: the
 * first event of a JVM takes a tenth of a second to get ready, which short commands would feel.
 */
public final class CacheEvents {
  private final String file;

  /**
   * @param file its name; empty if it has none
   */
  public CacheEvents(String file) {
    this.file = file;
  }

  private static boolean isRecording() {
    return FlightRecorder.isInitialized();
  }

  /** Why a request waits. */
  public enum Reason {
    /** An earlier request to the same elements. */
    ORDER,
    /** The memory that others have. */
    MEMORY,
    /** A chunk that another request loads. */
    LOAD,
    /** Another who stores. */
    STORE
  }

  /** Something that ends when it is closed. */
  @FunctionalInterface
  public interface Span extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * A request begins to wait.
   *
   * @param subject what for, in words
   */
  public Span waiting(Reason reason, Supplier<String> subject) {
    if (!isRecording()) {
      return () -> {};
    }
    CacheWaitEvent event = new CacheWaitEvent();
    event.begin();
    return () -> {
      event.end();
      if (event.shouldCommit()) {
        event.file = file;
        event.reason = reason.name().toLowerCase(Locale.ROOT);
        event.subject = subject.get();
        event.commit();
      }
    };
  }

  /** Chunks that have begun together. */
  @FunctionalInterface
  public interface Batch {
    /**
     * One is done; for any thread.
     *
     * @param index its place among those that have begun
     * @param bytes that it has in memory
     */
    void done(int index, long bytes);
  }

  /** Who wants a chunk loaded. */
  public enum Cause {
    /** A request. */
    REQUEST,
    /** Nobody yet. */
    AHEAD
  }

  /** Chunks are about to be loaded. */
  public Batch loading(List<? extends ChunkLabel> entries, Cause cause) {
    if (!isRecording()) {
      return (_, _) -> {};
    }
    List<ChunkLoadEvent> events = entries.stream().map(_ -> new ChunkLoadEvent()).toList();
    events.forEach(ChunkLoadEvent::begin);
    return (index, bytes) -> {
      events.get(index).ahead = cause == Cause.AHEAD;
      commit(events.get(index), entries.get(index), bytes);
    };
  }

  /** Chunks are about to be encoded and stored to make room. */
  public Batch storing(List<? extends ChunkLabel> entries) {
    if (!isRecording()) {
      return (_, _) -> {};
    }
    List<ChunkStoreEvent> events = entries.stream().map(_ -> new ChunkStoreEvent()).toList();
    events.forEach(ChunkStoreEvent::begin);
    return (index, bytes) -> commit(events.get(index), entries.get(index), bytes);
  }

  /**
   * A flush has stored a chunk.
   *
   * @param bytes that it has in memory
   */
  public void flushed(ChunkLabel entry, long bytes) {
    if (isRecording()) {
      ChunkStoreEvent event = new ChunkStoreEvent();
      event.flush = true;
      commit(event, entry, bytes);
    }
  }

  private void commit(ChunkEvent event, ChunkLabel entry, long bytes) {
    event.end();
    if (event.shouldCommit()) {
      event.file = file;
      event.dataset = entry.datasetName();
      event.chunk = entry.chunkName();
      event.bytes = bytes;
      event.commit();
    }
  }

  /** A pass of eviction. */
  @FunctionalInterface
  public interface Pass {
    /**
     * It is over.
     *
     * @param evicted number of chunks that were evicted
     * @param evictedBytes bytes of these chunks in memory
     * @param stored number of chunks that were stored
     */
    void done(long evicted, long evictedBytes, long stored);
  }

  /** The cache is about to look for what can go, or to store what has to. */
  public Pass evicting() {
    if (!isRecording()) {
      return (_, _, _) -> {};
    }
    CacheEvictionEvent event = new CacheEvictionEvent();
    event.begin();
    return (evicted, evictedBytes, stored) -> {
      event.end();
      if (event.shouldCommit()) {
        event.file = file;
        event.evicted = evicted;
        event.evictedBytes = evictedBytes;
        event.stored = stored;
        event.commit();
      }
    };
  }
}
