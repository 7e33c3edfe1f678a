package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.CrashRecorder;
import io.skerry.testkit.fault.ProbedCommunicator;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that variable-length content after a crash is that of the previous or the last flush. */
class ContentCrashTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final int ROWS = 120;

  @TempDir Path folder;

  /** The content of a file. */
  private record State(List<String> texts, List<String> attributes) {}

  private static void change(H5File file, int round, int rank, int ranks) {
    int rows = ROWS / ranks;
    String[] texts = new String[rows / 2];
    Arrays.setAll(texts, i -> "round " + round + " row " + i + "x".repeat(i % 50));
    file.dataset("/d").write(Selection.at((long) rank * rows + round * 7L).extent(rows / 2), texts);
    for (int i = 0; i < 6; i++) {
      List<Value> values = List.of(new Value.Text("round " + round + " attribute " + i));
      file.root().setAttribute("a" + (i + round) % 8, TEXT, Shape.scalar(), values);
    }
    file.root().deleteAttribute("a" + round);
  }

  private static State state(H5File file) {
    List<String> attributes = new ArrayList<>();
    for (Attribute attribute : file.root().attributes()) {
      attributes.add(attribute.name() + "=" + attribute.values(file.contents()));
    }
    attributes.sort(null);
    return new State(file.dataset("/d").readStrings(Selection.all()), attributes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_crash_leaves_the_content_of_one_flush(int ranks) throws IOException {
    Path path = folder.resolve("content" + ranks + ".h5");
    State[] states = new State[2];
    CrashRecorder[] recorder = new CrashRecorder[1];
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset d = file.createDataset("/d", DatasetSpec.of(TEXT, Shape.of(ROWS)).chunked(9));
            assertEquals(ROWS, d.shape().extent(0));
            change(file, 0, world.rank(), ranks);
          }
          Communicator probed =
              new ProbedCommunicator(
                  world,
                  (rank, call, view, data) ->
                      recorder[0] == null
                          ? Optional.empty()
                          : recorder[0].before(rank, call, view, data));
          try (H5File file = H5File.openForWriting(path, probed)) {
            change(file, 1, world.rank(), ranks);
            file.flush();
            change(file, 2, world.rank(), ranks);
            file.flush();
            State before = state(file);
            world.barrier();
            if (world.rank() == 0) {
              states[0] = before;
              recorder[0] = new CrashRecorder(Files.readAllBytes(path), journal(path));
              recorder[0].begin();
            }
            world.barrier();
            change(file, 3, world.rank(), ranks);
            file.flush();
            State after = state(file);
            world.barrier();
            if (world.rank() == 0) {
              states[1] = after;
            }
          }
        });
    int last = recorder[0].epochs() - 1;
    RandomGenerator random = new SplittableRandom(ranks);
    for (int i = 0; i < 10; i++) {
      byte[] none = new byte[0];
      assertEquals(states[0], opened(recorder[0].crashedIn(0, i / 9.0, random), none));
      byte[] whole = recorder[0].journal(1);
      assertEquals(states[1], opened(recorder[0].crashedIn(1, i / 9.0, random), whole));
      assertEquals(states[1], opened(recorder[0].crashedIn(2, i / 9.0, random), whole));
    }
    assertTrue(last >= 3, "epochs " + last);
    assertEquals(states[1], opened(recorder[0].crashedIn(last, 1, random), new byte[0]));
  }

  private State opened(byte[] file, byte[] journal) throws IOException {
    Path path = folder.resolve("crashed.h5");
    Files.write(path, file);
    Files.deleteIfExists(journal(path));
    if (journal.length > 0) {
      Files.write(journal(path), journal);
    }
    State state;
    try (H5File opened = H5File.open(path)) {
      state = state(opened);
    }
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
    return state;
  }

  private static Path journal(Path path) {
    return path.resolveSibling(path.getFileName() + ".journal");
  }
}
