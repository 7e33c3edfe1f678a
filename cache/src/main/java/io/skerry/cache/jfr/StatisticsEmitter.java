package io.skerry.cache.jfr;

import io.skerry.cache.CacheStatistics;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Publishes the statistics of a cache to the Java Flight Recorder every second, starting when the
 * recorder is first used in this JVM, and, if publishing had started, once more when the emitter is
 * closed.
 */
public final class StatisticsEmitter implements AutoCloseable {
  /**
   * All event types, which are registered together: a program that streams events loses the long
   * strings of earlier events when another event type is registered.
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
  private final Runnable emit = this::emit;

  /**
   * The state of this emitter, changed without a lock. The recorder holds its own lock while it
   * notifies a listener, and calls to the recorder acquire that lock, so a lock held here could
   * cause a deadlock.
   */
  private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

  private enum State {
    NEW,
    /** The recorder has been used, and the events are registered. */
    REGISTERED,
    CLOSED
  }

  /**
   * Creates an emitter that has not started.
   *
   * @param file name of the file; empty if it has none
   * @param statistics supplier of the statistics
   */
  public StatisticsEmitter(String file, Supplier<CacheStatistics> statistics) {
    this.file = file;
    this.statistics = statistics;
  }

  private final class Listener implements FlightRecorderListener {
    @Override
    public void recorderInitialized(FlightRecorder recorder) {
      register();
    }
  }

  /**
   * Starts publishing immediately if the recorder has been used in this JVM, otherwise when the
   * recorder is first used.
   */
  public void start() {
    FlightRecorder.addListener(listener);
    if (FlightRecorder.isInitialized()) {
      register();
    }
  }

  private void register() {
    if (state.compareAndSet(State.NEW, State.REGISTERED)) {
      EVENTS.forEach(FlightRecorder::register);
      FlightRecorder.addPeriodicEvent(CacheStatisticsEvent.class, emit);
      if (state.get() == State.CLOSED) {
        // The emitter was closed concurrently, and close may have found no periodic event to
        // remove.
        FlightRecorder.removePeriodicEvent(emit);
      }
    }
  }

  private void emit() {
    CacheStatisticsEvent event = new CacheStatisticsEvent();
    if (event.shouldCommit()) {
      event.file = file;
      event.take(statistics.get());
      event.commit();
    }
  }

  /**
   * Stops publishing. If publishing had started, publishes the statistics once more. A second call
   * has no effect.
   */
  @Override
  public void close() {
    FlightRecorder.removeListener(listener);
    if (state.getAndSet(State.CLOSED) == State.REGISTERED) {
      FlightRecorder.removePeriodicEvent(emit);
      emit();
    }
  }
}
