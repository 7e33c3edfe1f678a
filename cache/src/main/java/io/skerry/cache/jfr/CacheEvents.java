package io.skerry.cache.jfr;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * Records events of a file's chunk cache in the Java Flight Recorder: loads, stores, eviction
 * passes and waits. {@link StatisticsEmitter} adds the counters. Hits are not recorded.
 *
 * <p>No event object is created until the recorder is first used in this JVM, because the first
 * event is expensive.
 */
public final class CacheEvents {
  private final String file;

  /**
   * Creates a recorder for the events of a file.
   *
   * @param file name of the file; empty if it has none
   */
  public CacheEvents(String file) {
    this.file = file;
  }

  private static boolean isRecording() {
    return FlightRecorder.isInitialized();
  }

  /** The reason why a request waits. */
  public enum Reason {
    /** An earlier request for some of the same elements. */
    ORDER,
    /** Memory that other requests use. */
    MEMORY,
    /** A chunk that another request or a prefetch loads. */
    LOAD,
    /** Another thread that stores chunks. */
    STORE
  }

  /** An event with a duration, ended by {@link #close}. */
  @FunctionalInterface
  public interface Span extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Records that a request starts to wait.
   *
   * @param reason reason for the wait
   * @param subject supplier of a text that identifies the wait: the waiting request, the name of
   *     the dataset whose chunk is loaded, or the requested memory; may be empty
   * @return the event, to be closed at the end of the wait
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

  /** Events for several chunks, which start at the same time and end separately. */
  @FunctionalInterface
  public interface Batch {
    /**
     * Ends the event of a chunk. Any thread may call this method.
     *
     * @param index index of the chunk
     * @param bytes size of the chunk in memory, in bytes
     */
    void done(int index, long bytes);
  }

  /** Cause of a load. */
  public enum Cause {
    /** A request. */
    REQUEST,
    /** A prefetch. */
    AHEAD
  }

  /** Records that chunks are about to be loaded. */
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

  /** Records that chunks are about to be encoded and stored to free memory. */
  public Batch storing(List<? extends ChunkLabel> entries) {
    if (!isRecording()) {
      return (_, _) -> {};
    }
    List<ChunkStoreEvent> events = entries.stream().map(_ -> new ChunkStoreEvent()).toList();
    events.forEach(ChunkStoreEvent::begin);
    return (index, bytes) -> commit(events.get(index), entries.get(index), bytes);
  }

  /**
   * Records that a flush has stored a chunk.
   *
   * @param entry the chunk
   * @param bytes size of the chunk in memory, in bytes
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

  /** The event of an eviction pass. */
  @FunctionalInterface
  public interface Pass {
    /**
     * Ends the event.
     *
     * @param evicted number of chunks that were evicted
     * @param evictedBytes size of these chunks in memory, in bytes
     * @param stored number of chunks that were stored
     */
    void done(long evicted, long evictedBytes, long stored);
  }

  /**
   * Records that the cache is about to search for chunks to evict, or to store chunks before their
   * eviction.
   */
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
