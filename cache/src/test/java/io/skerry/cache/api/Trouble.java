package io.skerry.cache.api;

import io.skerry.cache.ModelRun;
import io.skerry.cache.Task;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Causes failures in a {@link ModelRun}: loads and stores fail, and threads are interrupted. */
public final class Trouble implements MemoryStore.Events {
  private final long seed;
  private final boolean many;
  private final AtomicLong events = new AtomicLong();
  private final Map<MemoryStore.Act, LongAdder> faults = new EnumMap<>(MemoryStore.Act.class);

  /** Number of operations that an interrupt ended. */
  private final LongAdder refusals = new LongAdder();

  /**
   * Held for reading by threads that must not be interrupted, and for writing by the interrupting
   * thread.
   */
  private final ReentrantReadWriteLock calm = new ReentrantReadWriteLock();

  private volatile boolean ended;

  public Trouble(long seed, ModelRun.Mishaps mishaps) {
    this.seed = seed;
    this.many = mishaps == ModelRun.Mishaps.MANY;
    for (MemoryStore.Act act : MemoryStore.Act.values()) {
      faults.put(act, new LongAdder());
    }
  }

  @Override
  public void before(MemoryStore.Act act, ChunkKey key) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + events.incrementAndGet());
    if (random.nextInt(16) == 0) {
      Thread.yield();
    } else if (random.nextInt(200) == 0) {
      LockSupport.parkNanos(50_000);
    }
    if (many && !ended && calm.getReadLockCount() == 0 && isBad(act, key, random)) {
      faults.get(act).increment();
      throw new Fault(act, key);
    }
  }

  private boolean isBad(MemoryStore.Act act, ChunkKey key, SplittableRandom random) {
    // In some runs, a dataset cannot be stored before the end.
    boolean never = seed % 4 == 0 && key.dataset() == 1008;
    return switch (act) {
      case LOAD -> random.nextInt(40) == 0;
      case LOCATE -> random.nextInt(20) == 0;
      case ENCODE -> random.nextInt(60) == 0;
      case STORE -> never || random.nextInt(30) == 0;
    };
  }

  /** Runs a task; meanwhile, no failures are caused in any thread. */
  public void pause(Runnable task) {
    calm.readLock().lock();
    try {
      task.run();
    } finally {
      calm.readLock().unlock();
    }
  }

  /** Interrupts threads until all tasks are complete. */
  public void disturb(List<? extends Task<?>> tasks) {
    SplittableRandom random = new SplittableRandom(seed);
    while (many && tasks.stream().anyMatch(task -> !task.isDone())) {
      LockSupport.parkNanos(random.nextInt(2_000_000));
      calm.writeLock().lock();
      try {
        tasks.get(random.nextInt(tasks.size())).interrupt();
      } finally {
        calm.writeLock().unlock();
      }
    }
  }

  /** Causes no more failures. */
  public void end() {
    ended = true;
  }

  /** Records that an interrupt has ended an operation. */
  public void refused() {
    refusals.increment();
  }

  /** Number of failures of one kind. */
  public long faults(MemoryStore.Act act) {
    return faults.get(act).sum();
  }

  /** Number of operations that interrupts have ended. */
  public long refusals() {
    return refusals.sum();
  }
}
