package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineLocation;
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

/**
 * Kills a compute rank or I/O rank of a job again and again, at random times, and checks that the
 * container then opens at a round that was flushed, without damage and without objects that nothing
 * refers to. Not thread-safe.
 */
public final class RankKills {
  private static final int MOST_RANKS = 4;

  /** What launchers report about a process that was killed. */
  private static final Pattern KILLED = Pattern.compile("signal 9|EXIT CODE: 9|Killed");

  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final MpirunLauncher mpirun;
  private final String scheme;
  private final Path container;
  private final Path log;
  private final List<String> killed = new ArrayList<>();
  private long acknowledged = -1;

  /**
   * Creates an empty series.
   *
   * @param mpirun the launcher
   * @param scheme the scheme of the container
   * @param container the path of the container, where there is nothing yet
   * @param log the file for the output of the jobs
   */
  public RankKills(MpirunLauncher mpirun, String scheme, Path container, Path log) {
    this.mpirun = mpirun.withLimit(LIMIT);
    this.scheme = scheme;
    this.container = container;
    this.log = log;
  }

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

  /**
   * Starts a job, kills one of its ranks, and checks the container.
   *
   * @param name the name of the run, for messages
   * @throws AssertionError if the container is damaged or has lost a round
   */
  public void run(Random random, String name) throws Exception {
    int ranks = 2 + random.nextInt(MOST_RANKS - 1);
    int serving = random.nextInt(Math.min(ranks, 3));
    int victim = random.nextInt(ranks);
    int rounds = 1 + random.nextInt(6);
    int micros = random.nextInt(60_000);
    Output output = killed(ranks, serving, victim, rounds, micros);
    acknowledged = Math.max(acknowledged, output.flushed);
    killed.add(victim >= ranks - serving ? "I/O rank" : "compute rank");
    check(
        name
            + " ranks="
            + ranks
            + " serving="
            + serving
            + " victim="
            + victim
            + " acknowledged="
            + acknowledged);
  }

  /** Returns the kinds of the ranks that were killed, and the last round. */
  @Override
  public String toString() {
    return "killed: " + killed + ", rounds: " + acknowledged;
  }

  /** Starts a job, and kills a rank some time after it has flushed a number of rounds. */
  private Output killed(int ranks, int serving, int victim, int rounds, int micros)
      throws Exception {
    Process job =
        mpirun
            .prepared(
                ranks,
                KilledRanks.class.getName(),
                scheme,
                container.toString(),
                String.valueOf(serving))
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

  private void check(String run) {
    // An opening for writing drops what was not finished.
    try (H5File file = H5File.openForWriting(scheme + ":" + container, Communicator.self())) {
      long round = new RoundFile(file, 0, 1).round();
      assertTrue(round == acknowledged || round == acknowledged + 1, () -> run + " round=" + round);
      file.discard();
      VerifyingConnector.verify(new EngineLocation(scheme, container.toString()));
      acknowledged = round;
    } catch (RuntimeException | AssertionError e) {
      // The run is needed to repeat any failure.
      throw new AssertionError(run, e);
    }
  }
}
