package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.ProbedCommunicator;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each retry of a failed operation reuses the space of the failed attempt. */
class RepeatedFailureTest {
  private static final int ELEMENTS = 4096;

  @TempDir Path folder;

  @Test
  void copies_whose_chunks_cannot_be_written_do_not_enlarge_the_file() throws IOException {
    assertNoGrowth(
        file ->
            file.createDataset(
                    "/data", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(1024))
                .write(Selection.all(), new int[ELEMENTS]),
        file -> file.copy("/data", file, "/copy"));
  }

  @Test
  void failed_writes_of_texts_do_not_enlarge_the_file() throws IOException {
    assertNoGrowth(
        file ->
            file.createDataset(
                "/texts",
                DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(2)).chunked(1)),
        file ->
            file.dataset("/texts")
                .writeValues(
                    Selection.all(),
                    Collections.nCopies(2, new Value.Text("content".repeat(2000)))));
  }

  private void assertNoGrowth(Consumer<H5File> before, Consumer<H5File> action) throws IOException {
    for (int ranks : new int[] {1, 3}) {
      Path few = folder.resolve("few-" + ranks + ".h5");
      Path many = folder.resolve("many-" + ranks + ".h5");
      assertEquals(3, failures(ranks, few, 3, before, action));
      assertEquals(12, failures(ranks, many, 12, before, action));
      assertTrue(
          Files.size(many) <= Files.size(few) + 4096,
          "ranks=%d bytes=%d,%d".formatted(ranks, Files.size(few), Files.size(many)));
    }
  }

  /** Returns how often the action fails if its first file call fails on the last rank. */
  private static int failures(
      int ranks, Path path, int times, Consumer<H5File> before, Consumer<H5File> action) {
    return assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () ->
            LocalRanks.call(
                    ranks,
                    world -> {
                      ArmedFault fault = new ArmedFault();
                      try (H5File file =
                          H5File.create(path, new ProbedCommunicator(world, fault))) {
                        before.accept(file);
                        file.flush();
                        int failed = 0;
                        for (int time = 0; time < times; time++) {
                          failed += fails(world, file, fault, action) ? 1 : 0;
                          file.root().setAttribute(Attribute.of("time", time));
                          file.flush();
                        }
                        action.accept(file);
                        return failed;
                      }
                    })
                .getFirst());
  }

  private static boolean fails(
      Communicator world, H5File file, ArmedFault fault, Consumer<H5File> action) {
    fault.arm(world.size() - 1, 0);
    try {
      action.accept(file);
      return false;
    } catch (CollectiveException e) {
      return true;
    } finally {
      fault.disarm();
    }
  }

  @Test
  void refused_writes_of_references_do_not_enlarge_the_file() throws IOException {
    long few = refused(3);
    long many = refused(400);
    assertEquals(few, many);
  }

  private long refused(int times) throws IOException {
    Path path = folder.resolve(times + ".h5");
    Datatype type = VariableLength.sequence(new Reference(12, Reference.Kind.REGION));
    try (H5File file = H5File.create(path)) {
      file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(8)));
      Dataset references =
          file.createDataset("/references", DatasetSpec.of(type, Shape.of(8)).sparse(4));
      Value value =
          new Value.Sequence(
              Collections.nCopies(50, file.reference("/data", Selection.at(2).extent(3))));
      for (int time = 0; time < times; time++) {
        assertThrows(
            CollectiveException.class,
            () -> references.writeValues(Selection.at(0).extent(3), List.of(value)));
        file.flush();
      }
    }
    return Files.size(path);
  }
}
