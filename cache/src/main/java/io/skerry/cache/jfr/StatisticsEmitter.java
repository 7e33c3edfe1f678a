package io.skerry.cache.jfr;

import io.skerry.cache.CacheStatistics;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Tells the Java Flight Recorder once a second what a cache has done, from when it is first used in
 * this JVM, be that later, and a last time when it is closed.
 */
public final class StatisticsEmitter implements AutoCloseable {
  /**
   * All at once: whoever streams events loses the long texts of earlier ones when the recorder
   * hears of another kind of event.
   */
  private static final List<Class<? extends Event>> EVENTS =
      List.of(
          ChunkLoadEvent.class,
          ChunkStoreEvent.class,
          CacheEvictionEvent.class,
          CacheWaitEvent.class,
          CacheStatisticsEvent.class);

  private final String file;
  private final Supplier<CacheStatistics> statistics;
  private final FlightRecorderListener listener = new Listener();
  private final Runnable tell = this::tell;

  /** No lock: the recorder holds its own while it tells a listener, and while it is told. */
  private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

  private enum State {
    NEW,
    /** Somebody records, or has. */
    BEATING,
    CLOSED
  }

  /**
   * @param file its name; empty if it has none
   */
  public StatisticsEmitter(String file, Supplier<CacheStatistics> statistics) {
    this.file = file;
    this.statistics = statistics;
  }

  private final class Listener implements FlightRecorderListener {
    @Override
    public void recorderInitialized(FlightRecorder recorder) {
      beat();
    }
  }

  /** Begins. */
  public void start() {
    FlightRecorder.addListener(listener);
    if (FlightRecorder.isInitialized()) {
      beat();
    }
  }

  private void beat() {
    if (state.compareAndSet(State.NEW, State.BEATING)) {
      EVENTS.forEach(FlightRecorder::register);
      FlightRecorder.addPeriodicEvent(CacheStatisticsEvent.class, tell);
      if (state.get() == State.CLOSED) {
        // Meanwhile: it may have found nothing to remove.
        FlightRecorder.removePeriodicEvent(tell);
      }
    }
  }

  private void tell() {
    CacheStatisticsEvent event = new CacheStatisticsEvent();
    if (event.shouldCommit()) {
      event.file = file;
      event.take(statistics.get());
      event.commit();
    }
  }

  /** Tells a last time. Has no effect the second time. */
  @Override
  public void close() {
    FlightRecorder.removeListener(listener);
    if (state.getAndSet(State.CLOSED) == State.BEATING) {
      FlightRecorder.removePeriodicEvent(tell);
      tell();
    }
  }
}
