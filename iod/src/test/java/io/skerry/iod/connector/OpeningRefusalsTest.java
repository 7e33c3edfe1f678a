package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.iod.engine.InMemory;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders that cannot be opened as a container, and containers that are removed or in use. */
class OpeningRefusalsTest {
  @TempDir(factory = InMemory.class)
  Path folder;

  private String location(String name) {
    return "iod:" + folder.resolve(name);
  }

  private void create(String name) {
    try (H5File file = H5File.create(location(name), Communicator.self())) {
      file.createGroup("/kept");
    }
  }

  /** Opens a location on all ranks in each way; each rank gets the reason and the path. */
  private void refused(int ranks, String name, String... reasons) {
    List<LocalRanks.Body> openings =
        List.of(
            world -> H5File.open(location(name), world),
            world -> H5File.openForWriting(location(name), world));
    for (LocalRanks.Body opening : openings) {
      AtomicInteger count = new AtomicInteger();
      LocalRanks.run(
          ranks,
          world -> {
            named(assertThrows(CollectiveException.class, () -> opening.run(world)), name, reasons);
            count.incrementAndGet();
          });
      assertEquals(ranks, count.get());
    }
    IodConnector connector = new IodConnector();
    Path path = folder.resolve(name);
    for (Runnable tool :
        List.<Runnable>of(
            () -> connector.verify(path, FileOptions.standard(), _ -> {}),
            () -> connector.dump(path, _ -> {}))) {
      named(assertThrows(CollectiveException.class, tool::run), name, reasons);
    }
  }

  private void named(RuntimeException e, String name, String... reasons) {
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(folder.resolve(name).toString()), message);
    for (String reason : reasons) {
      assertTrue(message.contains(reason), message);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void other_folders_are_refused_on_all_ranks_and_not_removed(int ranks) throws IOException {
    create("run");
    // A database of RocksDB that belongs to another program.
    Files.move(folder.resolve("run/shard-0"), folder.resolve("foreign"));
    Files.createDirectory(folder.resolve("empty"));
    Files.writeString(folder.resolve("file"), "text");
    refused(ranks, "foreign", "not a container", "a RocksDB database");
    refused(ranks, "empty", "not a container", "an empty folder");
    refused(ranks, "file", "not a container", "a file");
    refused(ranks, "none", "there is no container");
    refused(ranks, "run", "a shard does not belong to the container");
    for (String name : List.of("foreign", "file")) {
      LocalRanks.run(
          ranks,
          world ->
              named(
                  assertThrows(
                      CollectiveException.class, () -> H5File.create(location(name), world)),
                  name));
    }
    assertTrue(Files.exists(folder.resolve("foreign/CURRENT")), "the database");
    assertEquals("text", Files.readString(folder.resolve("file")));
  }

  @Test
  void a_half_written_container_is_refused_and_can_be_created_again() throws IOException {
    create("run");
    Path container = folder.resolve("run");
    Files.move(container.resolve("container"), container.resolve("container.incomplete"));
    refused(2, "run", "an incomplete container", "creation or removal was interrupted");
    create("run");
    VerifyingConnector.verify(container);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_second_writer_of_the_same_process_is_refused_on_all_ranks(int ranks) {
    create("run");
    try (H5File first = H5File.openForWriting(location("run"), Communicator.self())) {
      AtomicInteger count = new AtomicInteger();
      LocalRanks.run(
          ranks,
          world -> {
            for (LocalRanks.Body opening :
                List.<LocalRanks.Body>of(
                    each -> H5File.openForWriting(location("run"), each),
                    each -> H5File.create(location("run"), each))) {
              named(
                  assertThrows(CollectiveException.class, () -> opening.run(world)),
                  "run",
                  "open for writing elsewhere",
                  "locked by this process");
            }
            count.incrementAndGet();
          });
      assertEquals(ranks, count.get());
      first.createGroup("/later");
    }
    try (H5File file = H5File.open(location("run"), Communicator.self())) {
      assertEquals(2, file.root().links().size());
    }
  }

  /** Opens a container for writing, says so, and waits. */
  public static final class Writer {
    private Writer() {}

    /**
     * Runs the program.
     *
     * @param arguments the location
     */
    public static void main(String[] arguments) throws IOException {
      try (H5File file = H5File.openForWriting(arguments[0], Communicator.self())) {
        file.createGroup("/later");
        System.out.println("open");
        int unused = System.in.read();
      }
    }
  }

  @Test
  void a_second_writer_of_another_process_is_refused() throws Exception {
    create("run");
    Process process =
        new ProcessBuilder(ChildProgram.of(Writer.class, location("run")).command())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var said = process.inputReader()) {
      assertEquals("open", said.readLine());
      named(
          assertThrows(
              CollectiveException.class,
              () -> H5File.openForWriting(location("run"), Communicator.self())),
          "run",
          "locked by another process");
      named(
          assertThrows(
              CollectiveException.class, () -> H5File.create(location("run"), Communicator.self())),
          "run",
          "locked by another process");
      process.getOutputStream().close();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    try (H5File file = H5File.open(location("run"), Communicator.self())) {
      assertEquals(2, file.root().links().size());
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_flush_fails_on_all_ranks_if_the_container_was_removed(int ranks) {
    AtomicInteger count = new AtomicInteger();
    LocalRanks.run(
        ranks,
        world -> {
          H5File file = H5File.create(location("run"), world);
          Dataset dataset =
              file.createDataset("/d", DatasetSpec.of(Datatype.I64, Shape.of(1000)).chunked(100));
          dataset.write(Selection.all(), new long[1000]);
          file.flush();
          world.barrier();
          if (world.rank() == 0) {
            delete(folder.resolve("run"));
          }
          world.barrier();
          dataset.write(Selection.all(), new long[1000]);
          var e = assertThrows(CommitException.class, file::flush);
          named(e, "run", "there is no container");
          assertThrows(IllegalStateException.class, file::flush);
          assertThrows(RuntimeException.class, file::close);
          count.incrementAndGet();
        });
    assertEquals(ranks, count.get());
    assertFalse(Files.exists(folder.resolve("run")), "the folder");
    create("run");
  }
}
