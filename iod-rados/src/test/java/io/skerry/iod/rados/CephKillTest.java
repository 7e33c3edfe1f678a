package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.iod.connector.RankKills;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disturbs writers and their cluster again and again, at random times. Afterwards, the container
 * opens at a finished transaction, no acknowledged transaction is lost, and nothing is left over.
 */
@Timeout(1800)
class CephKillTest {
  @RegisterExtension static final CephTests CEPH = new CephTests();

  private static final int RUNS = Integer.getInteger("skerry.rados.kills", 7);
  private static final long SEED = Long.getLong("skerry.rados.kill.seed", 7);
  private static final int SHARDS = 2;

  /** The number of runs between two reports. */
  private static final int REPORTED = 5;

  /** The time limit of operations in seconds, after which a writer reports the cluster. */
  private static final int LIMIT = 4;

  /** The time in seconds in which a writer ends that cannot reach the cluster. */
  private static final int PATIENCE = 60;

  @TempDir private Path folder;

  private final RadosProvider engine = new RadosProvider();
  private final EngineLocation location = CEPH.location(CephTests.unique());

  /** What happens to a writer or its cluster; the numbers are those of a hundred runs. */
  private enum Disturbance {
    WRITER_KILLED(45),
    RANK_KILLED(30),
    STORAGE_DAEMON_KILLED(15),
    STORAGE_FULL(5),
    CONNECTION_LOST(5);

    private final int share;

    Disturbance(int share) {
      this.share = share;
    }

    /** Returns the options of the writer: a short limit if only the limit ends it. */
    String options() {
      return this == STORAGE_FULL || this == CONNECTION_LOST ? "&timeout=" + LIMIT : "";
    }

    static Disturbance any(Random random) {
      int left = random.nextInt(100);
      for (Disturbance each : values()) {
        left -= each.share;
        if (left < 0) {
          return each;
        }
      }
      throw new AssertionError("shares of all: expected=100");
    }
  }

  @Test
  void acknowledged_transactions_survive_disturbances() throws Exception {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    RankKills ranks =
        new RankKills(
            mpirun.get(),
            RadosLocation.SCHEME,
            Path.of("/skerry/" + CephTests.unique() + CEPH.options()),
            folder.resolve("log"));
    engine.create(location, SHARDS);
    Random random = new Random(SEED);
    Map<Disturbance, Integer> counts = new EnumMap<>(Disturbance.class);
    long acknowledged = 0;
    for (int run = 0; run < RUNS; run++) {
      // The first runs have each kind once.
      Disturbance kind =
          run < Disturbance.values().length ? Disturbance.values()[run] : Disturbance.any(random);
      String what = "seed=" + SEED + " run=" + run + " " + kind;
      try {
        if (kind == Disturbance.RANK_KILLED) {
          ranks.run(random, what);
        } else {
          acknowledged = checked(Math.max(acknowledged, last(kind, random)));
        }
      } catch (Exception | AssertionError e) {
        // The seed and the run are needed to repeat any failure.
        throw new AssertionError(what + " acknowledged=" + acknowledged, e);
      }
      counts.merge(kind, 1, Integer::sum);
      if ((run + 1) % REPORTED == 0 || run + 1 == RUNS) {
        System.out.println("seed " + SEED + ": " + counts + ", transactions: " + acknowledged);
      }
    }
    System.out.println(ranks);
  }

  /** Opens the container, checks it, and returns its transaction. */
  private long checked(long acknowledged) {
    try (var container = engine.open(location, Opening.writing())) {
      return Samples.recovered(container, acknowledged);
    }
  }

  /** Disturbs a writer; returns the last transaction that it has acknowledged, 0 if none. */
  private long last(Disturbance kind, Random random) throws Exception {
    Process process =
        new ProcessBuilder(
                ChildProgram.of(CephFailureTest.Writer.class, location + kind.options()).command())
            .redirectError(folder.resolve("err").toFile())
            .start();
    try (BufferedReader said = process.inputReader()) {
      String ready = said.readLine();
      assertTrue(ready != null && ready.startsWith("ready "), "said: " + ready);
      AtomicLong last = new AtomicLong();
      // With a short limit, the writer may end earlier, while the cluster recovers from a run.
      requireRunning(read(said, random.nextInt(12), last) || !kind.options().isEmpty());
      TimeUnit.MICROSECONDS.sleep(random.nextInt(12_000));
      switch (kind) {
        case WRITER_KILLED, RANK_KILLED -> kill(process);
        case STORAGE_DAEMON_KILLED -> {
          String daemon = String.valueOf(random.nextInt(3));
          CEPH.cluster().command("kill", daemon);
          try {
            requireRunning(read(said, 1 + random.nextInt(10), last));
          } finally {
            CEPH.cluster().command("start", daemon);
          }
          requireRunning(read(said, random.nextInt(5), last));
          kill(process);
        }
        case STORAGE_FULL -> {
          CEPH.cluster().command("full");
          try {
            failed(process, said, last);
          } finally {
            CEPH.cluster().command("free");
          }
        }
        case CONNECTION_LOST -> {
          CEPH.cluster().command("stall");
          try {
            failed(process, said, last);
          } finally {
            CEPH.cluster().command("resume");
          }
        }
      }
      boolean unused = read(said, Integer.MAX_VALUE, last);
      return last.get();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Waits until the writer has ended with an exception. */
  private void failed(Process process, BufferedReader said, AtomicLong last) throws Exception {
    boolean unused = read(said, Integer.MAX_VALUE, last);
    assertTrue(process.waitFor(PATIENCE, TimeUnit.SECONDS), "the writer does not end");
    assertNotEquals(0, process.exitValue());
  }

  private static void kill(Process process) throws InterruptedException {
    // Process.destroyForcibly would close the stream, with lines that have not been read.
    assertTrue(process.toHandle().destroyForcibly());
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
  }

  private void requireRunning(boolean isRunning) throws IOException {
    String failure = Files.readString(folder.resolve("err"));
    assertTrue(isRunning, () -> "the writer has ended: " + failure);
  }

  /**
   * Reads lines up to a number or to the end, and notes the transactions that they acknowledge.
   *
   * @return whether there were as many lines
   */
  private static boolean read(BufferedReader said, int lines, AtomicLong last) throws IOException {
    for (int n = 0; n < lines; n++) {
      String line = said.readLine();
      if (line == null) {
        return false;
      }
      assertTrue(line.matches("done [0-9]+"), "said: " + line);
      last.set(Long.parseLong(line.substring("done ".length())));
    }
    return true;
  }
}
