package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.format.FormatBounds;
import io.skerry.integration.random.BoxLoops;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.testkit.fault.CrashRecorder;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a file whose flush reached the disk in part has the state before or after it. */
class FlushCrashTest {
  private static final String PYTHON = "/usr/bin/python3";
  private static final boolean H5PY = hasH5py();
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  @TempDir Path folder;

  private int states;
  private int read;

  /** The states that a crash may leave. */
  private enum Expected {
    BEFORE,
    AFTER,
    EITHER
  }

  @Test
  void every_crash_of_a_flush_leaves_the_state_before_or_after_it() throws Exception {
    int programs = 0;
    for (int ranks : new int[] {1, 3}) {
      for (long seed = 0; seed < 2; seed++) {
        // The seed determines the bounds.
        if (THOROUGH || (seed == 0) == (ranks == 1)) {
          crashes(ranks, 900 + seed);
          programs++;
        }
      }
    }
    assertTrue(states > 50 * programs, "states tried: " + states);
    assertTrue(read > programs || !H5PY, "states read with h5py: " + read);
  }

  private void crashes(int ranks, long seed) throws Exception {
    Path path = folder.resolve("crash-" + ranks + "-" + seed + ".h5");
    Scenario scenario = new Scenario(seed);
    FileModel before = new FileModel();
    // The superblock of the earliest format has no checksum to detect a torn write.
    FormatBounds bounds = seed % 2 == 0 ? FormatBounds.V110 : FormatBounds.EARLIEST;
    FileOptions options = Scenario.OPTIONS.withBounds(bounds);
    play(path, ranks, Scenario.creation(), before, RandomProgram.Access.CREATE, options);
    for (int flush = 0; flush < 3; flush++) {
      play(
          path,
          ranks,
          scenario.changes(before),
          before,
          RandomProgram.Access.WRITE,
          Scenario.OPTIONS);
    }
    // The flush after the warm-up is in the same session, so that it uses blocks freed before.
    List<ProgramStep> warming = scenario.changes(before);
    List<ProgramStep> changes = scenario.changes(advanced(before, warming));
    CrashRecorder[] recorder = new CrashRecorder[1];
    FileModel start = before.copy();
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file =
              H5File.openForWriting(
                  path,
                  new ProbedCommunicator(
                      world,
                      (rank, call, view, data) ->
                          recorder[0] == null
                              ? Optional.empty()
                              : recorder[0].before(rank, call, view, data)),
                  Scenario.OPTIONS)) {
            ProgramPlayer player = new ProgramPlayer(world, start.copy());
            warming.forEach(step -> player.play(file, step));
            world.barrier();
            if (world.rank() == 0) {
              recorder[0] = new CrashRecorder(Files.readAllBytes(path), journal(path));
              recorder[0].begin();
            }
            world.barrier();
            changes.forEach(step -> player.play(file, step));
          }
        });
    before = advanced(before, warming);
    FileModel after = advanced(before, changes);
    assertTrue(FileState.holds(path, after));
    tryAll(recorder[0], before, after, seed);
  }

  private static FileModel advanced(FileModel model, List<ProgramStep> steps) {
    FileModel next = model.copy();
    steps.forEach(next::apply);
    return next;
  }

  private static void play(
      Path path,
      int ranks,
      List<ProgramStep> steps,
      FileModel model,
      RandomProgram.Access access,
      FileOptions options) {
    RandomProgram.Session session = new RandomProgram.Session(access, options, steps);
    FileModel start = model.copy();
    LocalRanks.run(ranks, world -> new ProgramPlayer(world, start.copy()).play(session, path));
    steps.forEach(model::apply);
  }

  private void tryAll(CrashRecorder recorder, FileModel before, FileModel after, long seed)
      throws Exception {
    RandomGenerator random = new SplittableRandom(seed);
    assertEquals(4, recorder.epochs(), "new blocks, mark, replaced blocks, superblock");
    assertTrue(recorder.bytes(2) > 512, "replaced bytes: " + recorder.bytes(2));
    byte[] whole = recorder.journal(1);
    assertTrue(whole.length > recorder.bytes(2), "journal");
    byte[] none = new byte[0];
    for (int i = 0; i < 12; i++) {
      open(recorder.crashedIn(0, i / 11.0, random), none, Expected.BEFORE, before, after);
    }
    for (int i = 0; i < 20; i++) {
      byte[] file = recorder.crashedIn(1, 0, random);
      byte[] cut = Arrays.copyOf(whole, random.nextInt(whole.length));
      open(file, cut, Expected.BEFORE, before, after);
      open(file, torn(whole, random), Expected.EITHER, before, after);
    }
    open(recorder.crashedIn(1, 1, random), whole, Expected.AFTER, before, after);
    for (int i = 0; i < 20; i++) {
      byte[] file = recorder.crashedIn(2, i / 19.0, random);
      open(file, whole, Expected.AFTER, before, after);
    }
    open(recorder.crashedIn(3, 0, random), whole, Expected.AFTER, before, after);
    byte[] done = recorder.crashedIn(3, 1, random);
    open(done, whole, Expected.AFTER, before, after);
    open(done, none, Expected.AFTER, before, after);
    open(done, Arrays.copyOf(whole, whole.length / 2), Expected.AFTER, before, after);
  }

  /** Returns a journal of full length with some sectors zeroed, as if they were not written. */
  private static byte[] torn(byte[] whole, RandomGenerator random) {
    byte[] torn = whole.clone();
    for (int at = 0; at < torn.length; at += 512) {
      if (random.nextInt(3) == 0) {
        Arrays.fill(torn, at, Math.min(torn.length, at + 512), (byte) 0);
      }
    }
    return torn;
  }

  private void open(
      byte[] file, byte[] journal, Expected expected, FileModel before, FileModel after)
      throws Exception {
    Path path = folder.resolve("state.h5");
    Files.write(path, file);
    Files.write(journal(path), journal);
    boolean isBefore = FileState.holds(path, before);
    boolean isAfter = !isBefore && FileState.holds(path, after);
    boolean right =
        switch (expected) {
          case BEFORE -> isBefore;
          case AFTER -> isAfter;
          case EITHER -> isBefore || isAfter;
        };
    assertTrue(right, "expected=" + expected + " before=" + isBefore + " after=" + isAfter);
    assertTrue(Files.notExists(journal(path)), "the journal stayed");
    if (states++ % 40 == 0) {
      readWithH5py(path, isAfter ? after : before);
    }
  }

  /** Reads the dense datasets by path; h5dump would fail on the sparse ones. */
  private void readWithH5py(Path path, FileModel expected)
      throws IOException, InterruptedException {
    if (!H5PY) {
      return;
    }
    String script =
        "import h5py,sys; f=h5py.File(sys.argv[1]); "
            + "print([int(v) for p in ('/dense','/fixed') for v in f[p][...].ravel()])";
    Process process =
        new ProcessBuilder(PYTHON, "-c", script, path.toString()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(20, TimeUnit.SECONDS), "h5py hangs");
    List<Long> values = new ArrayList<>();
    for (ArrayModel dataset : expected.datasets()) {
      if (List.of("/dense", "/fixed").contains(dataset.plan().path())) {
        for (long i = 0; i < BoxLoops.volume(dataset.extent()); i++) {
          values.add(dataset.value(i));
        }
      }
    }
    assertEquals(values.toString(), out.strip());
    read++;
  }

  private static boolean hasH5py() {
    try {
      return new ProcessBuilder(PYTHON, "-c", "import h5py").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Path journal(Path path) {
    return path.resolveSibling(path.getFileName() + ".journal");
  }
}
