package io.skerry.testkit.connector;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.NoSuchObjectException;
import io.skerry.Transactions;
import io.skerry.Transactions.Version;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Conformance suite for connectors with transactions; each case runs on any number of ranks. {@link
 * TransactionRefusalConformance} is the suite for all other connectors.
 */
public final class TransactionConformance implements RankedCases {
  private final Connector connector;

  /** Creates the suite for a connector. */
  public TransactionConformance(Connector connector) {
    this.connector = connector;
  }

  /** A case, with the path of a container that it creates. */
  @FunctionalInterface
  private interface Story {
    void play(Path path, Communicator world);
  }

  @Override
  public List<RankedCase> cases() {
    return Map.<String, Story>ofEntries(
            Map.entry("a_finished_transaction_is_a_version", this::finish),
            Map.entry("an_aborted_transaction_leaves_no_change", this::abort),
            Map.entry("a_failed_change_is_aborted", this::abortFailed),
            Map.entry("a_version_stays_while_the_next_ones_are_written", this::hold),
            Map.entry("a_version_that_is_not_read_is_purged", this::purge),
            Map.entry("the_parts_of_all_ranks_are_one_transaction", this::parts),
            Map.entry("parts_of_different_transactions_are_refused", this::differentParts),
            Map.entry("a_change_needs_a_transaction", this::requireTransaction),
            Map.entry("numbers_grow", this::numbers),
            Map.entry("a_snapshot_is_opened_by_its_name", this::snapshot),
            Map.entry("a_location_names_a_version", this::locations),
            Map.entry("each_flush_of_a_plain_program_is_a_version", this::flushes),
            Map.entry("closing_aborts_the_open_transaction", this::close))
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> new RankedCase(e.getKey(), world -> play(world, e.getValue())))
        .toList();
  }

  private static void play(Communicator world, Story story) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      story.play(folder.file("run"), world);
      world.barrier();
    }
  }

  private H5File open(Path path, FileAccess access, Communicator world) {
    return Connectors.open(connector, path, access, world, FileOptions.standard());
  }

  private H5File create(Path path, Communicator world) {
    H5File file = open(path, FileAccess.CREATE, world);
    Dataset unused =
        file.createDataset(
            "/values",
            DatasetSpec.of(Datatype.I32, Shape.of(new long[] {8}, new long[] {64})).chunked(2));
    MapObject map = file.createMap("/map", Datatype.I32, Datatype.I64);
    Expect.equal("/map", map.path(), "path of the map");
    return file;
  }

  /** Writes a number to all elements and to a pair of each rank, and as an attribute. */
  private static void write(H5File file, Communicator world, int number) {
    Dataset values = file.dataset("/values");
    int[] all = new int[(int) values.shape().elements()];
    Arrays.fill(all, number);
    values.write(Selection.all(), all);
    file.map("/map").typed(Integer.class, Long.class).put(world.rank(), (long) number);
    file.root().setAttribute(Attribute.of("number", number));
  }

  /** Requires the state that {@link #write} has left. */
  private static void expect(H5File file, Communicator world, int number) {
    for (int value : file.dataset("/values").readInts(Selection.all())) {
      Expect.equal(number, value, "an element");
    }
    Expect.equal(
        Optional.of((long) number),
        file.map("/map").typed(Integer.class, Long.class).get(world.rank()),
        "the pair of this rank");
    Expect.equal(
        (long) number,
        file.root().attribute("number").orElseThrow().longs()[0],
        "the attribute of version " + number);
  }

  private void finish(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      long first = transactions.begin();
      Expect.equal(OptionalLong.of(first), transactions.current(), "the open transaction");
      write(file, world, 1);
      expect(file, world, 1);
      Expect.equal(first, transactions.finish(), "the finished transaction");
      Expect.equal(OptionalLong.empty(), transactions.current(), "no open transaction");
      Expect.equal(first, transactions.readable(), "the newest version");
      expect(file, world, 1);
      transactions.begin(first + 10);
      write(file, world, 2);
      Expect.equal(first + 10, transactions.finish(), "the second transaction");
      transactions.persist();
      expect(file, world, 2);
      world.barrier();
    }
    try (H5File file = open(path, FileAccess.READ, world)) {
      expect(file, world, 2);
      world.barrier();
    }
  }

  private void abort(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      Dataset values = file.dataset("/values");
      long aborted = 0;
      transactions.begin();
      write(file, world, 1);
      transactions.finish();
      for (int round = 0; round < 3; round++) {
        aborted = transactions.begin();
        write(file, world, 2);
        values.extendTo(16);
        file.createGroup("/new/group");
        file.map("/map").typed(Integer.class, Long.class).put(-1 - world.rank(), 5L);
        file.unlink("/map");
        transactions.abort();
        Expect.equal(8L, values.shape().elements(), "extent after an abort");
        expect(file, world, 1);
        Expect.equal(2, file.root().links().size(), "links after an abort");
        Expect.that(
            !file.map("/map").typed(Integer.class, Long.class).contains(-1 - world.rank()),
            "a lost pair");
        Expect.thrown(NoSuchObjectException.class, () -> file.group("/new"), "a lost group");
        world.barrier();
      }
      long used = aborted;
      Expect.thrown(CollectiveException.class, () -> transactions.begin(used), "an aborted number");
      Expect.thrown(CollectiveException.class, transactions::abort, "nothing to abort");
      transactions.begin();
      values.extendTo(12);
      file.createGroup("/new");
      write(file, world, 3);
      transactions.finish();
      expect(file, world, 3);
      world.barrier();
    }
    try (H5File file = open(path, FileAccess.READ, world)) {
      Expect.equal(12L, file.dataset("/values").shape().elements(), "stored extent");
      expect(file, world, 3);
      Expect.equal(3, file.root().links().size(), "stored links");
      world.barrier();
    }
  }

  private void abortFailed(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      write(file, world, 1);
      transactions.finish();
      transactions.begin();
      Expect.thrown(
          CollectiveException.class, () -> file.createGroup("/values/group"), "a bad path");
      write(file, world, 2);
      transactions.abort();
      expect(file, world, 1);
      world.barrier();
    }
  }

  private void hold(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      List<H5File> versions = new ArrayList<>();
      List<Long> numbers = new ArrayList<>();
      for (int number = 1; number <= 4; number++) {
        transactions.begin();
        write(file, world, number);
        // The versions before are read while this one is written.
        for (int before = 1; before < number; before++) {
          expect(versions.get(before - 1), world, before);
        }
        long finished = transactions.finish();
        transactions.persist();
        numbers.add(finished);
        versions.add(file.openVersion(Version.exact(finished)));
        Expect.equal(finished, versions.getLast().transactions().readable(), "its version");
      }
      Expect.equal(numbers, transactions.versions(), "versions that are read");
      try (H5File second = file.openVersion(Version.previous(numbers.get(2) - 1));
          H5File third = file.openVersion(Version.next(numbers.get(1) + 1));
          H5File last = file.openVersion(Version.last())) {
        expect(second, world, 2);
        expect(third, world, 3);
        expect(last, world, 4);
        Expect.thrown(
            IllegalStateException.class, () -> second.createGroup("/g"), "a change of a version");
        Expect.thrown(
            IllegalStateException.class, () -> second.transactions().begin(), "its transaction");
        world.barrier();
      }
      world.barrier();
      versions.get(0).close();
      versions.get(1).close();
      Expect.equal(numbers.subList(2, 4), transactions.versions(), "versions still read");
      expect(versions.get(2), world, 3);
      world.barrier();
      versions.get(2).close();
      versions.get(3).close();
    }
  }

  private void purge(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      write(file, world, 1);
      long first = transactions.finish();
      transactions.begin();
      write(file, world, 2);
      long second = transactions.finish();
      transactions.persist();
      Expect.equal(List.of(second), transactions.versions(), "the only version");
      CollectiveException purged =
          Expect.thrown(
              CollectiveException.class,
              () -> file.openVersion(Version.exact(first)),
              "a purged version");
      for (String part : List.of("run", "" + first, "[" + second + "]", "purged")) {
        Expect.that(purged.toString().contains(part), part + " is missing in " + purged);
      }
      Expect.thrown(
          CollectiveException.class,
          () -> file.openVersion(Version.next(second + 1)),
          "a version of the future");
      try (H5File last = file.openVersion(Version.next(0))) {
        expect(last, world, 2);
        world.barrier();
      }
    }
    CollectiveException missing =
        Expect.thrown(
            CollectiveException.class,
            () -> open(path.resolveSibling("run@1"), FileAccess.READ, world),
            "a purged version of a closed container");
    Expect.that(missing.toString().contains("purged"), "" + missing);
  }

  private void parts(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      Expect.thrown(IllegalStateException.class, () -> transactions.beginPart(9), "too early");
      long base = transactions.advance();
      MapObject.Typed<Integer, Long> map = file.map("/map").typed(Integer.class, Long.class);
      for (long number = base + 5; number < base + 8; number++) {
        transactions.beginPart(number);
        map.put(world.rank(), number);
        Expect.equal(Optional.of(number), map.get(world.rank()), "the own part");
        transactions.finishPart();
        Expect.equal(Optional.empty(), map.get(world.rank()), "the base version");
      }
      Expect.equal(base + 7, transactions.advance(), "the newest version");
      for (int rank = 0; rank < world.size(); rank++) {
        Expect.equal(Optional.of(base + 7), map.get(rank), "the part of rank " + rank);
      }
      transactions.beginPart(base + 10);
      write(file, world, 10);
      transactions.finishPart();
      Expect.equal(base + 10, transactions.advance(), "collective changes in parts");
      expect(file, world, 10);
      world.barrier();
    }
    try (H5File file = open(path, FileAccess.READ, world)) {
      expect(file, world, 10);
      world.barrier();
    }
  }

  private void differentParts(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      write(file, world, 1);
      long base = transactions.finish();
      MapObject.Typed<Integer, Long> map = file.map("/map").typed(Integer.class, Long.class);
      transactions.beginPart(base + 1);
      map.put(world.rank(), 77L);
      transactions.finishPart();
      if (world.rank() == 0) {
        transactions.beginPart(base + 2);
        map.put(0, 78L);
        transactions.finishPart();
      }
      world.barrier();
      if (world.size() > 1) {
        Expect.thrown(CollectiveException.class, transactions::advance, "a part of rank 0 alone");
        Expect.thrown(CollectiveException.class, transactions::begin, "parts before");
        transactions.abort();
        // All ranks have finished the lower transaction.
        Expect.equal(Optional.of(77L), map.get(world.rank()), "the common transaction");
        Expect.equal(base + 1, transactions.readable(), "the newest version");
        Expect.thrown(CollectiveException.class, transactions::abort, "nothing left to abort");
      } else {
        Expect.equal(base + 2, transactions.advance(), "both parts");
      }
      transactions.begin();
      write(file, world, 3);
      transactions.finish();
      expect(file, world, 3);
      world.barrier();
    }
  }

  private void requireTransaction(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      write(file, world, 1);
      transactions.finish();
      Expect.thrown(
          CollectiveException.class, () -> file.createGroup("/g"), "a group without transaction");
      Expect.thrown(
          IllegalStateException.class,
          () -> file.map("/map").typed(Integer.class, Long.class).put(world.rank(), 9L),
          "a pair without transaction");
      Expect.thrown(CollectiveException.class, transactions::finish, "nothing to finish");
      file.flush();
      expect(file, world, 1);
      transactions.begin();
      Expect.thrown(CollectiveException.class, transactions::begin, "a second transaction");
      Expect.thrown(IllegalStateException.class, transactions::finishPart, "not a part");
      Expect.equal(1, file.dataset("/values").readInts(Selection.all())[0], "a read within");
      transactions.finish();
      world.barrier();
    }
  }

  private void numbers(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin(100);
      write(file, world, 1);
      transactions.finish();
      Expect.thrown(CollectiveException.class, () -> transactions.begin(100), "a used number");
      Expect.thrown(CollectiveException.class, () -> transactions.begin(50), "a lower number");
      transactions.skip(101, 109);
      Expect.thrown(CollectiveException.class, () -> transactions.begin(105), "a skipped one");
      Expect.thrown(CollectiveException.class, () -> transactions.skip(100, 100), "no free one");
      Expect.equal(110L, transactions.begin(), "the number after the skipped ones");
      write(file, world, 2);
      Expect.equal(110L, transactions.finish(), "its version");
      expect(file, world, 2);
      if (world.size() > 1) {
        Expect.thrown(
            CollectiveException.class,
            () -> transactions.begin(200 + world.rank()),
            "different numbers");
      }
      world.barrier();
    }
  }

  private void snapshot(Path path, Communicator world) {
    long version;
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      write(file, world, 1);
      file.flush();
      Expect.equal(
          transactions.readable(), transactions.snapshot("plain"), "a snapshot of a flush");
      transactions.begin();
      write(file, world, 2);
      version = transactions.finish();
      transactions.begin();
      write(file, world, 3);
      Expect.equal(version, transactions.snapshot("second"), "a snapshot of the finished one");
      transactions.finish();
      Expect.thrown(
          CollectiveException.class, () -> transactions.snapshot("second"), "a taken name");
      Expect.thrown(CollectiveException.class, () -> transactions.snapshot("last"), "reserved");
      Expect.thrown(CollectiveException.class, () -> transactions.snapshot("17"), "a number");
      Expect.thrown(CollectiveException.class, () -> transactions.snapshot("a/b"), "a path");
      Expect.equal(List.of("plain", "second"), transactions.snapshots(), "names");
      world.barrier();
    }
    try (H5File file = open(path.resolveSibling("run@plain"), FileAccess.READ, world)) {
      expect(file, world, 1);
      world.barrier();
    }
    try (H5File file = open(path.resolveSibling("run@second"), FileAccess.READ, world)) {
      Expect.equal(version, file.transactions().readable(), "the version of the snapshot");
      expect(file, world, 2);
      world.barrier();
    }
    Expect.thrown(
        CollectiveException.class,
        () -> open(path.resolveSibling("run@second"), FileAccess.WRITE, world),
        "a snapshot cannot change");
    CollectiveException missing =
        Expect.thrown(
            CollectiveException.class,
            () -> open(path.resolveSibling("run@third"), FileAccess.READ, world),
            "a missing snapshot");
    Expect.that(missing.toString().contains("second"), "" + missing);
    try (H5File file = open(path, FileAccess.WRITE, world)) {
      file.transactions().deleteSnapshot("second");
      Expect.thrown(
          CollectiveException.class,
          () -> file.transactions().deleteSnapshot("second"),
          "a deleted snapshot");
      Expect.equal(List.of("plain"), file.transactions().snapshots(), "names that are left");
      expect(file, world, 3);
      world.barrier();
    }
  }

  private void locations(Path path, Communicator world) {
    long last;
    try (H5File file = create(path, world)) {
      file.transactions().begin(20);
      write(file, world, 1);
      last = file.transactions().finish();
    }
    for (String state : List.of("20", "last", "prev:20", "prev:1000", "next:20", "next:0")) {
      try (H5File file = open(path.resolveSibling("run@" + state), FileAccess.READ, world)) {
        Expect.equal(last, file.transactions().readable(), state);
        Expect.equal(List.of(last), file.transactions().versions(), "versions of " + state);
        expect(file, world, 1);
        world.barrier();
      }
    }
    for (String state : List.of("21", "prev:19", "next:21", "19", "", "a@b:c", ".hidden")) {
      Expect.thrown(
          CollectiveException.class,
          () -> open(path.resolveSibling("run@" + state), FileAccess.READ, world),
          "state " + state);
    }
    Expect.thrown(
        CollectiveException.class,
        () -> open(path.resolveSibling("run@20"), FileAccess.CREATE, world),
        "creation of a version");
  }

  private void flushes(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      Transactions transactions = file.transactions();
      Expect.thrown(CollectiveException.class, transactions::abort, "no transaction was begun");
      write(file, world, 1);
      file.flush();
      long first = transactions.readable();
      try (H5File version = file.openVersion(Version.last())) {
        write(file, world, 2);
        expect(version, world, 1);
        transactions.persist();
        Expect.equal(first + 1, transactions.readable(), "the next flush");
        expect(version, world, 1);
        expect(file, world, 2);
        world.barrier();
      }
      write(file, world, 3);
      // What was not flushed is flushed before the first transaction.
      Expect.equal(first + 3, transactions.begin(), "the number of the transaction");
      write(file, world, 4);
      transactions.abort();
      expect(file, world, 3);
      world.barrier();
    }
    try (H5File file = open(path, FileAccess.READ, world)) {
      expect(file, world, 3);
      world.barrier();
    }
  }

  private void close(Path path, Communicator world) {
    try (H5File file = create(path, world)) {
      file.transactions().begin();
      write(file, world, 1);
      file.transactions().finish();
      file.transactions().begin();
      write(file, world, 2);
    }
    try (H5File file = open(path, FileAccess.WRITE, world)) {
      expect(file, world, 1);
      file.transactions().begin();
      write(file, world, 3);
      file.transactions().finish();
      file.transactions().persist();
      file.transactions().begin();
      write(file, world, 4);
      file.transactions().finish();
      // The last transaction was not persisted.
      file.discard();
    }
    try (H5File file = open(path, FileAccess.READ, world)) {
      expect(file, world, 3);
      world.barrier();
    }
  }
}
