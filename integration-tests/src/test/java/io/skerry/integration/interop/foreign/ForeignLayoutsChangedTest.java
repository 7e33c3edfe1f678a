package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applies the same changes with h5py and with several ranks to files of h5py with all chunk
 * indexes: chunks are written and rewritten, and extents grow and shrink.
 */
class ForeignLayoutsChangedTest {
  private static final List<Oracle> H5PY = Oracle.h5py();
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");
  private static final int DATASETS = THOROUGH ? 120 : 40;
  private static final int CHANGES = THOROUGH ? 250 : 80;

  private static final List<String> BOUNDS =
      List.of("earliest v108", "v108 v108", "v110 v110", "latest latest");

  /** True (with {@code -Pslow}) to create each kind of file with each h5py instead of one. */
  private static final boolean EACH_PAIR = Boolean.getBoolean("skerry.each.h5py");

  @TempDir Path folder;

  /** A change of a dataset: a write of one value to a box, or, without a box, a new extent. */
  private record Change(String name, long[] from, long[] size, int value) {
    boolean isWrite() {
      return from.length > 0;
    }

    String line() {
      return isWrite()
          ? "write " + name + " " + text(from) + " " + text(size) + " " + value
          : "resize " + name + " " + text(size);
    }

    private static String text(long[] numbers) {
      return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
    }
  }

  @Test
  void the_same_changes_by_skerry_and_by_h5py_give_the_same_content() throws IOException {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    int seed = Integer.getInteger("skerry.trial.seed", 100);
    for (int h5py = 0; h5py < H5PY.size(); h5py++) {
      for (int bounds = 0; bounds < BOUNDS.size(); bounds++) {
        for (int ranks : seed % 4 == 0 ? new int[] {1, 7} : new int[] {3}) {
          if (EACH_PAIR || bounds % H5PY.size() == h5py) {
            check(H5PY.get(h5py), BOUNDS.get(bounds).split(" "), ranks, seed);
          }
          seed++;
        }
      }
    }
  }

  private void check(Oracle h5py, String[] bound, int ranks, int seed) throws IOException {
    String name = h5py.hdf5() + "-" + bound[0] + "-" + ranks;
    Path theirs = folder.resolve(name + "-theirs.h5");
    Path ours = folder.resolve(name + "-ours.h5");
    h5py.script(folder, "layouts.py", theirs, bound[0], bound[1], seed, DATASETS).expectSuccess();
    Files.copy(theirs, ours, StandardCopyOption.REPLACE_EXISTING);
    TreeSet<String> indexes = new TreeSet<>();
    List<Change> changes = changes(ours, new SplittableRandom(seed), indexes);
    Path list = folder.resolve(name + ".txt");
    Files.write(list, changes.stream().map(Change::line).toList());
    h5py.script(folder, "change.py", theirs, bound[0], bound[1], list).expectSuccess();
    LocalRanks.run(ranks, world -> apply(ours, changes, world));
    String expected = show(h5py, theirs, bound);
    for (Oracle reader : H5PY) {
      boolean newer = bound[1].equals("latest") && !reader.equals(h5py);
      if (!newer || reader.hdf5().compareTo(h5py.hdf5()) >= 0) {
        compare(expected, show(reader, ours, bound), changes, name + " seed " + seed);
      }
    }
    // HDF5 must be able to change the files that Skerry wrote.
    h5py.script(folder, "change.py", ours, bound[0], bound[1], list).expectSuccess();
    h5py.script(folder, "change.py", theirs, bound[0], bound[1], list).expectSuccess();
    compare(show(h5py, theirs, bound), show(h5py, ours, bound), changes, name + " seed " + seed);
    System.out.println(name + ": " + changes.size() + " changes of " + indexes);
    assertTrue(Files.size(ours) < 4 * Files.size(theirs) + 100_000, "size " + Files.size(ours));
  }

  private static void compare(String theirs, String ours, List<Change> changes, String where) {
    List<String> expected = theirs.lines().toList();
    List<String> actual = ours.lines().toList();
    assertEquals(expected.size(), actual.size(), where);
    for (int i = 0; i < expected.size(); i++) {
      String dataset = expected.get(i).split("\t")[0];
      String said =
          changes.stream()
              .filter(change -> change.name().equals(dataset))
              .map(Change::line)
              .collect(Collectors.joining("\n", where + "\n", ""));
      assertEquals(expected.get(i), actual.get(i), said);
    }
  }

  private String show(Oracle h5py, Path file, String[] bound) {
    return h5py.script(folder, "change.py", file, bound[0], bound[1]).expectSuccess().out();
  }

  /** Draws random changes of the chunked datasets. */
  private static List<Change> changes(Path path, RandomGenerator random, TreeSet<String> indexes) {
    List<Change> changes = new ArrayList<>();
    try (H5File file = H5File.open(path)) {
      List<String> names = new ArrayList<>();
      List<Shape> shapes = new ArrayList<>();
      List<Integer> least = new ArrayList<>();
      for (int i = 0; i < DATASETS; i++) {
        String name = "g%d/h%d/d%d".formatted(i / 64, i / 8 % 8, i % 8);
        Dataset dataset = file.dataset(name);
        if (dataset.storage().layout().equals("chunked")) {
          names.add(name);
          shapes.add(dataset.shape());
          indexes.add(dataset.storage().index());
          // HDF5 up to 2.0.0 frees a single chunk if the extent is empty, but keeps its address.
          least.add(dataset.storage().index().equals("Single") ? 1 : 0);
        }
      }
      for (int i = 0; i < CHANGES; i++) {
        int at = random.nextInt(names.size());
        Change change = change(names.get(at), shapes.get(at), least.get(at), random);
        changes.add(change);
        if (!change.isWrite()) {
          shapes.set(at, shapes.get(at).withExtent(change.size()));
        }
      }
    }
    return changes;
  }

  private static Change change(String name, Shape shape, int least, RandomGenerator random) {
    int rank = shape.rank();
    boolean empty = shape.elements() == 0;
    long[] from = new long[rank];
    long[] size = new long[rank];
    if (empty || random.nextInt(3) == 0) {
      for (int d = 0; d < rank; d++) {
        long now = shape.extent(d);
        long most = shape.maximum(d) == Shape.UNLIMITED ? now + 12 : shape.maximum(d);
        long smaller = Math.max(least, random.nextLong(now + 1));
        size[d] = random.nextInt(3) == 0 ? smaller : now + random.nextLong(most - now + 1);
      }
      return new Change(name, new long[0], size, 0);
    }
    for (int d = 0; d < rank; d++) {
      from[d] = random.nextLong(shape.extent(d));
      size[d] = 1 + random.nextLong(shape.extent(d) - from[d]);
    }
    return new Change(name, from, size, random.nextInt(1000));
  }

  /** Applies the changes; the rows of each box are distributed over the ranks. Collective. */
  private static void apply(Path path, List<Change> changes, Communicator world) {
    for (int part = 0; part < 2; part++) {
      int half = changes.size() / 2;
      try (H5File file = H5File.openForWriting(path, world)) {
        for (Change change : changes.subList(part * half, part == 0 ? half : changes.size())) {
          Dataset dataset = file.dataset(change.name());
          if (change.isWrite()) {
            write(dataset, change, world);
          } else {
            dataset.extendTo(change.size());
          }
          if (change.value() % 20 == 1) {
            file.flush();
          }
        }
      }
    }
  }

  private static void write(Dataset dataset, Change change, Communicator world) {
    long rows = change.size()[0];
    long first = rows * world.rank() / world.size();
    long end = rows * (world.rank() + 1) / world.size();
    long[] start = change.from().clone();
    long[] stop = start.clone();
    Arrays.setAll(stop, d -> start[d] + change.size()[d]);
    stop[0] = start[0] + end;
    start[0] += first;
    if (first == end) {
      dataset.write(Selection.none(), new int[0]);
      return;
    }
    Box box = new Box(start, stop);
    int count = 1;
    for (int d = 0; d < start.length; d++) {
      count *= (int) (stop[d] - start[d]);
    }
    int[] values = new int[count];
    Arrays.fill(values, change.value());
    dataset.write(Selection.blocks(List.of(box)), values);
  }
}
