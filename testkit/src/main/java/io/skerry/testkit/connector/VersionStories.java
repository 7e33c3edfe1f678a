package io.skerry.testkit.connector;

import io.skerry.H5File;
import io.skerry.Transactions;
import io.skerry.Transactions.Version;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.testkit.ranked.Expect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cases of {@link TransactionConformance} on versions, snapshots and their locations. */
record VersionStories(TransactionFiles files) {
  Map<String, TransactionFiles.Story> stories() {
    return Map.of(
        "a_version_stays_while_the_next_ones_are_written", this::hold,
        "a_version_that_is_not_read_is_purged", this::purge,
        "a_snapshot_is_opened_by_its_name", this::snapshot,
        "a_location_names_a_version", this::locations);
  }

  private void hold(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      List<H5File> versions = new ArrayList<>();
      List<Long> numbers = new ArrayList<>();
      for (int number = 1; number <= 4; number++) {
        transactions.begin();
        TransactionFiles.write(file, world, number);
        // The earlier versions are read while this one is being written.
        for (int before = 1; before < number; before++) {
          TransactionFiles.expect(versions.get(before - 1), world, before);
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
        TransactionFiles.expect(second, world, 2);
        TransactionFiles.expect(third, world, 3);
        TransactionFiles.expect(last, world, 4);
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
      TransactionFiles.expect(versions.get(2), world, 3);
      world.barrier();
      versions.get(2).close();
      versions.get(3).close();
    }
  }

  private void purge(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      TransactionFiles.write(file, world, 1);
      long first = transactions.finish();
      transactions.begin();
      TransactionFiles.write(file, world, 2);
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
        TransactionFiles.expect(last, world, 2);
        world.barrier();
      }
    }
    CollectiveException missing =
        Expect.thrown(
            CollectiveException.class,
            () -> files.open(path.resolveSibling("run@1"), FileAccess.READ, world),
            "a purged version of a closed container");
    Expect.that(missing.toString().contains("purged"), "" + missing);
  }

  private void snapshot(Path path, Communicator world) {
    long version;
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      TransactionFiles.write(file, world, 1);
      file.flush();
      Expect.equal(
          transactions.readable(), transactions.snapshot("plain"), "a snapshot of a flush");
      transactions.begin();
      TransactionFiles.write(file, world, 2);
      version = transactions.finish();
      transactions.begin();
      TransactionFiles.write(file, world, 3);
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
    try (H5File file = files.open(path.resolveSibling("run@plain"), FileAccess.READ, world)) {
      TransactionFiles.expect(file, world, 1);
      world.barrier();
    }
    try (H5File file = files.open(path.resolveSibling("run@second"), FileAccess.READ, world)) {
      Expect.equal(version, file.transactions().readable(), "the version of the snapshot");
      TransactionFiles.expect(file, world, 2);
      world.barrier();
    }
    Expect.thrown(
        CollectiveException.class,
        () -> files.open(path.resolveSibling("run@second"), FileAccess.WRITE, world),
        "a snapshot cannot change");
    CollectiveException missing =
        Expect.thrown(
            CollectiveException.class,
            () -> files.open(path.resolveSibling("run@third"), FileAccess.READ, world),
            "a missing snapshot");
    Expect.that(missing.toString().contains("second"), "" + missing);
    try (H5File file = files.open(path, FileAccess.WRITE, world)) {
      file.transactions().deleteSnapshot("second");
      Expect.thrown(
          CollectiveException.class,
          () -> file.transactions().deleteSnapshot("second"),
          "a deleted snapshot");
      Expect.equal(List.of("plain"), file.transactions().snapshots(), "names that are left");
      TransactionFiles.expect(file, world, 3);
      world.barrier();
    }
  }

  private void locations(Path path, Communicator world) {
    long last;
    try (H5File file = files.create(path, world)) {
      file.transactions().begin(20);
      TransactionFiles.write(file, world, 1);
      last = file.transactions().finish();
    }
    for (String state : List.of("20", "last", "prev:20", "prev:1000", "next:20", "next:0")) {
      try (H5File file = files.open(path.resolveSibling("run@" + state), FileAccess.READ, world)) {
        Expect.equal(last, file.transactions().readable(), state);
        Expect.equal(List.of(last), file.transactions().versions(), "versions of " + state);
        TransactionFiles.expect(file, world, 1);
        world.barrier();
      }
    }
    for (String state : List.of("21", "prev:19", "next:21", "19", "", "a@b:c", ".hidden")) {
      Expect.thrown(
          CollectiveException.class,
          () -> files.open(path.resolveSibling("run@" + state), FileAccess.READ, world),
          "state " + state);
    }
    Expect.thrown(
        CollectiveException.class,
        () -> files.open(path.resolveSibling("run@20"), FileAccess.CREATE, world),
        "creation of a version");
  }
}
