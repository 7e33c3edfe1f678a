package io.skerry.iod.connector;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Files in containers that all ranks of a job open together, on any number of ranks. */
public final class SharedFileCases implements RankedCases {
  private static final IodConnector CONNECTOR =
      new IodConnector(new ContainerSettings(3, ChecksumLevel.ALL, EngineOptions.DEFAULT));

  /** Creates the suite. */
  public SharedFileCases() {}

  /** A program of all ranks in a folder of their own. */
  @FunctionalInterface
  private interface Program {
    void run(Communicator world, Path container) throws IOException;
  }

  private static RankedCase test(String name, Program program) {
    return new RankedCase(
        name,
        world -> {
          try (SharedFolder folder = SharedFolder.create(world)) {
            program.run(world, folder.file("run"));
            world.barrier();
            if (world.rank() == 0) {
              VerifyingConnector.verify(folder.file("run"));
            }
            world.barrier();
          }
        });
  }

  @Override
  public List<RankedCase> cases() {
    return List.of(
        test("pieces_of_one_tile_from_all_ranks_are_merged", SharedFileCases::mergePieces),
        test("texts_of_all_ranks_in_one_tile_are_replaced", SharedFileCases::replaceTexts),
        test("large_writes_are_exchanged_in_rounds", SharedFileCases::writeLarge),
        test("a_dataset_is_removed_with_the_tiles_of_all_ranks", SharedFileCases::remove),
        test("a_failure_of_one_rank_changes_nothing_on_any", SharedFileCases::failOnOneRank),
        test("different_arguments_are_refused_on_all_ranks", SharedFileCases::differ),
        test("a_missing_object_is_missing_on_all_ranks", SharedFileCases::missObjects),
        test("a_rank_reads_alone_while_others_wait_in_a_barrier", SharedFileCases::readAlone),
        test("independent_views_read_and_refuse_to_write", SharedFileCases::readIndependently),
        test("two_open_containers_serve_each_other", SharedFileCases::openTwo),
        test("another_number_of_ranks_opens_the_container_again", SharedFileCases::reopen),
        test("what_was_discarded_is_gone", SharedFileCases::discard),
        test("ranks_in_different_operations_are_refused", SharedFileCases::mismatch));
  }

  private static H5File open(Communicator world, Path path, FileAccess access) {
    return Connectors.open(CONNECTOR, path, access, world, FileOptions.standard());
  }

  private static void mergePieces(Communicator world, Path path) {
    int ranks = world.size();
    int rank = world.rank();
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      for (DatasetSpec spec :
          List.of(
              DatasetSpec.of(Datatype.I32, Shape.of(40, 40))
                  .chunked(7, 9)
                  .filters(Filters.deflate(1)),
              DatasetSpec.of(Datatype.I32, Shape.of(40, 40)).sparse(7, 9))) {
        Dataset dataset = file.createDataset("/" + spec.storage(), spec);
        // Each rank writes every n-th column, so each tile has elements of all ranks.
        for (long column = rank; column < 40; column += ranks) {
          int at = (int) column;
          dataset.write(
              Selection.at(0, column).extent(40, 1),
              IntStream.range(0, 40).map(i -> 100 * i + at).toArray());
        }
        if (40 % ranks > 0 && rank >= 40 % ranks) {
          // The other ranks write one more column.
          dataset.write(Selection.none(), new int[0]);
        }
        int[] all = dataset.readInts(Selection.all());
        for (int i = 0; i < all.length; i++) {
          Expect.equal(100 * (i / 40) + i % 40, all[i], spec.storage() + " at " + i);
        }
        // All ranks write the same element: the highest one wins.
        dataset.write(Selection.at(3, 3).extent(1, 1), new int[] {-rank});
        Expect.equal(
            1 - ranks, dataset.readInts(Selection.at(3, 3).extent(1, 1))[0], "the highest rank");
      }
    }
  }

  private static void replaceTexts(Communicator world, Path path) {
    int ranks = world.size();
    int rank = world.rank();
    DatasetSpec spec =
        DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(3L * ranks));
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Dataset dataset = file.createDataset("/texts", spec.chunked(3L * ranks));
      for (int round = 0; round < 3; round++) {
        String[] texts = {"a" + rank, "b".repeat(round * 1000), "c" + round};
        dataset.write(Selection.at(rank).stride(ranks).count(3), texts);
        file.flush();
        List<String> read = dataset.readStrings(Selection.all());
        for (int i = 0; i < ranks; i++) {
          Expect.equal("a" + i, read.get(i), "text");
          Expect.equal(round * 1000, read.get(ranks + i).length(), "length");
          Expect.equal("c" + round, read.get(2 * ranks + i), "text");
        }
      }
      dataset.write(Selection.at(0).extent(1), new String[] {"of rank " + rank + " ".repeat(rank)});
      Expect.equal(
          "of rank " + (ranks - 1) + " ".repeat(ranks - 1),
          dataset.readStrings(Selection.at(0).extent(1)).getFirst(),
          "the highest rank");
    }
  }

  /** Each rank writes more than one round holds, except the last one, which writes one row. */
  private static void writeLarge(Communicator world, Path path) {
    int rank = world.rank();
    int ranks = world.size();
    int width = 8192;
    int height = 6144;
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Dataset dataset =
          file.createDataset(
              "/d", DatasetSpec.of(Datatype.I8, Shape.of(height, width)).chunked(100, 1000));
      boolean isLast = ranks > 1 && rank == ranks - 1;
      // The rows of the ranks alternate; the last rank overwrites one row of rank 0.
      int rows = isLast ? 1 : (height - rank + ranks - 1) / ranks;
      byte[] values = new byte[rows * width];
      Arrays.fill(values, (byte) (rank + 1));
      dataset.write(
          isLast
              ? Selection.at(0, 0).extent(1, width)
              : Selection.at(rank, 0).stride(ranks, 1).count(rows, width),
          values);
      byte[] read = dataset.readBytes(Selection.all());
      for (int row = 0; row < height; row++) {
        int writer = row == 0 && ranks > 1 ? ranks - 1 : row % ranks;
        byte expected = (byte) (writer == ranks - 1 && ranks > 1 && row > 0 ? 0 : writer + 1);
        for (int column = 0; column < width; column++) {
          if (read[row * width + column] != expected) {
            Expect.equal(expected, read[row * width + column], "at " + row + ", " + column);
          }
        }
      }
    }
  }

  private static void remove(Communicator world, Path path) {
    int ranks = world.size();
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      DatasetSpec spec =
          DatasetSpec.of(
              VariableLength.string(CharacterSet.UTF8), Shape.of(6L * ranks).unlimited(0));
      for (String name : List.of("/kept", "/flushed", "/open")) {
        Dataset dataset = file.createDataset(name, spec.chunked(4));
        String[] texts = new String[6];
        Arrays.fill(texts, "text of rank " + world.rank());
        dataset.write(Selection.at(world.rank()).stride(ranks).count(6), texts);
        dataset.setAttribute(Attribute.of("last", name));
        if (!name.equals("/open")) {
          file.flush();
        }
      }
      file.dataset("/kept").extendTo(3);
      file.dataset("/open").extendTo(5);
      file.unlink("/open");
      file.unlink("/flushed");
      List<String> texts = file.dataset("/kept").readStrings(Selection.all());
      Expect.equal(3, texts.size(), "texts");
      Expect.equal("text of rank " + 2 % ranks, texts.get(2), "text");
      Expect.equal(1, file.root().links().size(), "links");
    }
  }

  private static void failOnOneRank(Communicator world, Path path) {
    int last = world.size() - 1;
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Dataset dataset =
          file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(10)).chunked(4));
      dataset.write(Selection.all(), IntStream.range(0, 10).toArray());
      Selection outside =
          world.rank() == last ? Selection.at(9).extent(2) : Selection.at(0).extent(2);
      var e =
          Expect.thrown(
              CollectiveException.class,
              () -> dataset.write(outside, new int[] {-1, -1}),
              "a selection outside the extent");
      Expect.equal(List.of(last), e.failingRanks(), "failed ranks");
      var read =
          Expect.thrown(
              CollectiveException.class, () -> dataset.readInts(outside), "a read outside");
      Expect.equal(List.of(last), read.failingRanks(), "failed ranks");
      Expect.equal(0, dataset.readInts(Selection.at(0).extent(1))[0], "not changed");
      var taken =
          Expect.thrown(
              CollectiveException.class, () -> file.createGroup("/d/g"), "a group in a dataset");
      Expect.that(taken.getCause() instanceof NoSuchObjectException, String.valueOf(taken));
      Expect.that(file.root().links().size() == 1, "links");
      file.createGroup("/later");
    }
  }

  private static void differ(Communicator world, Path path) {
    int rank = world.rank();
    if (world.size() == 1) {
      open(world, path, FileAccess.CREATE).close();
      return;
    }
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Dataset dataset =
          file.createDataset(
              "/d", DatasetSpec.of(Datatype.I32, Shape.of(4).unlimited(0)).chunked(4));
      List<Expect.Action> actions =
          List.of(
              () -> file.createGroup("/g" + rank),
              () -> file.createSoftLink("/l", "/target" + rank),
              () -> file.root().setAttribute(Attribute.of("a", rank)),
              () -> file.createDataset("/e", DatasetSpec.of(Datatype.I32, Shape.of(1 + rank))),
              () -> dataset.extendTo(5 + rank),
              () -> file.object("/o" + rank));
      for (Expect.Action action : actions) {
        var e = Expect.thrown(CollectiveException.class, action, "different arguments");
        Expect.that(String.valueOf(e.getMessage()).contains("rank"), String.valueOf(e));
      }
      Expect.equal(1, file.root().links().size(), "links");
      Expect.equal(Shape.of(4).unlimited(0), dataset.shape(), "shape");
    }
    Path other = path.resolveSibling("other" + rank);
    Expect.thrown(
        CollectiveException.class, () -> open(world, other, FileAccess.CREATE), "different paths");
  }

  private static void missObjects(Communicator world, Path path) {
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Expect.thrown(NoSuchObjectException.class, () -> file.object("/none"), "an object");
      Expect.thrown(CollectiveException.class, () -> file.unlink("/none"), "a link");
      Expect.thrown(
          CollectiveException.class, () -> file.root().deleteAttribute("none"), "an attribute");
    }
    Path none = path.resolveSibling("none");
    var e =
        Expect.thrown(
            CollectiveException.class, () -> open(world, none, FileAccess.READ), "a container");
    Expect.that(String.valueOf(e.getMessage()).contains("none"), String.valueOf(e));
  }

  private static void readAlone(Communicator world, Path path) {
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      file.createGroup("/g").setAttribute(Attribute.of("number", 7L));
      for (int reader = 0; reader < world.size(); reader++) {
        if (world.rank() == reader) {
          Expect.equal(1, file.root().links().size(), "links");
          Expect.equal(7L, file.group("/g").attribute("number").orElseThrow().longs()[0], "value");
        } else {
          var unused = file.group("/g");
        }
        world.barrier();
      }
    }
  }

  private static void readIndependently(Communicator world, Path path) {
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Dataset dataset =
          file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(8)).sparse(3));
      dataset.write(Selection.at(world.rank()).extent(1), new int[] {world.rank()});
      Dataset view = dataset.independent();
      if (world.rank() == world.size() - 1) {
        int[] read = view.readInts(Selection.at(0).extent(world.size()));
        Expect.equal(
            Arrays.toString(IntStream.range(0, world.size()).toArray()),
            Arrays.toString(read),
            "values");
        Expect.equal(
            (long) world.size(), view.defined(Selection.all()).count(view.shape()), "defined");
        if (world.size() > 1) {
          Expect.thrown(
              IllegalStateException.class, () -> view.write(Selection.all(), new int[8]), "write");
        }
      }
      world.barrier();
    }
  }

  private static void openTwo(Communicator world, Path path) {
    Path second = path.resolveSibling("second");
    try (H5File one = open(world, path, FileAccess.CREATE);
        H5File two = open(world, second, FileAccess.CREATE)) {
      for (H5File file : List.of(one, two)) {
        for (int i = 0; i < 5; i++) {
          file.createGroup("/g" + i).setAttribute(Attribute.of("i", (long) i));
        }
      }
      // The ranks read alone, from both files in different orders.
      List<H5File> files = world.rank() % 2 == 0 ? List.of(one, two) : List.of(two, one);
      for (H5File file : files) {
        for (var link : file.root().links()) {
          Expect.that(link.name().startsWith("g"), "a link of " + file.path());
        }
        Expect.equal(0, file.root().attributes().size(), "attributes");
      }
      world.barrier();
    }
  }

  private static void reopen(Communicator world, Path path) {
    int ranks = world.size();
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Dataset dataset =
          file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(100)).chunked(9));
      dataset.write(
          Selection.at(world.rank()).stride(ranks).count((100 - world.rank() + ranks - 1) / ranks),
          IntStream.range(0, 100).filter(i -> i % ranks == world.rank()).toArray());
      file.createDataset(
              "/t", DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(ranks)))
          .write(Selection.at(world.rank()).extent(1), new String[] {"rank " + world.rank()});
    }
    if (world.rank() == 0) {
      try (H5File file = open(Communicator.self(), path, FileAccess.WRITE)) {
        int[] read = file.dataset("/d").readInts(Selection.all());
        Expect.equal(
            Arrays.toString(IntStream.range(0, 100).toArray()), Arrays.toString(read), "values");
        Expect.equal("rank 0", file.dataset("/t").readStrings(Selection.all()).getFirst(), "text");
        file.createGroup("/alone");
        file.dataset("/t").write(Selection.at(0).extent(1), new String[] {"alone"});
      }
    }
    world.barrier();
    try (H5File file = open(world, path, FileAccess.WRITE)) {
      Expect.equal(3, file.root().links().size(), "links");
      Expect.equal("alone", file.dataset("/t").readStrings(Selection.all()).getFirst(), "text");
    }
  }

  private static void discard(Communicator world, Path path) {
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      file.createGroup("/kept");
      file.flush();
      file.createDataset("/lost", DatasetSpec.of(Datatype.I32, Shape.of(4)))
          .write(Selection.at(world.rank() % 4).extent(1), new int[] {1});
      file.discard();
    }
    try (H5File file = open(world, path, FileAccess.READ)) {
      Expect.equal(1, file.root().links().size(), "links");
    }
  }

  private static void mismatch(Communicator world, Path path) {
    if (world.size() == 1) {
      open(world, path, FileAccess.CREATE).close();
      return;
    }
    try (H5File file = open(world, path, FileAccess.CREATE)) {
      Expect.thrown(
          CollectiveException.class,
          () -> {
            if (world.rank() == 0) {
              file.createGroup("/g");
            } else {
              file.flush();
            }
          },
          "different operations");
      Expect.equal(0, file.root().links().size(), "links");
      file.createGroup("/g");
    }
  }
}
