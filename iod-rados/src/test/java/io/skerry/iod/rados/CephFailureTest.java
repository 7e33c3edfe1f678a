package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.testkit.launch.ChildProgram;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kills storage daemons and writers while transactions are committed. */
class CephFailureTest {
  @RegisterExtension static final CephTests CEPH = new CephTests();

  private static final int SHARDS = 2;
  private static final int LARGE = 50_000;
  private static final int RUNS = Integer.getInteger("skerry.rados.kill.runs", 6);

  private final RadosProvider engine = new RadosProvider();
  private final EngineLocation location = CEPH.location(CephTests.unique());

  /** Commits transactions, and acknowledges each one when the readable mark has reached it. */
  public static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) {
      var location = EngineLocation.of(arguments[0]);
      try (var container = new RadosProvider().open(location, Opening.writing())) {
        long mark = container.recover();
        System.out.println("ready " + mark);
        while (true) {
          long transaction = mark + 1;
          Samples.write(container, transaction, LARGE);
          // One transaction more, which is never readable.
          int shard = (int) (transaction % SHARDS);
          Samples.write(container, shard, transaction + 1, LARGE);
          assertTrue(container.advance(mark, transaction));
          System.out.println("done " + transaction);
          mark = transaction;
          container.shard(shard).abort(transaction + 1);
          if (transaction % 5 == 0) {
            for (int number = 0; number < SHARDS; number++) {
              container.shard(number).purge(mark - 2);
            }
          }
        }
      }
    }
  }

  @Test
  void acknowledged_transactions_survive_the_end_of_their_writer() throws Exception {
    engine.create(location, SHARDS);
    var random = new Random(11);
    long acknowledged = 0;
    for (int run = 0; run < RUNS; run++) {
      acknowledged = Math.max(acknowledged, killed(random.nextInt(12), random.nextInt(12_000_000)));
      try (var container = engine.open(location, Opening.writing())) {
        acknowledged = Samples.recovered(container, acknowledged);
      }
    }
    System.out.println("killed writers: " + RUNS + ", transactions: " + acknowledged);
  }

  /** Returns the last transaction that the killed process has acknowledged, 0 if there is none. */
  private long killed(int lines, int nanoseconds) throws Exception {
    var process =
        new ProcessBuilder(ChildProgram.of(Writer.class, location).command())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var said = process.inputReader()) {
      var ready = said.readLine();
      assertTrue(ready != null && ready.startsWith("ready "), "said: " + ready);
      long last = 0;
      for (int n = 0; n < lines; n++) {
        last = acknowledged(said.readLine());
      }
      LockSupport.parkNanos(nanoseconds);
      // Process.destroyForcibly would close the stream, with lines that have not been read.
      assertTrue(process.toHandle().destroyForcibly());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      for (var line = said.readLine(); line != null; line = said.readLine()) {
        last = Math.max(last, acknowledged(line));
      }
      return last;
    } finally {
      process.destroyForcibly();
    }
  }

  private static long acknowledged(String line) {
    assertTrue(line != null && line.matches("done [0-9]+"), "said: " + line);
    return Long.parseLong(line.substring("done ".length()));
  }

  @Test
  void nothing_is_lost_when_a_storage_daemon_is_killed_during_writes() throws Exception {
    engine.create(location, SHARDS);
    long last;
    try (var container = engine.open(location, Opening.writing());
        var threads = Executors.newSingleThreadExecutor()) {
      container.recover();
      var mark = new AtomicLong();
      var isEnough = new AtomicBoolean();
      var writing =
          threads.submit(() -> {
            while (!isEnough.get()) {
              long transaction = mark.get() + 1;
              Samples.write(container, transaction, LARGE);
              assertTrue(container.advance(transaction - 1, transaction));
              mark.set(transaction);
            }
            return mark.get();
          });
      awaitAbove(mark, 5, writing);
      CEPH.cluster().command("kill", "1");
      awaitAbove(mark, mark.get() + 20, writing);
      CEPH.cluster().command("start", "1");
      awaitAbove(mark, mark.get() + 5, writing);
      isEnough.set(true);
      last = writing.get();
      Samples.check(container, last);
    }
    try (var container = engine.open(location, Opening.writing())) {
      assertEquals(last, container.recover());
      Samples.check(container, last);
    }
    System.out.println("a killed storage daemon: transactions: " + last);
  }

  private static void awaitAbove(AtomicLong mark, long transaction, Future<Long> writing)
      throws Exception {
    while (mark.get() <= transaction) {
      if (writing.isDone()) {
        throw new AssertionError("ended at " + writing.get());
      }
      Thread.sleep(20);
    }
  }

  @Test
  void a_writer_that_lost_its_lease_cannot_change_anything() {
    engine.create(location, 1);
    var first = engine.open(location, Opening.writing());
    first.recover();
    Samples.write(first, 1, LARGE);
    assertTrue(first.advance(0, 1));
    endLease(first.info().id());
    try (var second = engine.open(location, Opening.writing())) {
      assertEquals(1, second.recover());
      Samples.write(second, 2, LARGE);
      assertThrows(EngineException.class, () -> Samples.write(first, 2, LARGE));
      assertThrows(EngineException.class, () -> first.advance(1, 2));
      assertTrue(second.advance(1, 2));
      // The cluster has blocked the first opener, whose connection is closed nevertheless.
      assertThrows(EngineException.class, first::close);
      Samples.check(second, 2);
      var e =
          assertThrows(ContainerException.class, () -> engine.open(location, Opening.writing()));
      assertEquals(ContainerException.Reason.IN_USE, e.reason());
    }
  }

  @Test
  void a_full_cluster_is_reported_within_the_time_limit() {
    engine.create(location, SHARDS);
    var limited = EngineLocation.of(location + "&timeout=3");
    var container = engine.open(limited, Opening.writing());
    var mark = new AtomicLong(container.recover());
    CEPH.cluster().command("full");
    try {
      var e =
          assertThrows(
              EngineException.class,
              () -> {
                while (true) {
                  long transaction = mark.get() + 1;
                  Samples.write(container, transaction, LARGE);
                  assertTrue(container.advance(transaction - 1, transaction));
                  mark.set(transaction);
                }
              });
      // A storage daemon refuses what it has got, and gets nothing once the client knows.
      assertTrue(
          e.getMessage().contains("no space left")
              || e.getMessage().contains("unreachable, too slow or full"),
          e.getMessage());
      assertTrue(e.getMessage().contains(RadosLocation.of(location).name()), e.getMessage());
    } finally {
      CEPH.cluster().command("free");
    }
    container.close();
    try (var reader = engine.open(location, Opening.reading())) {
      assertTrue(reader.readableMark() >= mark.get());
    }
  }

  /** Ends the lease of shard 0 as if it had not been renewed for a long time. */
  private void endLease(UUID container) {
    try (var connection = Connection.open(RadosLocation.of(location));
        var pool = connection.pool()) {
      var head = ShardNames.of(container, 0).head();
      var writer = pool.attribute(head, ShardNames.WRITER).orElseThrow();
      var words = new String(writer, StandardCharsets.UTF_8).split(" ", -1);
      pool.breakLock(head, Lease.LOCK, words[1], words[0]);
    }
  }
}
