package io.skerry.iod.connector;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * A random program on one dataset. All ranks draw the same numbers, so each knows the selections of
 * the others, and has the whole model.
 */
final class SharedProgram {
  private static final int STEPS = 40;
  private static final int MOST = 30;

  private final Communicator world;
  private final Path path;
  private final Random random;
  private final IodConnector connector;
  private final boolean isSparse;
  private H5File file;
  private Dataset dataset;

  /** The elements of the model, 0 if undefined; larger than any extent. */
  private final int[][] values = new int[MOST][MOST];

  private final boolean[][] defined = new boolean[MOST][MOST];
  private int rows = 20;
  private int columns = 20;

  /** A box of elements. */
  private record Part(int row, int column, int height, int width) {
    boolean isEmpty() {
      return height == 0 || width == 0;
    }

    Selection selection() {
      return isEmpty() ? Selection.none() : Selection.at(row, column).extent(height, width);
    }
  }

  private SharedProgram(Communicator world, Path path, long seed) {
    this.world = world;
    this.path = path;
    this.random = new Random(seed);
    int shards = 1 + random.nextInt(5);
    this.connector =
        new IodConnector(
            new ContainerSettings(shards, ChecksumLevel.ALL, EngineOptions.DEFAULT)
                .withIoRanks(random.nextInt(4)));
    this.isSparse = random.nextBoolean();
    this.file = open(FileAccess.CREATE, world);
    this.dataset = file.createDataset("/d", spec());
  }

  private void define(int row, int column, int value) {
    values[row][column] = value;
    defined[row][column] = true;
  }

  private void undefine(int row, int column) {
    values[row][column] = 0;
    defined[row][column] = false;
  }

  private DatasetSpec spec() {
    DatasetSpec spec =
        DatasetSpec.of(Datatype.I32, Shape.of(rows, columns).unlimited(0).unlimited(1));
    int height = 1 + random.nextInt(9);
    int width = 1 + random.nextInt(9);
    DatasetSpec tiled = isSparse ? spec.sparse(height, width) : spec.chunked(height, width);
    return random.nextBoolean() ? tiled.filters(Filters.deflate(1)) : tiled;
  }

  private H5File open(FileAccess access, Communicator ranks) {
    return Connectors.open(connector, path, access, ranks, FileOptions.standard());
  }

  /** Runs the program of a seed. Collective. */
  static void run(Communicator world, long seed) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      SharedProgram program = new SharedProgram(world, folder.file("run"), seed);
      for (int step = 0; step < STEPS; step++) {
        program.step("seed " + seed + " step " + step);
      }
      program.file.close();
      if (world.rank() == 0) {
        VerifyingConnector.verify(folder.file("run"));
        program.readOnOneRank();
      }
      world.barrier();
    }
  }

  private void step(String where) {
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> write();
      case 4 -> erase();
      case 5 -> resize();
      case 6 -> reopen();
      default -> compare(where);
    }
  }

  private Part part() {
    if (random.nextInt(5) == 0 || rows == 0 || columns == 0) {
      return new Part(0, 0, 0, 0);
    }
    int row = random.nextInt(rows);
    int column = random.nextInt(columns);
    return new Part(
        row, column, 1 + random.nextInt(rows - row), 1 + random.nextInt(columns - column));
  }

  private void write() {
    Part mine = new Part(0, 0, 0, 0);
    int[] own = {};
    for (int rank = 0; rank < world.size(); rank++) {
      Part part = part();
      int base = random.nextInt(1_000_000);
      int[] written = new int[part.height * part.width];
      for (int i = 0; i < written.length; i++) {
        written[i] = base + i;
        // The highest rank wins.
        define(part.row + i / part.width, part.column + i % part.width, base + i);
      }
      if (rank == world.rank()) {
        mine = part;
        own = written;
      }
    }
    dataset.write(mine.selection(), own);
  }

  private void erase() {
    Part mine = new Part(0, 0, 0, 0);
    for (int rank = 0; rank < world.size(); rank++) {
      Part part = part();
      if (isSparse) {
        for (int i = 0; i < part.height; i++) {
          for (int j = 0; j < part.width; j++) {
            undefine(part.row + i, part.column + j);
          }
        }
      }
      mine = rank == world.rank() ? part : mine;
    }
    if (isSparse) {
      dataset.erase(mine.selection());
    }
  }

  private void resize() {
    rows = random.nextInt(MOST);
    columns = random.nextInt(MOST);
    for (int i = 0; i < MOST; i++) {
      for (int j = 0; j < MOST; j++) {
        if (i >= rows || j >= columns) {
          undefine(i, j);
        }
      }
    }
    dataset.extendTo(rows, columns);
  }

  private void reopen() {
    if (random.nextBoolean()) {
      file.flush();
      return;
    }
    file.close();
    file = open(FileAccess.WRITE, world);
    dataset = file.dataset("/d");
  }

  private void compare(String where) {
    Part mine = new Part(0, 0, 0, 0);
    for (int rank = 0; rank < world.size(); rank++) {
      Part part = part();
      mine = rank == world.rank() ? part : mine;
    }
    int[] read = dataset.readInts(mine.selection());
    Selection found = dataset.defined(mine.selection());
    long expected = 0;
    for (int i = 0; i < read.length; i++) {
      int row = mine.row + i / mine.width;
      int column = mine.column + i % mine.width;
      expected += defined[row][column] || !isSparse ? 1 : 0;
      Expect.equal(values[row][column], read[i], where + " rank " + world.rank() + " at " + i);
    }
    Expect.equal(expected, found.count(dataset.shape()), where + " defined elements");
  }

  private void readOnOneRank() {
    try (H5File alone = open(FileAccess.READ, Communicator.self())) {
      Dataset found = alone.dataset("/d");
      Expect.equal((long) rows, found.shape().extent(0), "rows");
      int[] read = rows == 0 || columns == 0 ? new int[0] : found.readInts(Selection.all());
      for (int i = 0; i < read.length; i++) {
        Expect.equal(values[i / columns][i % columns], read[i], "on one rank at " + i);
      }
    }
  }
}
