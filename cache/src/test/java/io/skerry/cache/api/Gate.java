package io.skerry.cache.api;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.skerry.cache.Task;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks threads that are about to access a chunk until it is opened. */
public final class Gate implements MemoryStore.Events {
  private final MemoryStore.Act act;
  private final ChunkKey key;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  public Gate(MemoryStore.Act act, ChunkKey key) {
    this.act = act;
    this.key = key;
  }

  @Override
  public void before(MemoryStore.Act done, ChunkKey chunk) {
    if (done == act && chunk.equals(key)) {
      reached.countDown();
      await(open);
    }
  }

  private static void await(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        assertTrue(latch.await(Task.PATIENCE_SECONDS, TimeUnit.SECONDS), "nobody came");
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until a thread is blocked. */
  public void awaitReached() {
    try {
      assertTrue(reached.await(Task.PATIENCE_SECONDS, TimeUnit.SECONDS), "nobody came: " + key);
    } catch (InterruptedException e) {
      fail(e);
    }
  }

  public void open() {
    open.countDown();
  }
}
