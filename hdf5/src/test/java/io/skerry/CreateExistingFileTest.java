package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the creation of a file at an existing path, on ranks as threads. */
class CreateExistingFileTest {
  @TempDir Path folder;

  private Set<String> files() throws IOException {
    try (var all = Files.list(folder)) {
      return new TreeSet<>(all.map(file -> file.getFileName().toString()).toList());
    }
  }

  /**
   * Checks that every rank refuses the file with the given message, and that no file is created or
   * removed.
   */
  private void refused(
      int ranks, String words, Path path, BiFunction<Path, Communicator, H5File> opening)
      throws IOException {
    Set<String> before = files();
    List<String> said =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20),
            () ->
                LocalRanks.call(
                    ranks,
                    world ->
                        assertThrows(CollectiveException.class, () -> opening.apply(path, world))
                            .getMessage()));
    said.forEach(one -> assertTrue(one.contains(words) && one.contains(path.toString()), one));
    assertEquals(ranks, said.size());
    assertEquals(before, files());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void creating_a_new_file_refuses_an_existing_one(int ranks) throws IOException {
    Path mine = Files.writeString(folder.resolve("mine.h5"), "a thesis");
    refused(ranks, "a file of that name exists", mine, H5File::createNew);
    assertEquals("a thesis", Files.readString(mine));
    Path link = Files.createSymbolicLink(folder.resolve("link.h5"), mine);
    refused(ranks, "a file of that name exists", link, H5File::createNew);
    assertEquals("a thesis", Files.readString(mine));
    Path nowhere = Files.createSymbolicLink(folder.resolve("to.h5"), folder.resolve("nowhere"));
    refused(ranks, "a file of that name exists", nowhere, H5File::createNew);
    Path free = folder.resolve("free.h5");
    LocalRanks.run(ranks, world -> H5File.createNew(free, world).close());
    H5File.open(free).close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_path_that_is_not_a_regular_file_is_refused_without_blocking(int ranks) throws Exception {
    Path fifo = folder.resolve("fifo.h5");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Path device = Files.createSymbolicLink(folder.resolve("null.h5"), Path.of("/dev/null"));
    Path inside = Files.createDirectory(folder.resolve("folder.h5"));
    for (BiFunction<Path, Communicator, H5File> opening :
        List.<BiFunction<Path, Communicator, H5File>>of(
            H5File::create, H5File::open, H5File::openForWriting)) {
      refused(ranks, "not an ordinary file", fifo, opening);
      refused(ranks, "not an ordinary file", device, opening);
      refused(ranks, "a folder, not a file", inside, opening);
    }
  }

  /** Repeats the test, since a check and a creation in two steps would fail only occasionally. */
  @Test
  void exactly_one_of_several_concurrent_creations_succeeds() {
    for (int round = 0; round < 20; round++) {
      Path path = folder.resolve("round" + round + ".h5");
      List<Boolean> created =
          LocalRanks.call(
              4,
              world -> {
                try {
                  H5File file = H5File.createNew(path, Communicator.self());
                  world.barrier();
                  file.close();
                  return true;
                } catch (CollectiveException e) {
                  world.barrier();
                  return false;
                }
              });
      assertEquals(1, created.stream().filter(each -> each).count(), "round=" + round);
    }
    assertFalse(Files.exists(folder.resolve("round0.h5.journal")));
  }
}
