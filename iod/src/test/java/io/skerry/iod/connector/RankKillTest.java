package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.skerry.H5File;
import io.skerry.iod.engine.InMemory;
import io.skerry.mpi.Communicator;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a compute rank or I/O rank of a job again and again, at random times. The container then
 * opens at a round that was flushed, without damage and without objects that nothing refers to.
 */
class RankKillTest {
  private static final int RUNS = Integer.getInteger("skerry.iod.rank.kills", 2);
  private static final long SEED = Long.getLong("skerry.iod.rank.seed", 5);
  private static final int MOST_RANKS = 4;

  /** What launchers report about a process that was killed. */
  private static final Pattern KILLED = Pattern.compile("signal 9|EXIT CODE: 9|Killed");

  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir(factory = InMemory.class)
  Path folder;

  /** The output of a job so far. */
  private record Output(Map<Integer, Long> processes, long flushed, long rounds, String text) {
    static Output of(Path log) throws IOException {
      Map<Integer, Long> processes = new HashMap<>();
      long flushed = -1;
      long rounds = 0;
      String text = Files.readString(log);
      // The last line may be incomplete.
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        String[] words = line.split(" ");
        if (words[0].equals("process") && words.length == 3) {
          processes.put(Integer.valueOf(words[1]), Long.valueOf(words[2]));
        } else if (words[0].equals("flushed")) {
          flushed = Long.parseLong(words[1]);
          rounds++;
        }
      }
      return new Output(processes, flushed, rounds, text);
    }
  }

  @Test
  void a_container_opens_at_a_flushed_round_after_a_rank_was_killed() throws Exception {
    Optional<MpirunLauncher> found = MpirunLauncher.find();
    Assumptions.assumeTrue(found.isPresent(), "no mpirun on the path");
    MpirunLauncher mpirun = found.get().withLimit(LIMIT);
    Random random = new Random(SEED);
    Path container = folder.resolve("run");
    long acknowledged = -1;
    List<String> killed = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      int ranks = 2 + random.nextInt(MOST_RANKS - 1);
      int serving = random.nextInt(Math.min(ranks, 3));
      int victim = random.nextInt(ranks);
      int rounds = 1 + random.nextInt(6);
      int micros = random.nextInt(60_000);
      Output output = killed(mpirun, container, ranks, serving, victim, rounds, micros);
      acknowledged = Math.max(acknowledged, output.flushed);
      killed.add(victim >= ranks - serving ? "I/O rank" : "compute rank");
      String run0 =
          "seed="
              + SEED
              + " run="
              + run
              + " ranks="
              + ranks
              + " serving="
              + serving
              + " victim="
              + victim
              + " acknowledged="
              + acknowledged;
      acknowledged = check(container, acknowledged, run0);
    }
    System.out.println("killed: " + killed + ", rounds: " + acknowledged);
  }

  /** Starts a job, and kills a rank some time after it has flushed a number of rounds. */
  private Output killed(
      MpirunLauncher mpirun,
      Path container,
      int ranks,
      int serving,
      int victim,
      int rounds,
      int micros)
      throws Exception {
    Path log = folder.resolve("log");
    Process job =
        mpirun
            .prepared(
                ranks, KilledRanks.class.getName(), container.toString(), String.valueOf(serving))
            .redirectOutput(log.toFile())
            .start();
    try {
      long start = System.nanoTime();
      Output output = Output.of(log);
      while (output.rounds < rounds || output.processes.size() < ranks) {
        if (!job.isAlive() || System.nanoTime() - start > LIMIT.toNanos()) {
          fail("the job has ended or is too slow: " + output.text);
        }
        TimeUnit.MILLISECONDS.sleep(2);
        output = Output.of(log);
      }
      TimeUnit.MICROSECONDS.sleep(micros);
      ProcessHandle.of(output.processes.get(victim)).ifPresent(ProcessHandle::destroyForcibly);
      assertTrue(job.waitFor(60, TimeUnit.SECONDS), () -> "mpirun does not end");
      for (long process : output.processes.values()) {
        Optional<ProcessHandle> other = ProcessHandle.of(process);
        if (other.isPresent()) {
          other.get().onExit().get(60, TimeUnit.SECONDS);
        }
      }
      Output last = Output.of(log);
      assertTrue(KILLED.matcher(last.text).find(), () -> "no failure is reported: " + last.text);
      return last;
    } finally {
      job.descendants().forEach(ProcessHandle::destroyForcibly);
      job.destroyForcibly().waitFor();
    }
  }

  /** Checks the container, and returns its round. */
  private static long check(Path container, long acknowledged, String run) {
    // An opening for writing drops what was not finished.
    try (H5File file = H5File.openForWriting("iod:" + container, Communicator.self())) {
      long round = new RoundFile(file, 0, 1).round();
      assertTrue(round == acknowledged || round == acknowledged + 1, () -> run + " round=" + round);
      file.discard();
      VerifyingConnector.verify(container);
      return round;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(run, e);
    }
  }
}
