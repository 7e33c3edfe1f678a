package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.NamedDatatype;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a structural change which fails on one rank leaves no trace on any rank: repeating it
 * gives the same bytes as a run without a failure.
 */
class FailedStepTest {
  private static final int RANKS = 3;

  @TempDir Path folder;

  private int failures;

  /** A probe that makes one independent read fail. */
  private static final class LoneReadFault implements FileProbe {
    private long left = Long.MAX_VALUE;
    private boolean fired;

    synchronized void arm(long reads) {
      left = reads;
    }

    synchronized void disarm() {
      left = Long.MAX_VALUE;
    }

    synchronized boolean hasFired() {
      return fired;
    }

    @Override
    public synchronized Optional<MpiException> before(
        int rank, FileCall call, FileView view, MemorySegment data) {
      if (call != FileCall.READ_ALONE || fired || left-- > 0) {
        return Optional.empty();
      }
      fired = true;
      return Optional.of(FileProbe.deviceFails(rank, call));
    }
  }

  /** A change of the file structure. */
  private enum Change {
    GROUP(file -> file.createGroup("/many/new/below")),
    DATASET(file -> file.createDataset("/many/d", sparse())),
    DATASET_IN_NEW_GROUPS(file -> file.createDataset("/nested/a/b/c", sparse())),
    SHARED_TYPE(file -> file.createDataset("/t/d", shared(file))),
    SOFT_LINK(file -> file.createSoftLink("/many/soft", "/data")),
    HARD_LINK(file -> file.createHardLink("/many/again", "/data")),
    MOVE(file -> file.move("/many/m7", "/nested/moved")),
    UNLINK(file -> file.unlink("/data")),
    UNLINK_ALL(file -> file.unlink("/many")),
    ATTRIBUTE(file -> file.dataset("/data").setAttribute(Attribute.of("more", 3))),
    FIRST_ATTRIBUTE(file -> file.dataset("/many/m3").setAttribute(Attribute.of("more", 3))),
    DELETED_ATTRIBUTE(file -> file.dataset("/data").deleteAttribute("a11")),
    RENAMED_ATTRIBUTE(file -> file.dataset("/data").renameAttribute("a11", "b")),
    EXTENT(file -> file.dataset("/data").extendTo(4000, 16));

    private final Consumer<H5File> change;

    Change(Consumer<H5File> change) {
      this.change = change;
    }
  }

  private static DatasetSpec sparse() {
    return DatasetSpec.of(Datatype.I32, Shape.of(16, 16).unlimited(0)).sparse(4, 4);
  }

  private static DatasetSpec shared(H5File file) {
    return DatasetSpec.of((NamedDatatype) file.object("/type"), Shape.of(8)).chunked(4);
  }

  private Path base(FormatBounds bounds) {
    Path path = folder.resolve("base.h5");
    FileOptions options = FileOptions.standard().withBounds(bounds);
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      file.createDatatype("/type", Datatype.I32);
      Dataset data =
          file.createDataset(
              "/data",
              DatasetSpec.of(Datatype.I32, Shape.of(2000, 16).unlimited(0))
                  .chunked(4, 16)
                  .filters(Filters.deflate(1)));
      data.write(Selection.at(0, 0).extent(2000, 16), new int[32_000]);
      for (int i = 0; i < 20; i++) {
        data.setAttribute(Attribute.of("a" + i, i));
        file.createDataset("/many/m" + i, sparse());
      }
      file.createGroup("/nested");
      file.createGroup("/t");
    }
    return path;
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatBounds.class,
      names = {"EARLIEST", "V110"})
  void a_failed_step_that_is_repeated_gives_the_bytes_of_an_undisturbed_run(FormatBounds bounds)
      throws IOException {
    Path base = base(bounds);
    Path path = folder.resolve("changed.h5");
    for (Change change : Change.values()) {
      Files.copy(base, path);
      boolean unused = run(path, change, -1, 0);
      byte[] expected = Files.readAllBytes(path);
      Files.delete(path);
      for (int victim : FailedCalls.victims(RANKS)) {
        boolean fired = true;
        for (int reads = 0; fired; reads++) {
          Files.copy(base, path);
          fired = run(path, change, victim, reads);
          String what = change + " after " + reads + " reads on rank " + victim;
          assertArrayEquals(expected, Files.readAllBytes(path), what);
          Files.delete(path);
          failures += fired ? 1 : 0;
        }
      }
    }
    assertTrue(failures > 60, "failures: " + failures);
  }

  /** Makes an independent read of a rank fail, and returns whether the change made that read. */
  private static boolean run(Path path, Change change, int victim, int reads) {
    return LocalRanks.call(
            RANKS,
            ranks -> {
              LoneReadFault fault = new LoneReadFault();
              Communicator world = new ProbedCommunicator(ranks, fault);
              try (H5File file = H5File.openForWriting(path, world)) {
                if (world.rank() == victim) {
                  fault.arm(reads);
                }
                attempt(file, change);
                fault.disarm();
              }
              return fault.hasFired();
            })
        .contains(true);
  }

  private static void attempt(H5File file, Change change) {
    try {
      change.change.accept(file);
    } catch (CollectiveException e) {
      assertTrue(e.getMessage().contains("Input/output error"), e.getMessage());
      change.change.accept(file);
    }
  }
}
