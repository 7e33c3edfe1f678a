package io.skerry.iod.connector;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs on compute ranks that fail on one of them, on at least four ranks. */
public final class IoRanksCases implements RankedCases {
  private static final ContainerSettings SETTINGS =
      new ContainerSettings(2, ChecksumLevel.ALL, EngineOptions.DEFAULT);

  /** The compute rank that fails; with the last ranks as I/O ranks, also its rank among all. */
  private static final int FAILING = 1;

  /** The time in which all ranks have an exception. */
  private static final long SECONDS = 30;

  /** Creates the suite. */
  public IoRanksCases() {}

  /** A program of the compute ranks, which fails on one of them. */
  @FunctionalInterface
  private interface Program {
    void run(Communicator compute, Connector connector, Path container);
  }

  @Override
  public List<RankedCase> cases() {
    return List.of(
        test("a_rank_fails_before_it_opens_a_container", IoRanksCases::beforeOpening),
        test("a_rank_fails_in_front_of_a_collective_write", IoRanksCases::beforeWrite),
        test("a_rank_fails_and_leaves_its_file_open", IoRanksCases::withoutClose),
        test("a_rank_fails_while_the_others_wait_in_a_barrier", IoRanksCases::beforeBarrier),
        test("a_rank_fails_after_the_others_have_ended", IoRanksCases::afterEnd),
        new RankedCase("an_io_rank_without_its_container_is_named", IoRanksCases::remove),
        new RankedCase("a_program_ends_on_all_ranks", IoRanksCases::succeed));
  }

  private static RankedCase test(String name, Program program) {
    return new RankedCase(name, world -> fail(world, program));
  }

  private static H5File open(
      Communicator compute, Connector connector, Path path, FileAccess access) {
    return Connectors.open(connector, path, access, compute, FileOptions.standard());
  }

  private static void fail(Communicator world, Program program) throws Exception {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("run");
      IoRanks.run(
          world,
          SETTINGS,
          1,
          Placement.Kind.LAST,
          (compute, connector) -> {
            try (H5File file = open(compute, connector, path, FileAccess.CREATE)) {
              file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(100)).chunked(10));
            }
          });
      long start = System.nanoTime();
      RuntimeException e =
          Expect.thrown(
              RuntimeException.class,
              () ->
                  IoRanks.run(
                      world,
                      SETTINGS,
                      1,
                      Placement.Kind.LAST,
                      (compute, connector) -> program.run(compute, connector, path)),
              "a failing program");
      Expect.that(System.nanoTime() - start < SECONDS * 1_000_000_000L, "bounded time");
      Expect.that(world.rank() == FAILING ? isOwn(e) : names(e), world.rank() + ": " + texts(e));
      world.barrier();
      // The container is free, and has the state of the last flush.
      if (world.rank() == 0) {
        VerifyingConnector.verify(path);
        try (H5File file =
            open(Communicator.self(), new IodConnector(SETTINGS), path, FileAccess.WRITE)) {
          Expect.equal(0, file.dataset("/d").readInts(Selection.all())[50], "an element");
        }
      }
      world.barrier();
    }
  }

  private static boolean isOwn(RuntimeException e) {
    return e instanceof IllegalArgumentException;
  }

  /** Returns whether an exception, or one suppressed by it, names the rank. */
  private static boolean names(RuntimeException e) {
    return texts(e).contains("rank=" + FAILING) && texts(e).contains("of its own");
  }

  private static String texts(RuntimeException e) {
    return e + " " + Arrays.toString(e.getSuppressed());
  }

  private static void failHere(Communicator compute) {
    if (compute.rank() == FAILING) {
      throw new IllegalArgumentException("a failure of its own");
    }
  }

  private static void write(Communicator compute, H5File file) {
    file.dataset("/d")
        .write(
            Selection.at(10 * compute.rank()).extent(10), new int[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  }

  private static void beforeOpening(Communicator compute, Connector connector, Path path) {
    failHere(compute);
    try (H5File file = open(compute, connector, path, FileAccess.WRITE)) {
      write(compute, file);
    }
  }

  private static void beforeWrite(Communicator compute, Connector connector, Path path) {
    try (H5File file = open(compute, connector, path, FileAccess.WRITE)) {
      failHere(compute);
      write(compute, file);
    }
  }

  private static void withoutClose(Communicator compute, Connector connector, Path path) {
    Deque<H5File> files = new ArrayDeque<>();
    files.add(open(compute, connector, path, FileAccess.WRITE));
    write(compute, files.getFirst());
    failHere(compute);
    files.getFirst().flush();
  }

  private static void beforeBarrier(Communicator compute, Connector connector, Path path) {
    try (H5File file = open(compute, connector, path, FileAccess.READ)) {
      Expect.equal(Optional.empty(), file.root().attribute("none"), "an attribute");
      failHere(compute);
      compute.barrier();
    }
  }

  private static void afterEnd(Communicator compute, Connector connector, Path path) {
    try (H5File file = open(compute, connector, path, FileAccess.READ)) {
      Expect.equal(1, file.root().links().size(), "links");
    }
    if (compute.rank() == FAILING) {
      try {
        Thread.sleep(300);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      failHere(compute);
    }
  }

  /** Deletes the container that the last rank serves, so that it cannot store the next flush. */
  private static void remove(Communicator world) throws Exception {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("run");
      RuntimeException e =
          Expect.thrown(
              RuntimeException.class,
              () ->
                  IoRanks.run(
                      world,
                      SETTINGS,
                      1,
                      Placement.Kind.LAST,
                      (compute, connector) -> flushTwice(compute, connector, path)),
              "a failing I/O rank");
      Expect.that(
          texts(e).contains("rank=" + (world.size() - 1))
              && texts(e).contains("there is no container"),
          texts(e));
      world.barrier();
    }
  }

  private static void flushTwice(Communicator compute, Connector connector, Path path) {
    try (H5File file = open(compute, connector, path, FileAccess.CREATE)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(100)).chunked(10));
      file.flush();
      compute.barrier();
      if (compute.rank() == 0) {
        delete(path);
      }
      compute.barrier();
      write(compute, file);
      file.flush();
    }
  }

  private static void delete(Path tree) {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void succeed(Communicator world) throws Exception {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("run");
      IoRanks.run(
          world,
          SETTINGS,
          2,
          Placement.Kind.EVERY_KTH,
          (compute, connector) -> {
            try (H5File file = open(compute, connector, path, FileAccess.CREATE)) {
              file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(100)).chunked(10));
              write(compute, file);
            }
          });
      world.barrier();
    }
  }
}
