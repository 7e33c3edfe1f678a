package io.skerry.iod.rados;

import io.skerry.iod.engine.EngineException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Renews the leases of a container in a thread of its own until it is closed. */
final class LeaseKeeper implements AutoCloseable {
  private static final int SECONDS = Lease.SECONDS / 3;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<RadosShard> shards;
  private final Thread thread;

  LeaseKeeper(String container, List<RadosShard> shards) {
    this.shards = shards;
    this.thread = Thread.ofPlatform().daemon().name("leases of " + container).start(this::run);
  }

  private void run() {
    try {
      while (!closed.await(SECONDS, TimeUnit.SECONDS)) {
        shards.forEach(LeaseKeeper::renew);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void renew(RadosShard shard) {
    try {
      shard.renew();
    } catch (EngineException e) {
      // The next renewal may succeed. If the lease ends, the next change of the head reports it.
      return;
    }
  }

  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
