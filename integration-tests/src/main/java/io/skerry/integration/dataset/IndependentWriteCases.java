package io.skerry.integration.dataset;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Cases of independent writes on several ranks: their effect, compared with a plain array, and
 * their refusal.
 */
public final class IndependentWriteCases implements RankedCases {
  private static final int ROWS = 23;
  private static final int COLUMNS = 37;
  private static final int ROUNDS = 6;
  private static final Selection ALL = Selection.at(0, 0).extent(ROWS, COLUMNS);

  /** Kinds of storage in which each element has a fixed position in the file. */
  private static final Map<String, DatasetSpec> PLACED = placed();

  private static Map<String, DatasetSpec> placed() {
    Shape fixed = Shape.of(ROWS, COLUMNS);
    Map<String, DatasetSpec> specs = new LinkedHashMap<>();
    specs.put("contiguous", DatasetSpec.of(Datatype.I32, fixed).contiguous());
    specs.put("one_chunk", DatasetSpec.of(Datatype.I32, fixed).chunked(ROWS, COLUMNS));
    specs.put("fixed_array", DatasetSpec.of(Datatype.I32, fixed).chunked(4, 8));
    specs.put(
        "implicit",
        DatasetSpec.of(Datatype.I32, fixed).chunked(4, 8).allocation(DatasetSpec.Allocation.EARLY));
    specs.put("extensible_array", DatasetSpec.of(Datatype.I32, fixed.unlimited(0)).chunked(4, 8));
    specs.put(
        "b_tree", DatasetSpec.of(Datatype.I16, fixed.unlimited(0).unlimited(1)).chunked(4, 8));
    return specs;
  }

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "what_each_rank_wrote_for_itself_all_read_after_a_flush",
            IndependentWriteCases::elements),
        new RankedCase(
            "a_write_beside_one_that_flushed_first_is_refused",
            IndependentWriteCases::flushedFirst),
        new RankedCase(
            "a_write_beside_chunks_that_were_replaced_is_refused", IndependentWriteCases::replaced),
        new RankedCase(
            "writes_of_other_elements_beside_a_collective_one_are_refused_or_kept",
            IndependentWriteCases::meanwhile),
        new RankedCase(
            "what_has_no_fixed_place_is_refused_and_nothing_is_written",
            IndependentWriteCases::refusals));
  }

  private static void elements(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      for (Map.Entry<String, DatasetSpec> spec : PLACED.entrySet()) {
        Path path = folder.file(spec.getKey() + ".h5");
        int[] model = new int[ROWS * COLUMNS];
        try (H5File file = H5File.create(path, world)) {
          Dataset data = file.createDataset("/d", spec.getValue());
          Arrays.fill(model, 7);
          data.write(
              world.rank() == 0 ? ALL : Selection.none(), world.rank() == 0 ? model : new int[0]);
          file.flush();
          rounds(new SplittableRandom(spec.getKey().hashCode()), world, file, data, model);
        }
        try (H5File file = H5File.open(path, world)) {
          Expect.equal(
              Arrays.toString(model),
              Arrays.toString(file.dataset("/d").readInts(ALL)),
              path.toString());
        }
        world.barrier();
      }
    }
  }

  private static void rounds(
      SplittableRandom random, Communicator world, H5File file, Dataset data, int[] model) {
    Dataset alone = data.independent();
    for (int round = 0; round < ROUNDS; round++) {
      // Ranks now hold copies of elements that other ranks overwrite next.
      Expect.equal(Arrays.toString(model), Arrays.toString(alone.readInts(ALL)), "before " + round);
      world.barrier();
      // All ranks draw the same numbers, so that each rank knows what the others write.
      for (int row = 0; row < ROWS; row++) {
        int from = random.nextInt(COLUMNS);
        int count = 1 + random.nextInt(COLUMNS - from);
        int value = random.nextInt(30_000);
        boolean written = random.nextBoolean();
        if (written) {
          Arrays.fill(model, row * COLUMNS + from, row * COLUMNS + from + count, value);
        }
        if (written && row % world.size() == world.rank()) {
          int[] values = new int[count];
          Arrays.fill(values, value);
          Selection part = Selection.at(row, from).extent(1, count);
          alone.write(part, values);
          Expect.equal(
              Arrays.toString(values), Arrays.toString(alone.readInts(part)), "own row " + row);
        }
      }
      file.flush();
      Expect.equal(Arrays.toString(model), Arrays.toString(alone.readInts(ALL)), "alone " + round);
      Expect.equal(Arrays.toString(model), Arrays.toString(data.readInts(ALL)), "all " + round);
      if (round % 2 == 1) {
        // A collective write of a part; after the flush, all elements are at their final positions.
        Arrays.fill(model, 0, COLUMNS, round);
        Selection first = Selection.at(0, 0).extent(1, COLUMNS);
        int[] values = Arrays.copyOf(model, COLUMNS);
        data.write(
            world.rank() == 0 ? first : Selection.none(), world.rank() == 0 ? values : new int[0]);
        file.flush();
      }
    }
  }

  private static final DatasetSpec PLAIN =
      DatasetSpec.of(Datatype.I32, Shape.of(8, 8)).chunked(8, 8);
  private static final Selection BOX = Selection.at(0, 0).extent(8, 8);

  /** Writes parts of one chunk on two ranks; the chunk owner holds them until the flush. */
  private static void writeShared(Dataset data, Communicator world, int value) {
    int[] row = new int[8];
    Arrays.fill(row, value);
    boolean mine = world.rank() < 2;
    Selection part = Selection.at(world.rank() % 2, 0).extent(1, 8);
    data.write(mine ? part : Selection.none(), mine ? row : new int[0]);
  }

  private static void flushedFirst(Communicator world) throws IOException {
    if (world.size() == 1) {
      return;
    }
    try (SharedFolder folder = SharedFolder.create(world)) {
      FileOptions options = FileOptions.standard().withDirtyLimit(300);
      try (H5File file = H5File.create(folder.file("first.h5"), world, options)) {
        Dataset data = file.createDataset("/d", PLAIN);
        Dataset other = file.createDataset("/other", PLAIN);
        for (int round = 0; round < 4; round++) {
          writeShared(data, world, round);
          writeShared(other, world, round);
          refused(data, BOX, "not flushed");
          refused(other, BOX, "not flushed");
        }
      }
      world.barrier();
    }
  }

  private static void replaced(Communicator world) throws IOException {
    if (world.size() == 1) {
      return;
    }
    try (SharedFolder folder = SharedFolder.create(world)) {
      try (H5File file = H5File.create(folder.file("replaced.h5"), world)) {
        Dataset data = file.createDataset("/d", PLAIN);
        writeShared(data, world, 1);
        file.flush();
        var image = data.chunks().image(0, 0).orElseThrow();
        world.barrier();
        data.writeChunks(world.rank() == 0 ? Map.of(List.of(0L, 0L), image) : Map.of());
        refused(data, BOX, "not flushed");
      }
      world.barrier();
    }
  }

  private static void meanwhile(Communicator world) throws IOException {
    if (world.size() == 1) {
      return;
    }
    try (SharedFolder folder = SharedFolder.create(world)) {
      try (H5File file = H5File.create(folder.file("meanwhile.h5"), world)) {
        Dataset data = file.createDataset("/d", PLAIN);
        data.write(world.rank() == 0 ? BOX : Selection.none(), new int[world.rank() == 0 ? 64 : 0]);
        file.flush();
        for (int round = 1; round <= 60; round++) {
          int value = round;
          // Elements that only this rank writes, outside of the collective writes.
          Selection own = Selection.at(2 + world.rank() % 6, 0).extent(1, 8);
          int[] row = new int[8];
          Arrays.fill(row, value);
          boolean writes = world.rank() < 6;
          AtomicBoolean done = new AtomicBoolean();
          Thread thread =
              Thread.ofPlatform().start(() -> done.set(writes && isWritten(data, own, row)));
          writeShared(data, world, value);
          join(thread);
          file.flush();
          if (done.get()) {
            Expect.equal(
                Arrays.toString(row), Arrays.toString(data.independent().readInts(own)), "kept");
          }
          world.barrier();
        }
      }
      world.barrier();
    }
  }

  private static boolean isWritten(Dataset data, Selection own, int[] row) {
    try {
      data.independent().write(own, row);
      return true;
    } catch (IllegalStateException e) {
      Expect.that(String.valueOf(e.getMessage()).contains("not flushed"), e.toString());
      return false;
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void refusals(Communicator world) throws IOException {
    if (world.size() == 1) {
      return;
    }
    DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(8, 8));
    Map<String, DatasetSpec> specs = new LinkedHashMap<>();
    specs.put("/sparse", plain.sparse(4, 4));
    specs.put("/filtered", plain.chunked(4, 4).filters(Filters.deflate(1)));
    specs.put("/absent", plain.chunked(4, 4));
    specs.put("/no_space", plain.contiguous());
    specs.put("/compact", plain.compact());
    try (SharedFolder folder = SharedFolder.create(world)) {
      try (H5File file = H5File.create(folder.file("refused.h5"), world)) {
        specs.forEach(file::createDataset);
        Dataset stored = file.createDataset("/stored", plain.chunked(4, 4));
        int[] ones = new int[64];
        Arrays.fill(ones, 1);
        Selection all = Selection.at(0, 0).extent(8, 8);
        int[] none = new int[0];
        for (String name : List.of("/sparse", "/filtered", "/stored")) {
          boolean first = world.rank() == 0;
          file.dataset(name).write(first ? all : Selection.none(), first ? ones : none);
        }
        refused(stored, all, "not flushed");
        file.flush();
        refused(file.dataset("/sparse"), all, "size depends");
        refused(file.dataset("/filtered"), all, "size depends");
        refused(file.dataset("/absent"), all, "not stored yet");
        refused(file.dataset("/no_space"), all, "no space yet");
        refused(file.dataset("/compact"), all, "compact dataset");
        Expect.thrown(
            IllegalStateException.class,
            () -> file.dataset("/sparse").independent().erase(all),
            "erase");
        file.flush();
        for (String name : List.of("/sparse", "/filtered", "/stored")) {
          Expect.equal(
              Arrays.toString(ones), Arrays.toString(file.dataset(name).readInts(all)), name);
        }
      }
      FileOptions byFlush =
          FileOptions.standard().withOverwriting(FileOptions.Overwriting.BY_FLUSH);
      try (H5File file = H5File.openForWriting(folder.file("refused.h5"), world, byFlush)) {
        refused(file.dataset("/stored"), Selection.at(0, 0).extent(8, 8), "by a flush");
      }
      world.barrier();
    }
  }

  private static void refused(Dataset dataset, Selection all, String why) {
    IllegalStateException refusal =
        Expect.thrown(
            IllegalStateException.class,
            () -> dataset.independent().write(all, new int[64]),
            dataset.path());
    String message = String.valueOf(refusal.getMessage());
    Expect.that(message.contains(why), message);
    Expect.that(message.contains("Dataset.write"), message);
    Expect.that(message.contains(dataset.path()), message);
  }
}
