package io.skerry.integration.interop.virtual;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Cases of collective reads of virtual datasets whose sources need no decoding: unfiltered chunks,
 * one block of the file, or the object header.
 */
public final class PlainSourceCases implements RankedCases {
  private static final int SOURCES = 4;
  private static final int ROWS = 24;
  private static final int WIDTH = 3000;
  private static final Shape SHAPE = Shape.of(SOURCES * ROWS, WIDTH);

  /** The ways in which the elements of a source are stored. */
  private enum Form {
    /** Rows of a chunk are further apart than the bytes that are read together. */
    WIDE_CHUNKS,
    NARROW_CHUNKS,
    ONE_BLOCK;

    String virtual() {
      return "over_" + this;
    }

    DatasetSpec spec(int source) {
      DatasetSpec spec =
          DatasetSpec.of(source % 2 == 0 ? Datatype.I32 : Datatype.I64, Shape.of(ROWS, WIDTH));
      return switch (this) {
        case WIDE_CHUNKS -> spec.chunked(7, 2900);
        case NARROW_CHUNKS -> spec.chunked(5, 64);
        case ONE_BLOCK -> spec;
      };
    }
  }

  @Override
  public List<RankedCase> cases() {
    return List.of(
        of("elements_are_not_exchanged_if_all_ranks_want_all", PlainSourceCases::everything),
        of("elements_are_not_exchanged_if_the_ranks_want_other_parts", PlainSourceCases::parts),
        of("elements_are_not_exchanged_below_virtual_sources", PlainSourceCases::nested),
        of("a_source_that_one_rank_cannot_read_fails_on_all_ranks", PlainSourceCases::truncated),
        of("a_source_that_one_rank_does_not_find_fails_on_all_ranks", PlainSourceCases::notFound));
  }

  /** A case that uses the files. */
  @FunctionalInterface
  private interface Body {
    void run(SharedFolder folder, Communicator world) throws IOException;
  }

  private static RankedCase of(String name, Body body) {
    LocalRanks.Body onRank =
        world -> {
          try (SharedFolder folder = SharedFolder.create(world)) {
            if (world.rank() == 0) {
              write(folder);
            }
            world.barrier();
            body.run(folder, world);
            world.barrier();
          }
        };
    return new RankedCase(name, onRank);
  }

  private static String name(Form form, int source) {
    return form + "_" + source + ".h5";
  }

  private static void write(SharedFolder folder) {
    try (H5File file = H5File.create(folder.file("all.h5"))) {
      for (Form form : Form.values()) {
        VirtualLayout.Builder layout = VirtualLayout.builder();
        for (int source = 0; source < SOURCES; source++) {
          int first = source * ROWS * WIDTH;
          int[] values = new int[ROWS * WIDTH];
          Arrays.setAll(values, i -> first + i);
          try (H5File other = H5File.create(folder.file(name(form, source)))) {
            other.createDataset("d", form.spec(source)).write(Selection.all(), values);
          }
          layout.map(
              Selection.at((long) source * ROWS, 0).extent(ROWS, WIDTH),
              VirtualSource.of(name(form, source), "/d"));
        }
        file.createDataset(
            form.virtual(), DatasetSpec.of(Datatype.I32, SHAPE).virtual(layout.build()));
      }
      VirtualLayout nested =
          VirtualLayout.builder()
              .map(Selection.all(), VirtualSource.of("all.h5", "/" + Form.WIDE_CHUNKS.virtual()))
              .build();
      file.createDataset("nested", DatasetSpec.of(Datatype.I32, SHAPE).virtual(nested));
    }
  }

  private static int[] expected(Selection selection) {
    long[] at = selection.toCoordinates(SHAPE);
    int[] values = new int[at.length / 2];
    Arrays.setAll(values, i -> (int) (at[2 * i] * WIDTH + at[2 * i + 1]));
    return values;
  }

  /** Reads elements as two types, and checks that this rank has sent none. Collective. */
  private static void compare(H5File file, Dataset dataset, Selection selection) {
    int[] expected = expected(selection);
    String what = dataset.path() + " " + selection;
    Expect.equal(-1, Arrays.mismatch(expected, dataset.readInts(selection)), what);
    Expect.equal(0L, file.lastTransfer().orElseThrow().bytesMoved(), "bytes sent of " + what);
    double[] converted = Arrays.stream(expected).asDoubleStream().toArray();
    Expect.equal(-1, Arrays.mismatch(converted, dataset.readDoubles(selection)), what);
    Expect.equal(0L, file.lastTransfer().orElseThrow().bytesMoved(), "bytes sent of " + what);
  }

  private static void everything(SharedFolder folder, Communicator world) {
    try (H5File file = H5File.open(folder.file("all.h5"), world)) {
      for (Form form : Form.values()) {
        compare(file, file.dataset(form.virtual()), Selection.all());
      }
    }
  }

  private static void parts(SharedFolder folder, Communicator world) {
    try (H5File file = H5File.open(folder.file("all.h5"), world)) {
      for (Form form : Form.values()) {
        Dataset dataset = file.dataset(form.virtual());
        for (int seed = 0; seed < 12; seed++) {
          compare(file, dataset, part(new Random(seed * 100L + world.rank())));
        }
      }
    }
  }

  /** Returns rows, columns, a strided box or points. */
  private static Selection part(Random random) {
    int row = random.nextInt(SOURCES * ROWS / 2);
    int column = random.nextInt(WIDTH / 2);
    int rows = 1 + random.nextInt(SOURCES * ROWS - row);
    int columns = 1 + random.nextInt(WIDTH - column);
    return switch (random.nextInt(5)) {
      case 0 -> Selection.at(row, 0).extent(rows, WIDTH);
      case 1 -> Selection.at(row, column).extent(rows, 1);
      case 2 -> Selection.at(row, column).extent(rows, columns);
      case 3 ->
          Selection.at(row, column)
              .stride(3, 1 + random.nextInt(1000))
              .count((rows + 2) / 3, columns < 1000 ? 1 : 2);
      default -> {
        long[][] points = new long[1 + random.nextInt(40)][];
        Arrays.setAll(
            points,
            _ -> new long[] {random.nextInt(SOURCES * ROWS), random.nextInt(5) * WIDTH / 5});
        yield Selection.points(points);
      }
    };
  }

  private static void nested(SharedFolder folder, Communicator world) {
    try (H5File file = H5File.open(folder.file("all.h5"), world)) {
      Dataset dataset = file.dataset("nested");
      compare(file, dataset, Selection.all());
      compare(file, dataset, part(new Random(world.rank())));
    }
  }

  private static void failsOnAll(Dataset dataset, String part) {
    String message =
        String.valueOf(
            Expect.thrown(
                    CollectiveException.class,
                    () -> {
                      int[] unused = dataset.readInts(Selection.all());
                    },
                    "read")
                .getMessage());
    Expect.that(message.contains(part), message);
  }

  /** Returns options with which the last rank finds sources in another folder. */
  private static FileOptions elsewhere(Communicator world, Path folder) {
    FileOptions options = FileOptions.standard();
    return world.rank() == world.size() - 1
        ? options.withVirtualPrefix(folder.toString())
        : options;
  }

  private static void truncated(SharedFolder folder, Communicator world) throws IOException {
    Path other = folder.file("elsewhere");
    if (world.rank() == 0) {
      Files.createDirectory(other);
      for (Form form : Form.values()) {
        Path copy = other.resolve(name(form, 1));
        Files.copy(folder.file(name(form, 1)), copy);
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
          channel.truncate(channel.size() / 2);
        }
      }
    }
    world.barrier();
    try (H5File file = H5File.open(folder.file("all.h5"), world, elsewhere(world, other))) {
      for (Form form : Form.values()) {
        Dataset dataset = file.dataset(form.virtual());
        failsOnAll(dataset, other.resolve(name(form, 1)).toString());
        compare(file, dataset, Selection.at(0, 0).extent(ROWS, WIDTH));
      }
    }
  }

  private static void notFound(SharedFolder folder, Communicator world) throws IOException {
    Path other = folder.file("elsewhere");
    if (world.rank() == 0) {
      Files.createDirectory(other);
      for (Form form : Form.values()) {
        // Only the last rank finds the source; it does not exist for the others.
        Files.move(folder.file(name(form, 2)), other.resolve(name(form, 2)));
      }
    }
    world.barrier();
    try (H5File file = H5File.open(folder.file("all.h5"), world, elsewhere(world, other))) {
      for (Form form : Form.values()) {
        Dataset dataset = file.dataset(form.virtual());
        if (world.size() > 1) {
          failsOnAll(dataset, name(form, 2));
          failsOnAll(dataset, "expected=MISSING as on rank 0 actual=FOUND");
        }
        compare(file, dataset, Selection.at(0, 0).extent(2 * ROWS, WIDTH));
      }
    }
  }
}
