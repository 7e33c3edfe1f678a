package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.InMemory;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard;
import io.skerry.testkit.launch.ChildProgram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that commits transactions, again and again, and opens the container. */
class KillTest {
  private static final int SHARDS = 2;
  private static final int PLACES = 12;

  /** Every third transaction stores more than a batch of changes holds. */
  private static final int INTERVAL = 3;

  private static final int BIG_TILES = 4;
  private static final int BIG = 3 << 20;
  private static final int RUNS = Integer.getInteger("skerry.iod.kill.runs", 20);

  /** In memory if possible: the end of a process loses no written page, and syncs take no time. */
  @TempDir(factory = InMemory.class)
  Path folder;

  /** Commits transactions, and acknowledges each one when the readable mark has reached it. */
  public static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) {
      try (var container =
          new RocksProvider().open(EngineLocation.of("iod:" + arguments[0]), Opening.writing())) {
        long mark = container.recover();
        System.out.println("ready " + mark);
        while (true) {
          long transaction = mark + 1;
          for (int shard = 0; shard < SHARDS; shard++) {
            write(container, shard, transaction);
          }
          // One transaction more, which is never readable.
          write(container, (int) (transaction % SHARDS), transaction + 1);
          assertTrue(container.advance(mark, transaction));
          System.out.println("done " + transaction);
          mark = transaction;
          container.shard((int) (transaction % SHARDS)).abort(transaction + 1);
          if (transaction % 5 == 0) {
            for (int shard = 0; shard < SHARDS; shard++) {
              container.shard(shard).purge(mark - 2);
            }
          }
        }
      }
    }

    private static void write(Container container, int shard, long transaction) {
      try (var changes = container.shard(shard).change(transaction)) {
        for (int n = 0; n < PLACES; n++) {
          changes.put(new Place.Tile(1, n), value(transaction, n % 3 == 0 ? 50_000 : 100));
        }
        for (int n = 0; transaction % INTERVAL == 0 && n < BIG_TILES; n++) {
          changes.put(new Place.Tile(3, n), value(transaction, BIG));
        }
        changes.put(new Place.Tile(2, transaction), value(transaction, 50_000));
        if (transaction > 3) {
          changes.remove(new Place.Tile(2, transaction - 3));
        }
        changes.prepare(Durability.SYNCED);
      }
    }
  }

  private static MemorySegment value(long transaction, int size) {
    var value = MemorySegment.ofArray(new byte[size]);
    value.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, transaction);
    return value;
  }

  @Test
  void acknowledged_transactions_survive_and_others_are_dropped() throws Exception {
    var engine = new RocksProvider();
    var location = EngineLocation.of("iod:" + folder.resolve("run"));
    engine.create(location, SHARDS);
    var random = new Random(11);
    long acknowledged = 0;
    for (int run = 0; run < RUNS; run++) {
      acknowledged = Math.max(acknowledged, killed(random.nextInt(12), random.nextInt(12_000_000)));
      try (var container = engine.open(location, Opening.writing())) {
        long mark = container.recover();
        assertTrue(
            mark == acknowledged || mark == acknowledged + 1,
            "mark=" + mark + " acknowledged=" + acknowledged);
        for (int shard = 0; shard < SHARDS; shard++) {
          check(container, shard, mark);
        }
        acknowledged = mark;
      }
    }
    assertTrue(acknowledged > RUNS, "transactions: " + acknowledged);
    System.out.println("kills: " + RUNS + ", transactions: " + acknowledged);
  }

  private static void check(Container container, int number, long mark) {
    var shard = container.shard(number);
    for (int n = 0; mark > 0 && n < PLACES; n++) {
      var value = shard.get(new Place.Tile(1, n), mark, Arena.ofAuto()).orElseThrow();
      assertEquals(mark, value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }
    long big = mark - mark % INTERVAL;
    for (int n = 0; big > 0 && n < BIG_TILES; n++) {
      var value = shard.get(new Place.Tile(3, n), mark, Arena.ofAuto()).orElseThrow();
      assertEquals(BIG, value.byteSize());
      assertEquals(big, value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }
    var history =
        shard.history(Optional.empty(), new PageLimit(Integer.MAX_VALUE, Long.MAX_VALUE)).items();
    assertTrue(history.stream().allMatch(version -> version.transaction() <= mark), "" + history);
    assertTrue(shard.transactions().stream().allMatch(transaction -> transaction <= mark));
    // A purge may have been interrupted.
    verify(shard);
    shard.purge(shard.oldest());
    verify(shard);
  }

  private static void verify(Shard shard) {
    shard.verify(finding -> {
      throw new AssertionError(finding);
    });
  }

  /**
   * Returns the last transaction that the killed process has acknowledged, 0 if there is none.
   *
   * @param lines number of acknowledgements after which the process is killed
   * @param nanoseconds time after the last of them
   */
  private long killed(int lines, int nanoseconds) throws Exception {
    var process =
        new ProcessBuilder(ChildProgram.of(Writer.class, folder.resolve("run")).command())
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
}
