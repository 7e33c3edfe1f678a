package io.skerry.testkit.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.collective.CollectiveException;
import io.skerry.collective.CommitException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random programs in which calls on the file fail on one rank, again and again. */
class FaultyProgramTest {
  private static final int ROUNDS = 40;

  @TempDir Path folder;

  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();

  @Test
  void a_failing_file_call_fails_the_step_on_all_ranks_and_costs_nothing_else() {
    for (long seed = 5000; seed < 5000 + ROUNDS; seed++) {
      long round = seed;
      int ranks = new int[] {1, 2, 3, 4}[(int) (seed % 4)];
      Path path = folder.resolve("faulty" + seed + ".h5");
      try {
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> LocalRanks.run(ranks, world -> new Round(round, world, path).run()));
      } catch (Throwable e) {
        throw new AssertionError("seed=" + seed + " ranks=" + ranks + ": " + e.getMessage(), e);
      }
    }
    assertTrue(refused.get() > ROUNDS, "steps that failed: " + refused);
    assertTrue(interrupted.get() > ROUNDS / 4, "commits that failed: " + interrupted);
  }

  /** One rank's part of one program. */
  private final class Round {
    private final Program program;
    private final Communicator world;
    private final Path path;
    private final SplittableRandom random;
    private final ArmedFault fault = new ArmedFault();

    /** What the file may hold if a commit is interrupted now; the last is the newest. */
    private final List<Model> history = new ArrayList<>();

    private Model model = new Model();

    Round(long seed, Communicator world, Path path) {
      this.program = Program.of(seed, DatasetPlan.Layouts.CHUNKED);
      this.world = world;
      this.path = path;
      this.random = new SplittableRandom(seed);
    }

    void run() {
      for (Program.Session session : program.sessions()) {
        H5File file = open(session, session.access());
        if (session.access() == Program.Access.CREATE) {
          file.flush();
        }
        remember();
        for (Step step : session.steps()) {
          for (Step part : split(step)) {
            file = take(session, file, part);
          }
        }
        player().checkAll(file);
        file.close();
      }
    }

    private Player player() {
      return new Player(world, model);
    }

    private H5File open(Program.Session session, Program.Access access) {
      Communicator probed = new ProbedCommunicator(world, fault);
      return switch (access) {
        case CREATE -> H5File.create(path, probed, session.options());
        case WRITE -> H5File.openForWriting(path, probed, session.options());
        case READ -> H5File.open(path, probed, session.options());
      };
    }

    /** Parts that are one collective call each. */
    private List<Step> split(Step step) {
      List<Step> parts = new ArrayList<>();
      switch (step) {
        case Step.Write write ->
            cut(write.requests())
                .forEach(some -> parts.add(new Step.Write(write.dataset(), some, write.salt())));
        case Step.WriteAll(List<Step.Write> writes) ->
            writes.forEach(write -> parts.addAll(split(write)));
        case Step.Erase erase ->
            cut(erase.requests()).forEach(some -> parts.add(new Step.Erase(erase.dataset(), some)));
        case Step.Read read ->
            cut(read.requests()).forEach(some -> parts.add(new Step.Read(read.dataset(), some)));
        default -> parts.add(step);
      }
      return parts;
    }

    private List<List<Pick>> cut(List<Pick> requests) {
      List<List<Pick>> parts = new ArrayList<>();
      for (int first = 0; first < requests.size(); first += world.size()) {
        parts.add(requests.subList(first, Math.min(requests.size(), first + world.size())));
      }
      return parts;
    }

    /** Tries a step with a fault, then takes it. */
    private H5File take(Program.Session session, H5File file, Step step) {
      H5File open = file;
      fault.arm(random.nextInt(world.size()), random.nextInt(random.nextInt(3) == 0 ? 14 : 4));
      boolean done = false;
      try {
        player().perform(open, step);
        done = true;
      } catch (CollectiveException e) {
        fault.disarm();
        refused.incrementAndGet();
        sameEverywhere(e.reason() + e.failingRanks());
        assertTrue(e.getMessage().contains("No space left on device"), e.getMessage());
      } catch (CommitException e) {
        fault.disarm();
        interrupted.incrementAndGet();
        sameEverywhere(e.getMessage());
        open.close();
        // A write that has made a flush due was done before the commit began.
        model.apply(step);
        remember();
        recall();
        open = open(session, Program.Access.WRITE);
        // What was lost was never flushed; go on from what is there, with a step that fits it.
        return open;
      }
      fault.disarm();
      if (!done) {
        player().perform(open, step);
      }
      model.apply(step);
      if (step instanceof Step.Flush) {
        history.clear();
      }
      remember();
      return open;
    }

    private void remember() {
      history.add(model.copy());
    }

    /** Finds which flush the file holds: exactly one that was, or was about to be, acknowledged. */
    private void recall() {
      long found = -1;
      if (world.rank() == 0) {
        for (int i = history.size() - 1; i >= 0 && found < 0; i--) {
          found = FileState.holds(path, history.get(i)) ? i : -1;
        }
      }
      found = world.allReduce(found, io.skerry.mpi.Reduction.MAX);
      assertTrue(found >= 0, "after an interrupted commit the file holds no state of a flush");
      model = history.get((int) found).copy();
      history.clear();
      remember();
    }

    private void sameEverywhere(String text) {
      byte[] first = world.broadcast(text.getBytes(StandardCharsets.UTF_8), 0);
      assertEquals(new String(first, StandardCharsets.UTF_8), text);
    }
  }
}
