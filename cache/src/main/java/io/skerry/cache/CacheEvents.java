package io.skerry.cache;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * What the Java Flight Recorder is told of a file's chunk cache: loads, stores, passes of eviction
 * and waiting; {@link StatisticsPulse} adds the counts. A hit tells nothing.
 *
 * <p>While nobody has asked for a recording in this JVM, all it costs is a look at a flag: the
 * first event of a JVM takes a tenth of a second to get ready, which short commands would feel.
 */
final class CacheEvents {
  private final String file;

  /**
   * @param file its name; empty if it has none
   */
  CacheEvents(String file) {
    this.file = file;
  }

  private static boolean isRecording() {
    return FlightRecorder.isInitialized();
  }

  /** Why a request waits. */
  enum Reason {
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
  interface Span extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * A request begins to wait.
   *
   * @param subject what for, in words
   */
  Span waiting(Reason reason, Supplier<String> subject) {
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
  interface Batch {
    /**
     * One is done; for any thread.
     *
     * @param index its place among those that have begun
     * @param bytes that it has in memory
     */
    void done(int index, long bytes);
  }

  /** Who wants a chunk loaded. */
  enum Cause {
    /** A request. */
    REQUEST,
    /** Nobody yet. */
    AHEAD
  }

  /** Chunks are about to be loaded. */
  Batch loading(List<Entry> entries, Cause cause) {
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
  Batch storing(List<Entry> entries) {
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
  void flushed(Entry entry, long bytes) {
    if (isRecording()) {
      ChunkStoreEvent event = new ChunkStoreEvent();
      event.flush = true;
      commit(event, entry, bytes);
    }
  }

  private void commit(ChunkEvent event, Entry entry, long bytes) {
    event.end();
    if (event.shouldCommit()) {
      event.file = file;
      event.dataset = entry.dataset().name();
      event.chunk = chunk(entry);
      event.bytes = bytes;
      event.commit();
    }
  }

  private static String chunk(Entry entry) {
    return entry.dataset().key(entry.number()).chunk().toString();
  }

  /** A pass of eviction. */
  @FunctionalInterface
  interface Pass {
    /**
     * It is over.
     *
     * @param gone chunks that went
     * @param stored chunks that were stored
     */
    void done(Departures.Total gone, long stored);
  }

  /** The cache is about to look for what can go, or to store what has to. */
  Pass evicting() {
    if (!isRecording()) {
      return (_, _) -> {};
    }
    CacheEvictionEvent event = new CacheEvictionEvent();
    event.begin();
    return (gone, stored) -> {
      event.end();
      if (event.shouldCommit()) {
        event.file = file;
        event.evicted = gone.chunks();
        event.evictedBytes = gone.bytes();
        event.stored = stored;
        event.commit();
      }
    };
  }
}
