package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.request.ModelWorker;
import io.skerry.cache.table.DatasetChunks;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that the cache never exceeds its active limit, as {@link CacheOptions} defines it. After
 * limits are lowered, the higher ones apply until all requests of that time have ended.
 */
public final class Ceiling {
  private final ModelRun run;
  private final List<ModelWorker> workers = new ArrayList<>();
  private final List<Era> eras = new ArrayList<>();
  private volatile boolean ended;
  private long looks;

  /**
   * A period with other limits.
   *
   * @param operations number of operations of each worker at its start
   */
  private record Era(CacheOptions options, long[] operations) {}

  Ceiling(ModelRun run, CacheOptions first) {
    this.run = run;
    eras.add(new Era(first, new long[0]));
  }

  void add(ModelWorker worker) {
    workers.add(worker);
  }

  /** Sets other limits. */
  public void configure(CacheOptions options) {
    synchronized (eras) {
      eras.add(new Era(options, new long[0]));
    }
    run.desk.cache().configure(options);
    // Waits until no other thread stores.
    run.desk.cache().trim();
    long[] operations = workers.stream().mapToLong(ModelWorker::done).toArray();
    synchronized (eras) {
      eras.set(eras.size() - 1, new Era(options, operations));
    }
  }

  /** Returns the present limit in bytes. */
  private long allowed() {
    synchronized (eras) {
      while (eras.size() > 1 && isOver(eras.getFirst(), eras.get(1))) {
        eras.removeFirst();
      }
      long allowed = 0;
      for (Era era : eras) {
        allowed = Math.max(allowed, allowed(era.options()));
      }
      return allowed;
    }
  }

  /** Returns whether all requests of an era have ended since the next one started. */
  private boolean isOver(Era before, Era next) {
    if (next.operations().length == 0) {
      return false;
    }
    boolean over = true;
    for (int i = 0; i < workers.size(); i++) {
      // The operation that ran at the change has ended, and so has its trim.
      over &= workers.get(i).done() > next.operations()[i] + 1;
    }
    return over;
  }

  private long allowed(CacheOptions options) {
    long chunk = run.largestChunk();
    // The limits may have grown automatically.
    long grown = options.most() - options.quiescent();
    long ahead = Math.max(options.most() / 8, run.desk.cache().prefetcher().coming());
    return Math.max(options.active() + grown, chunk) + ahead + run.unforeseen();
  }

  void watch() {
    while (!ended) {
      // The limits may change during the measurement.
      long before = allowed();
      long bytes = run.desk.statistics().bytes();
      long allowed = Math.max(before, allowed());
      assertTrue(bytes <= allowed, () -> told(bytes, allowed));
      looks++;
      Thread.yield();
    }
  }

  private String told(long bytes, long allowed) {
    ChunkCache cache = run.desk.cache();
    return run.setup
        + " held="
        + bytes
        + " allowed="
        + allowed
        + " now="
        + cache.statistics()
        + " reserved="
        + cache.evictor().reserved()
        + " granted="
        + cache.admission().used()
        + " ahead="
        + cache.prefetcher().coming()
        + " eras="
        + eras
        + " chunks="
        + chunks();
  }

  /** Describes the chunks in memory. */
  private String chunks() {
    StringBuilder text = new StringBuilder();
    for (DatasetChunks dataset : run.desk.cache().datasets()) {
      dataset
          .chunks()
          .forEach(entry ->
              text.append(dataset.key(entry.number()))
                  .append(entry.state().getClass().getSimpleName())
                  .append(entry.bytes()));
    }
    return text.toString();
  }

  void end() {
    ended = true;
  }

  long looks() {
    return looks;
  }
}
