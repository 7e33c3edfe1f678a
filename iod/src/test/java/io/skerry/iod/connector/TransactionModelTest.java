package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.Transactions;
import io.skerry.Transactions.Version;
import io.skerry.datatype.Datatype;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares transactions with a plain model, whose versions are maps, in random programs. */
class TransactionModelTest {
  private static final int STEPS = 120;
  private static final int KEYS = 12;

  @TempDir Path folder;

  /** A state of the file: the pairs of a map, the elements of a dataset, the names of groups. */
  private record State(
      TreeMap<Integer, Long> pairs, List<Integer> elements, TreeSet<String> names) {
    static State empty() {
      return new State(new TreeMap<>(), List.of(0, 0, 0), new TreeSet<>());
    }

    State copy() {
      return new State(new TreeMap<>(pairs), List.copyOf(elements), new TreeSet<>(names));
    }

    State with(List<Integer> changed) {
      return new State(pairs, List.copyOf(changed), names);
    }
  }

  /** A version that is open for reading. */
  private record Held(H5File file, long number) {}

  @ParameterizedTest
  @CsvSource({"1,1,1", "2,1,3", "3,1,3", "4,1,3", "5,2,3", "6,2,2", "7,4,3", "8,3,4"})
  void versions_agree_with_a_model(long seed, int ranks, int shards) {
    Path path = folder.resolve("run");
    LocalRanks.run(ranks, world -> new Program(path, world, seed, shards).run());
    VerifyingConnector.verify(path);
  }

  /** A random program, the same on all ranks. */
  private static final class Program {
    private final Path path;
    private final Communicator world;
    private final SplittableRandom random;
    private final IodConnector connector;
    private final NavigableMap<Long, State> versions = new TreeMap<>();
    private final Map<String, State> snapshots = new TreeMap<>();
    private final List<Held> held = new ArrayList<>();
    private H5File file;
    private Transactions transactions;

    /** The state that reads see, of the open transaction if there is one. */
    private State current = State.empty();

    private Optional<Long> open = Optional.empty();
    private long base;
    private long persisted;
    private long oldest;
    private long used;

    Program(Path path, Communicator world, long seed, int shards) {
      this.path = path;
      this.world = world;
      this.random = new SplittableRandom(seed);
      this.connector =
          new IodConnector(
              new ContainerSettings(shards, ChecksumLevel.STORE, EngineOptions.DEFAULT));
      this.file = open(path, FileAccess.CREATE);
      var unused =
          file.createDataset(
              "/d",
              DatasetSpec.of(Datatype.I32, Shape.of(new long[] {3}, new long[] {50}))
                  .filters(filters(seed))
                  .chunked(4));
      MapObject map = file.createMap("/m", Datatype.I32, Datatype.I64);
      assertEquals("/m", map.path());
      this.transactions = file.transactions();
      delimit();
    }

    /** Returns filters for half of the programs: filtered tiles are kept decoded. */
    private static FilterSpec[] filters(long seed) {
      return seed % 2 == 0 ? new FilterSpec[] {Filters.shuffle()} : new FilterSpec[0];
    }

    private H5File open(Path opened, FileAccess access) {
      return Connectors.open(connector, opened, access, world, FileOptions.standard());
    }

    /** Notes the version with which the program begins to delimit transactions. */
    private void delimit() {
      base = transactions.advance();
      persisted = base;
      versions.clear();
      versions.put(base, current.copy());
      oldest = base;
      used = base;
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
        check();
      }
      held.forEach(version -> version.file().close());
      file.close();
    }

    private void step() {
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> begin();
        case 3, 4, 5 -> finish();
        case 6 -> abort();
        case 7 -> persist();
        case 8, 9 -> hold();
        case 10, 11 -> release();
        case 12 -> snapshot();
        case 13 -> reopen();
        case 14 -> parts();
        default -> change();
      }
    }

    private void begin() {
      if (open.isPresent()) {
        assertThrows(CollectiveException.class, transactions::begin);
        return;
      }
      if (random.nextInt(3) == 0) {
        long number = used + random.nextInt(2, 9);
        transactions.begin(number);
        open = Optional.of(number);
      } else {
        open = Optional.of(transactions.begin());
      }
      used = open.get();
    }

    private void finish() {
      if (open.isEmpty()) {
        assertThrows(CollectiveException.class, transactions::finish);
        return;
      }
      assertEquals(open.get(), transactions.finish());
      finished(open.get());
      open = Optional.empty();
    }

    private void finished(long number) {
      versions.put(number, current.copy());
      base = number;
      purge();
    }

    private void abort() {
      if (open.isEmpty()) {
        assertThrows(CollectiveException.class, transactions::abort);
        return;
      }
      transactions.abort();
      open = Optional.empty();
      current = versions.lastEntry().getValue().copy();
    }

    private void persist() {
      transactions.persist();
      persisted = versions.lastKey();
      purge();
    }

    private void purge() {
      long bound = Math.min(base, persisted);
      for (Held version : held) {
        bound = Math.min(bound, version.number());
      }
      oldest = Math.max(oldest, bound);
      versions.headMap(oldest).clear();
    }

    private void hold() {
      long number = random.nextLong(Math.max(0, oldest - 2), used + 3);
      Version version =
          switch (random.nextInt(4)) {
            case 0 -> Version.exact(number);
            case 1 -> Version.previous(number);
            case 2 -> Version.next(number);
            default -> Version.last();
          };
      Optional<Long> expected =
          switch (version.choice()) {
            case EXACT -> Optional.of(number).filter(versions::containsKey);
            case PREVIOUS -> Optional.ofNullable(versions.floorKey(number));
            case NEXT -> Optional.ofNullable(versions.ceilingKey(number));
            case LAST -> Optional.of(versions.lastKey());
          };
      if (expected.isEmpty()) {
        assertThrows(CollectiveException.class, () -> file.openVersion(version));
        return;
      }
      H5File opened = file.openVersion(version);
      assertEquals(expected.get(), opened.transactions().readable());
      held.add(new Held(opened, expected.get()));
    }

    private void release() {
      if (!held.isEmpty()) {
        world.barrier();
        held.remove(random.nextInt(held.size())).file().close();
        purge();
      }
    }

    private void snapshot() {
      String name = "s" + snapshots.size();
      long version = versions.lastKey();
      assertEquals(version, transactions.snapshot(name));
      snapshots.put(name, versions.get(version).copy());
      persisted = version;
      purge();
      world.barrier();
      String any = "s" + random.nextInt(snapshots.size());
      try (H5File opened = open(path.resolveSibling("run@" + any), FileAccess.READ)) {
        check(snapshots.get(any), opened);
        world.barrier();
      }
    }

    private void reopen() {
      world.barrier();
      held.forEach(version -> version.file().close());
      held.clear();
      if (random.nextBoolean()) {
        file.close();
        current = versions.lastEntry().getValue().copy();
      } else {
        file.discard();
        current = versions.get(persisted).copy();
      }
      open = Optional.empty();
      file = open(path, FileAccess.WRITE);
      transactions = file.transactions();
      check(current, file);
      delimit();
    }

    /** One transaction of parts, in which each rank changes its own pairs. */
    private void parts() {
      if (open.isPresent()) {
        return;
      }
      long number = used + random.nextInt(2, 5);
      int key = random.nextInt(KEYS);
      MapObject.Typed<Integer, Long> map = map(file);
      transactions.beginPart(number);
      if (key % world.size() == world.rank()) {
        map.put(key, number);
      }
      transactions.finishPart();
      used = number;
      assertEquals(number, transactions.advance());
      current.pairs().put(key, number);
      finished(number);
    }

    private static MapObject.Typed<Integer, Long> map(H5File from) {
      return from.map("/m").typed(Integer.class, Long.class);
    }

    private void change() {
      int key = random.nextInt(KEYS);
      long value = random.nextInt(1000);
      int kind = random.nextInt(5);
      if (open.isEmpty()) {
        assertThrows(CollectiveException.class, () -> file.createGroup("/none"));
        return;
      }
      switch (kind) {
        case 0 -> {
          MapObject.Typed<Integer, Long> map = map(file);
          if (key % world.size() == world.rank()) {
            map.put(key, value);
          }
          current.pairs().put(key, value);
        }
        case 1 -> {
          MapObject.Typed<Integer, Long> map = map(file);
          if (key % world.size() == world.rank()) {
            map.remove(key);
          }
          current.pairs().remove(key);
        }
        case 2 -> {
          int[] values = new int[current.elements().size()];
          Arrays.fill(values, (int) value);
          file.dataset("/d").write(Selection.all(), values);
          current = current.with(Arrays.stream(values).boxed().toList());
        }
        case 3 -> {
          int size = random.nextInt(1, 50);
          file.dataset("/d").extendTo(size);
          List<Integer> resized = new ArrayList<>(current.elements());
          while (resized.size() < size) {
            resized.add(0);
          }
          current = current.with(resized.subList(0, size));
        }
        default -> {
          String name = "g" + key;
          if (current.names().remove(name)) {
            file.unlink("/" + name);
          } else {
            file.createGroup("/" + name);
            current.names().add(name);
          }
        }
      }
    }

    private void check() {
      // Pairs of other ranks are certain to be seen after the end of a transaction.
      check(current, file);
      held.forEach(version -> check(versions.get(version.number()), version.file()));
      assertEquals(List.copyOf(versions.keySet()), transactions.versions());
      assertEquals(List.copyOf(snapshots.keySet()), transactions.snapshots());
      world.barrier();
    }

    private void check(State expected, H5File actual) {
      assertEquals(
          expected.elements(),
          Arrays.stream(actual.dataset("/d").readInts(Selection.all())).boxed().toList());
      TreeSet<String> names = new TreeSet<>(expected.names());
      names.add("d");
      names.add("m");
      assertEquals(
          names, new TreeSet<>(actual.root().links().stream().map(link -> link.name()).toList()));
      MapObject.Typed<Integer, Long> map = map(actual);
      for (int key = world.rank(); key < KEYS; key += world.size()) {
        assertEquals(Optional.ofNullable(expected.pairs().get(key)), map.get(key), "key " + key);
      }
    }
  }
}
