package io.skerry.integration.randomprogram;

import static io.skerry.parallel.FileOptions.Overwriting.BY_FLUSH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.integration.fault.ArmedFault;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileOptions;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One rank's part of a program in which every step is attempted with a fault on one rank, and then
 * performed. All ranks draw the same random numbers.
 */
final class FaultyRandomProgram {
  private final RandomProgram program;
  private final Communicator world;
  private final Path path;
  private final FaultTally tally;
  private final SplittableRandom random;
  private final ArmedFault fault = new ArmedFault();

  /** The states that the file may have if a commit is interrupted now, oldest first. */
  private final List<State> history = new ArrayList<>();

  private FileModel model = new FileModel();

  /** True if the program has ended because the content of the file is unknown. */
  private boolean ended;

  /**
   * A possible content of the file.
   *
   * @param last the step that led to it, if any
   */
  private record State(Optional<ProgramStep> last, FileModel model) {}

  FaultyRandomProgram(long seed, Communicator world, Path path, FaultTally tally) {
    this.program = RandomProgram.of(seed, DatasetPlan.Layouts.CHUNKED);
    this.world = world;
    this.path = path;
    this.tally = tally;
    this.random = new SplittableRandom(seed);
  }

  void run() {
    for (RandomProgram.Session session : program.sessions()) {
      H5File file = tryToOpen(session);
      if (session.access() == RandomProgram.Access.CREATE) {
        file.flush();
      }
      history.clear();
      remember(Optional.empty());
      for (ProgramStep step : session.steps()) {
        for (ProgramStep part : SingleCalls.of(guarded(step), world.size())) {
          file = take(session, file, part);
          if (ended) {
            file.close();
            return;
          }
        }
      }
      player().checkAll(file);
      tryToClose(session, file);
      if (ended) {
        return;
      }
    }
  }

  /**
   * Returns whether the file has the state of exactly one flush after any failure. The other
   * programs may overwrite chunks in place, outside of flushes, and end when a flush is lost.
   */
  private boolean isExact() {
    return (program.seed() >> 2) % 2 == 0;
  }

  private ProgramPlayer player() {
    return new ProgramPlayer(world, model);
  }

  /** Opens the file with a fault armed; if that fails, opens it without a fault. */
  private H5File tryToOpen(RandomProgram.Session session) {
    armFile(8, ArmedFault.Calls.ALL);
    H5File file;
    try {
      file = open(session, session.access());
    } catch (CollectiveException e) {
      failedWithFile(FaultTally.Kind.OPEN, e);
      fault.disarm();
      file = open(session, session.access());
    }
    fault.disarm();
    return file;
  }

  private H5File open(RandomProgram.Session session, RandomProgram.Access access) {
    Communicator probed = new ProbedCommunicator(world, fault);
    FileOptions options =
        isExact() ? session.options().withOverwriting(BY_FLUSH) : session.options();
    return switch (access) {
      case CREATE -> H5File.create(path, probed, options);
      case WRITE -> H5File.openForWriting(path, probed, options);
      case READ -> H5File.open(path, probed, options);
    };
  }

  /** Closes the file with a fault armed; if that fails, reopens and closes it without a fault. */
  private void tryToClose(RandomProgram.Session session, H5File file) {
    armFile(8, ArmedFault.Calls.ALL);
    try {
      file.close();
    } catch (CollectiveException e) {
      failedWithFile(FaultTally.Kind.CLOSE, e);
      reopened(session).close();
    } catch (CommitException e) {
      sameEverywhere(e.getMessage());
      tally.add(FaultTally.Kind.COMMIT);
      reopened(session).close();
    } finally {
      fault.disarm();
    }
  }

  /** Adds the {@link TripwireFilter} to some of the created datasets. */
  private ProgramStep guarded(ProgramStep step) {
    return step instanceof ProgramStep.Create(DatasetPlan plan) && random.nextBoolean()
        ? new ProgramStep.Create(
            new DatasetPlan(
                plan.path(),
                plan.spec().filters(TripwireFilter.spec()),
                plan.element(),
                plan.fill()))
        : step;
  }

  /** Attempts a step with a fault, then performs it without the fault if that failed. */
  private H5File take(RandomProgram.Session session, H5File file, ProgramStep step) {
    try {
      if (!attempt(file, step)) {
        player().perform(file, step);
      }
    } catch (CommitException e) {
      fault.disarm();
      sameEverywhere(e.getMessage());
      tally.add(FaultTally.Kind.COMMIT);
      file.close();
      // A write that triggered the flush was complete before the commit began.
      model.apply(step);
      remember(Optional.of(step));
      return reopened(session);
    }
    model.apply(step);
    if (step instanceof ProgramStep.Flush) {
      history.clear();
    }
    remember(Optional.of(step));
    return file;
  }

  /** Returns whether the step succeeded, since the fault occurred too late or not at all. */
  private boolean attempt(H5File file, ProgramStep step) {
    int victim = random.nextInt(world.size());
    Optional<ProgramStep> wrong =
        random.nextInt(4) == 0
            ? new InvalidArguments(random, model).spoiled(step, victim, world.size())
            : Optional.empty();
    if (wrong.isPresent()) {
      return attemptWrong(file, world.rank() == victim ? wrong.get() : step);
    }
    return random.nextInt(3) == 0 ? attemptWithTripwire(file, step) : attemptOnDevice(file, step);
  }

  private boolean attemptWrong(H5File file, ProgramStep step) {
    try {
      player().perform(file, step);
      throw new AssertionError("wrong arguments were taken: " + step);
    } catch (CollectiveException e) {
      sameEverywhere(e.reason() + e.failingRanks());
      tally.add(FaultTally.Kind.ARGUMENTS);
      return false;
    }
  }

  private boolean attemptWithTripwire(H5File file, ProgramStep step) {
    int call = random.nextInt(4);
    world.barrier();
    if (world.rank() == 0) {
      TripwireFilter.arm(call);
    }
    world.barrier();
    try {
      player().perform(file, step);
      return true;
    } catch (CollectiveException e) {
      assertTrue(e.getMessage().contains(TripwireFilter.MESSAGE), e.getMessage());
      assertEquals(1, e.failingRanks().size(), e.getMessage());
      sameEverywhere(e.reason() + e.failingRanks());
      tally.add(FaultTally.Kind.FILTER);
      return false;
    } finally {
      // A worker may still call the filter.
      world.barrier();
      TripwireFilter.disarm();
      world.barrier();
    }
  }

  private boolean attemptOnDevice(H5File file, ProgramStep step) {
    armFile(
        random.nextInt(3) == 0 ? 14 : 4,
        random.nextBoolean() ? ArmedFault.Calls.WITHOUT_LONE_READS : ArmedFault.Calls.ALL);
    try {
      player().perform(file, step);
      return true;
    } catch (CollectiveException e) {
      failedWithFile(FaultTally.Kind.FILE, e);
      return false;
    } finally {
      fault.disarm();
    }
  }

  /** Makes one of the next file calls fail on one rank. */
  private void armFile(int calls, ArmedFault.Calls which) {
    boolean full = random.nextBoolean();
    fault.arm(
        random.nextInt(world.size()),
        random.nextInt(calls),
        which,
        full ? FileProbe::noSpace : FileProbe::deviceFails);
  }

  private void failedWithFile(FaultTally.Kind kind, CollectiveException e) {
    assertTrue(
        e.getMessage().contains("No space left on device")
            || e.getMessage().contains("Input/output error"),
        e.getMessage());
    sameEverywhere(e.reason() + e.failingRanks());
    tally.add(kind);
  }

  private void remember(Optional<ProgramStep> last) {
    history.add(new State(last, model.copy()));
  }

  /**
   * Opens the file after a flush was lost or interrupted. If it must have the state of one flush,
   * repeats the steps after that state.
   */
  private H5File reopened(RandomProgram.Session session) {
    fault.disarm();
    if (!isExact()) {
      ended = true;
      return open(session, RandomProgram.Access.READ);
    }
    List<State> lost = history.subList(flushInFile() + 1, history.size());
    RandomProgram.Access access =
        lost.isEmpty() && session.access() == RandomProgram.Access.READ
            ? RandomProgram.Access.READ
            : RandomProgram.Access.WRITE;
    H5File file = open(session, access);
    for (State state : lost) {
      switch (state.last().orElseThrow()) {
        case ProgramStep.Read _, ProgramStep.Defined _ -> {}
        case ProgramStep again -> player().perform(file, again);
      }
    }
    return file;
  }

  /** Returns the index in {@link #history} of the state that the file has. */
  private int flushInFile() {
    long found = -1;
    if (world.rank() == 0) {
      for (int i = history.size() - 1; i >= 0 && found < 0; i--) {
        found = FileState.holds(path, history.get(i).model()) ? i : -1;
      }
    }
    found = world.allReduce(found, Reduction.MAX);
    assertTrue(found >= 0, "after an interrupted commit the file holds no state of a flush");
    return (int) found;
  }

  private void sameEverywhere(String text) {
    byte[] first = world.broadcast(text.getBytes(StandardCharsets.UTF_8), 0);
    assertEquals(new String(first, StandardCharsets.UTF_8), text);
  }
}
