package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.Desk;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.api.Trouble;
import io.skerry.cache.request.ModelWorker;
import io.skerry.cache.table.Entry;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that execute all kinds of operations on the datasets of one cache, checked against
 * histories.
 */
public final class ModelRun implements AutoCloseable {
  public final Desk desk;
  public final List<Shelf> shelves = new ArrayList<>();
  public final Setup setup;

  /** Excludes concurrent opening, deletion and storing of all chunks, as in a file. */
  public final ReentrantLock gate = new ReentrantLock();

  /** Number of chunks that were requested. */
  public final AtomicLong asked = new AtomicLong();

  /** Number of chunks that flushes stored. */
  final AtomicLong flushed = new AtomicLong();

  /** Size of the chunks that were published without a request and are not trimmed yet, in bytes. */
  public final AtomicLong published = new AtomicLong();

  private final Ceiling ceiling;
  private final Trouble trouble;

  /** The chunk formats of the datasets. */
  enum Kinds {
    /** Dense formats, some filtered: the size of a chunk is known in advance. */
    FIXED,
    /** Sparse formats too. */
    ALL
  }

  /** Frequency of failures. */
  public enum Mishaps {
    NONE,
    /** Loads and stores fail, and threads are interrupted. */
    MANY
  }

  /** Parameters of a run. */
  public record Setup(
      long seed, EvictionPolicy policy, Kinds kinds, int threads, int datasets, Mishaps mishaps) {}

  ModelRun(Setup setup) {
    this.setup = setup;
    Random random = new Random(setup.seed());
    CacheOptions first = options(random);
    desk = new Desk(first);
    for (int i = 0; i < setup.datasets(); i++) {
      int[] chunks = {3 + random.nextInt(4), 1 + random.nextInt(3)};
      shelves.add(new Shelf(desk, 1000 + 8L * i, format(i), chunks, setup.threads()));
    }
    ceiling = new Ceiling(this, first);
    trouble = new Trouble(setup.seed(), setup.mishaps());
    desk.store().before(trouble);
  }

  public Trouble trouble() {
    return trouble;
  }

  private ChunkFormat format(int number) {
    long[][] shapes = {{4, 16}, {8, 9}, {2, 33}, {1, 64}};
    long[] shape = shapes[number % shapes.length];
    return switch (number % (setup.kinds() == Kinds.ALL ? 3 : 2)) {
      case 0 -> Desk.dense(shape);
      case 1 -> Desk.filtered(shape);
      default -> Desk.sparse(shape);
    };
  }

  /**
   * Returns the maximum size of a chunk in bytes: a sparse one in which every second element is
   * defined.
   */
  public long largestChunk() {
    long values = 72L * Long.BYTES;
    return Entry.OVERHEAD + (setup.kinds() == Kinds.ALL ? 128 + values + 36 * 24 : 64 + values);
  }

  /**
   * Returns the maximum size, in bytes, of chunks added without a request and of the excess of
   * sparse chunks.
   */
  long unforeseen() {
    long sparse = (long) setup.threads() * ModelWorker.MOST_CHUNKS * largestChunk();
    return published.get() + (setup.kinds() == Kinds.ALL ? sparse : 0);
  }

  /** Returns options with a random budget, from one chunk to more than needed. */
  public CacheOptions options(Random random) {
    long chunk = Entry.OVERHEAD + 64 + 72 * Long.BYTES;
    long[] budgets = {0, chunk, 3 * chunk, 10 * chunk, 50 * chunk, 150 * chunk, 1000 * chunk};
    long quiescent = budgets[random.nextInt(budgets.length)];
    long active = Math.max(chunk, quiescent + random.nextInt(3) * Math.min(quiescent, 20 * chunk));
    return CacheOptions.standard()
        .withLimits(quiescent, active, (1 + 3 * random.nextInt(2)) * quiescent)
        .withDatasetMinimum(random.nextInt(2) * 4 * chunk)
        .withPolicy(setup.policy())
        .withPreemption(random.nextInt(3) / 2.0)
        .withPrefetch(random.nextInt(3));
  }

  public Ceiling ceiling() {
    return ceiling;
  }

  /** Executes a number of operations, divided between all threads. */
  void operations(int count) {
    List<ModelWorker> workers = new ArrayList<>();
    List<Task<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < setup.threads(); i++) {
      ModelWorker worker = new ModelWorker(this, i);
      workers.add(worker);
      ceiling.add(worker);
    }
    for (ModelWorker worker : workers) {
      tasks.add(Task.run(() -> worker.operations(count / setup.threads())));
    }
    Task<Boolean> watch = Task.run(ceiling::watch);
    Task<Boolean> disturbance = Task.run(() -> trouble.disturb(tasks));
    tasks.forEach(Task::getWhenever);
    ceiling.end();
    watch.getWhenever();
    disturbance.getWhenever();
  }

  /** Checks the invariants, statistics and contents while no thread is running. */
  void check() {
    trouble.end();
    desk.check();
    CacheStatistics said = desk.statistics();
    if (setup.mishaps() == Mishaps.NONE) {
      assertEquals(asked.get(), said.hits() + said.misses(), "chunks that were asked for");
    }
    assertEquals(desk.store().count(Act.LOAD), said.loads(), "loads");
    assertEquals(desk.store().count(Act.ENCODE), said.encodes(), "encodes");
    assertEquals(desk.store().count(Act.LOCATE), said.located(), "sections read");
    assertEquals(desk.store().count(Act.STORE) + flushed.get(), said.stores(), "stores");
    contents("in the cache");
    flush();
    desk.cache().trim();
    assertTrue(desk.statistics().bytes() <= desk.statistics().quiescent(), "more than stays");
    shelves.forEach(shelf -> desk.cache().keyed().forgetStored(shelf.id, Set.of()));
    assertEquals(0, desk.statistics().chunks(), "chunks after all were forgotten");
    contents("stored");
    desk.check();
  }

  public void flush() {
    gate.lock();
    try {
      flushed.addAndGet(desk.flush());
    } finally {
      gate.unlock();
    }
  }

  private void contents(String where) {
    for (Shelf shelf : shelves) {
      long[] values = shelf.data().read(Selection.all());
      for (int element = 0; element < values.length; element++) {
        if (shelf.owner(element % shelf.columns) < setup.threads()) {
          assertEquals(
              shelf.history.value(element),
              values[element],
              where + " " + shelf.id + " " + element);
        }
      }
      boolean[] defined = shelf.data().defined(Selection.all());
      for (int element = 0; element < values.length; element++) {
        boolean expected = !shelf.data().isSparse() || values[element] != 0;
        assertEquals(expected, defined[element], "defined " + where + " " + element);
      }
    }
  }

  @Override
  public void close() {
    desk.close();
  }
}
