package io.skerry.integration.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.parallel.FoundJournal;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traces the system calls of real runs, builds the states that the disk may have at any instant,
 * and opens each of them. Skerry must find the state of one flush, not older than the last
 * acknowledged one.
 *
 * <p>h5py, which does not support the journal, reads the file before and after recovery with each
 * installed HDF5. It must see the state of a flush. It may also refuse to open the file if no flush
 * has ended yet or if a complete journal waits to be replayed. It must never see a mixture of
 * flushes, fail after it has opened the file, hang or crash.
 */
class CrashSimulatorTest {
  /** Interval of the states that h5py reads: every n-th state. */
  private static final int SHOWN = Integer.getInteger("skerry.crash.shown", 20);

  /** Number of random states per instant at which more states are possible. */
  private static final int DRAWN = Boolean.getBoolean("skerry.thorough") ? 8 : 4;

  /** Number of states that are examined before the test that expects an error looks for it. */
  private static final int PART = 60;

  @TempDir Path folder;

  private final CrashTally tally = new CrashTally();
  private final List<Oracle> h5py = Oracle.h5py();

  /**
   * Runs {@code -Dskerry.crash.programs} programs (default 3) with consecutive seeds from {@code
   * -Dskerry.crash.seed} (default 4). The default covers each mode, both bounds, threads and
   * processes, and one to three ranks.
   */
  @Test
  void every_disk_state_after_a_crash_is_the_state_of_one_flush() throws Exception {
    assumeTrue(TracedRun.isPossible(), "no strace here");
    long first = Long.getLong("skerry.crash.seed", 4);
    int programs = Integer.getInteger("skerry.crash.programs", 3);
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    for (long seed = first; seed < first + programs; seed++) {
      int ranks = (int) (1 + seed % 4);
      boolean processes = ranks > 1 && seed / 4 % 2 == 1 && mpirun.isPresent();
      run(new CrashProgram(seed), ranks, processes ? mpirun : Optional.empty());
    }
    System.out.println(tally);
    assertEquals(List.of(), tally.wrong());
    assertTrue(tally.states() > 100L * programs, tally.toString());
  }

  @Test
  void a_state_that_mixes_flushes_is_detected() throws Exception {
    assumeTrue(TracedRun.isPossible(), "no strace here");
    CrashProgram program = new CrashProgram(3);
    List<DiskOperation> operations =
        new ArrayList<>(TracedRun.of(program, 2, Optional.empty(), folder));
    int all = operations.size();
    // Simulates a library that never syncs.
    operations.removeIf(operation -> operation instanceof DiskOperation.Sync);
    assertTrue(operations.size() < all);
    List<CrashStates.Crashed> states = states(program, operations);
    for (int from = 0; from < states.size() && tally.wrong().isEmpty(); from += PART) {
      Path own = Files.createDirectory(folder.resolve("from-" + from));
      List<CrashStates.Crashed> part = states.subList(from, Math.min(from + PART, states.size()));
      examine(program, part, own, "without syncs");
    }
    assertFalse(tally.wrong().isEmpty());
  }

  private void run(CrashProgram program, int ranks, Optional<MpirunLauncher> mpirun)
      throws IOException, InterruptedException {
    Path own = Files.createDirectory(folder.resolve("program-" + program.seed()));
    List<DiskOperation> operations = TracedRun.of(program, ranks, mpirun, own);
    String row = ranks + (mpirun.isPresent() ? " processes " : " threads ") + program.mode();
    examine(program, states(program, operations), own, row);
  }

  private static List<CrashStates.Crashed> states(
      CrashProgram program, List<DiskOperation> operations) {
    return CrashStates.of(operations, program.steps().size(), DRAWN, program.seed());
  }

  private void examine(CrashProgram program, List<CrashStates.Crashed> states, Path own, String row)
      throws IOException {
    StateCheck check = new StateCheck(program, Files.createDirectory(own.resolve("opened")));
    OtherReader other = new OtherReader(own);
    StateCheck.Opening[] openings = StateCheck.Opening.values();
    List<FoundJournal.State> journals = new ArrayList<>();
    for (int i = 0; i < states.size(); i++) {
      CrashStates.Crashed crashed = states.get(i);
      tally.state();
      Optional<Path> file = check.put(crashed);
      boolean shown = !h5py.isEmpty() && file.isPresent() && i % SHOWN == 0;
      if (shown) {
        other.add(file.get(), crashed);
      }
      StateCheck.Verdict verdict = check.check(crashed, openings[i % openings.length]);
      if (shown) {
        journals.add(verdict.journal());
        if (verdict.wrong().isEmpty()) {
          other.add(file.get(), crashed);
          journals.add(FoundJournal.State.ABSENT);
        }
      }
      tally.count(row, "journal " + verdict.journal());
      String place = "seed=" + program.seed() + " " + row + " state=" + i + ": ";
      verdict.wrong().ifPresent(what -> tally.wrong(place + what));
    }
    for (Oracle python : h5py) {
      judge(check, other.read(python, program.loose()), journals, row, "h5py on " + python.hdf5());
    }
    other.forget();
  }

  private void judge(
      StateCheck check,
      List<OtherReader.Answer> answers,
      List<FoundJournal.State> journals,
      String row,
      String reader) {
    for (int i = 0; i < answers.size(); i++) {
      OtherReader.Answer answer = answers.get(i);
      boolean pending = journals.get(i) == FoundJournal.State.PENDING;
      boolean first = !answer.crashed().isAfterFlush();
      boolean epoch = answer.refusal().isEmpty() && check.isEpoch(answer.crashed(), answer.seen());
      boolean refusal = answer.isRefusal() && (pending || first);
      String what =
          epoch
              ? "an epoch"
              : answer.isRefusal()
                  ? "a refusal"
                  : answer.isFailure() ? answer.refusal() : "a mixture";
      tally.count(
          row,
          reader
              + " sees "
              + what
              + (pending ? " beside a whole journal" : first ? " before the first flush" : ""));
      if (!epoch && !refusal) {
        tally.wrong(row + " " + reader + ": " + answer.refusal() + answer.seen());
      }
    }
  }
}
