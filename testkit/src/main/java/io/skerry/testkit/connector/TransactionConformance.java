package io.skerry.testkit.connector;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.NoSuchObjectException;
import io.skerry.Transactions;
import io.skerry.Transactions.Version;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Selection;
import io.skerry.spi.Connector;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Conformance suite for connectors with transactions; each case runs on any number of ranks. {@link
 * TransactionRefusalConformance} is the suite for all other connectors.
 */
public final class TransactionConformance implements RankedCases {
  private final TransactionFiles files;

  /** Creates the suite for a connector. */
  public TransactionConformance(Connector connector) {
    this.files = new TransactionFiles(connector);
  }

  @Override
  public List<RankedCase> cases() {
    Map<String, TransactionFiles.Story> own =
        Map.ofEntries(
            Map.entry("a_finished_transaction_is_a_version", this::finish),
            Map.entry("an_aborted_transaction_leaves_no_change", this::abort),
            Map.entry("a_failed_change_is_aborted", this::abortFailed),
            Map.entry("the_parts_of_all_ranks_are_one_transaction", this::parts),
            Map.entry("parts_of_different_transactions_are_refused", this::differentParts),
            Map.entry("a_change_needs_a_transaction", this::requireTransaction),
            Map.entry("a_closed_file_has_no_transactions", this::requireOpen),
            Map.entry("several_ranks_refuse_a_thread_that_did_not_open_the_file", this::threads),
            Map.entry("numbers_grow", this::numbers),
            Map.entry("each_flush_of_a_plain_program_is_a_version", this::flushes),
            Map.entry("closing_aborts_the_open_transaction", this::close));
    Map<String, TransactionFiles.Story> all = new TreeMap<>(own);
    all.putAll(new VersionStories(files).stories());
    return TransactionFiles.cases(all);
  }

  private void finish(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      long first = transactions.begin();
      Expect.equal(OptionalLong.of(first), transactions.current(), "the open transaction");
      TransactionFiles.write(file, world, 1);
      TransactionFiles.expect(file, world, 1);
      Expect.equal(first, transactions.finish(), "the finished transaction");
      Expect.equal(OptionalLong.empty(), transactions.current(), "no open transaction");
      Expect.equal(first, transactions.readable(), "the newest version");
      TransactionFiles.expect(file, world, 1);
      transactions.begin(first + 10);
      TransactionFiles.write(file, world, 2);
      Expect.equal(first + 10, transactions.finish(), "the second transaction");
      transactions.persist();
      TransactionFiles.expect(file, world, 2);
      world.barrier();
    }
    try (H5File file = files.open(path, FileAccess.READ, world)) {
      TransactionFiles.expect(file, world, 2);
      world.barrier();
    }
  }

  private void abort(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      Dataset values = file.dataset("/values");
      long aborted = 0;
      transactions.begin();
      TransactionFiles.write(file, world, 1);
      transactions.finish();
      for (int round = 0; round < 3; round++) {
        aborted = transactions.begin();
        TransactionFiles.write(file, world, 2);
        values.extendTo(16);
        file.createGroup("/new/group");
        file.map("/map").typed(Integer.class, Long.class).put(-1 - world.rank(), 5L);
        file.unlink("/map");
        transactions.abort();
        Expect.equal(8L, values.shape().elements(), "extent after an abort");
        TransactionFiles.expect(file, world, 1);
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
      TransactionFiles.write(file, world, 3);
      transactions.finish();
      TransactionFiles.expect(file, world, 3);
      world.barrier();
    }
    try (H5File file = files.open(path, FileAccess.READ, world)) {
      Expect.equal(12L, file.dataset("/values").shape().elements(), "stored extent");
      TransactionFiles.expect(file, world, 3);
      Expect.equal(3, file.root().links().size(), "stored links");
      world.barrier();
    }
  }

  private void abortFailed(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      TransactionFiles.write(file, world, 1);
      transactions.finish();
      transactions.begin();
      Expect.thrown(
          CollectiveException.class, () -> file.createGroup("/values/group"), "a bad path");
      TransactionFiles.write(file, world, 2);
      transactions.abort();
      TransactionFiles.expect(file, world, 1);
      world.barrier();
    }
  }

  private void parts(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
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
      TransactionFiles.write(file, world, 10);
      transactions.finishPart();
      Expect.equal(base + 10, transactions.advance(), "collective changes in parts");
      TransactionFiles.expect(file, world, 10);
      world.barrier();
    }
    try (H5File file = files.open(path, FileAccess.READ, world)) {
      TransactionFiles.expect(file, world, 10);
      world.barrier();
    }
  }

  private void differentParts(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      TransactionFiles.write(file, world, 1);
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
      TransactionFiles.write(file, world, 3);
      transactions.finish();
      TransactionFiles.expect(file, world, 3);
      world.barrier();
    }
  }

  private void requireTransaction(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin();
      TransactionFiles.write(file, world, 1);
      transactions.finish();
      Expect.thrown(
          CollectiveException.class, () -> file.createGroup("/g"), "a group without transaction");
      Expect.thrown(
          IllegalStateException.class,
          () -> file.map("/map").typed(Integer.class, Long.class).put(world.rank(), 9L),
          "a pair without transaction");
      Expect.thrown(CollectiveException.class, transactions::finish, "nothing to finish");
      file.flush();
      TransactionFiles.expect(file, world, 1);
      transactions.begin();
      Expect.thrown(CollectiveException.class, transactions::begin, "a second transaction");
      Expect.thrown(IllegalStateException.class, transactions::finishPart, "not a part");
      Expect.equal(1, file.dataset("/values").readInts(Selection.all())[0], "a read within");
      transactions.finish();
      world.barrier();
    }
  }

  private void numbers(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      transactions.begin(100);
      TransactionFiles.write(file, world, 1);
      transactions.finish();
      Expect.thrown(CollectiveException.class, () -> transactions.begin(100), "a used number");
      Expect.thrown(CollectiveException.class, () -> transactions.begin(50), "a lower number");
      transactions.skip(101, 109);
      Expect.thrown(CollectiveException.class, () -> transactions.begin(105), "a skipped one");
      Expect.thrown(CollectiveException.class, () -> transactions.skip(100, 100), "no free one");
      Expect.equal(110L, transactions.begin(), "the number after the skipped ones");
      TransactionFiles.write(file, world, 2);
      Expect.equal(110L, transactions.finish(), "its version");
      TransactionFiles.expect(file, world, 2);
      if (world.size() > 1) {
        Expect.thrown(
            CollectiveException.class,
            () -> transactions.begin(200 + world.rank()),
            "different numbers");
      }
      world.barrier();
    }
  }

  private void flushes(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      Expect.thrown(CollectiveException.class, transactions::abort, "no transaction was begun");
      TransactionFiles.write(file, world, 1);
      file.flush();
      long first = transactions.readable();
      try (H5File version = file.openVersion(Version.last())) {
        TransactionFiles.write(file, world, 2);
        TransactionFiles.expect(version, world, 1);
        transactions.persist();
        Expect.equal(first + 1, transactions.readable(), "the next flush");
        TransactionFiles.expect(version, world, 1);
        TransactionFiles.expect(file, world, 2);
        world.barrier();
      }
      TransactionFiles.write(file, world, 3);
      // Unflushed changes are flushed before the first transaction begins.
      Expect.equal(first + 3, transactions.begin(), "the number of the transaction");
      TransactionFiles.write(file, world, 4);
      transactions.abort();
      TransactionFiles.expect(file, world, 3);
      world.barrier();
    }
    try (H5File file = files.open(path, FileAccess.READ, world)) {
      TransactionFiles.expect(file, world, 3);
      world.barrier();
    }
  }

  private void requireOpen(Path path, Communicator world) {
    H5File written = files.create(path, world);
    written.close();
    Expect.thrown(IllegalStateException.class, written::transactions, "a closed file");
    H5File read = files.open(path, FileAccess.READ, world);
    read.close();
    Expect.thrown(IllegalStateException.class, read::transactions, "a closed file for reading");
  }

  private void threads(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      Transactions transactions = file.transactions();
      long base = transactions.advance();
      if (world.size() > 1) {
        refuseElsewhere(() -> transactions.beginPart(base + 5), "the beginning of a part");
        refuseElsewhere(transactions::readable, "the newest version");
        refuseElsewhere(transactions::versions, "all versions");
        refuseElsewhere(transactions::snapshots, "all snapshots");
      }
      Expect.equal(base + 1, transactions.begin(), "the number that is still reserved");
      TransactionFiles.write(file, world, 1);
      Expect.equal(base + 1, transactions.finish(), "the finished transaction");
      transactions.beginPart(base + 5);
      TransactionFiles.write(file, world, 5);
      if (world.size() > 1) {
        refuseElsewhere(transactions::finishPart, "the end of a part");
      }
      transactions.finishPart();
      Expect.equal(base + 5, transactions.advance(), "the newest version");
      TransactionFiles.expect(file, world, 5);
      world.barrier();
    }
  }

  private static void refuseElsewhere(Expect.Action action, String what) {
    Expect.thrown(IllegalStateException.class, () -> runElsewhere(action), what);
  }

  private static void runElsewhere(Expect.Action action) throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      boolean unused =
          thread
              .submit(() -> {
                action.run();
                return true;
              })
              .get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  private void close(Path path, Communicator world) {
    try (H5File file = files.create(path, world)) {
      file.transactions().begin();
      TransactionFiles.write(file, world, 1);
      file.transactions().finish();
      file.transactions().begin();
      TransactionFiles.write(file, world, 2);
    }
    try (H5File file = files.open(path, FileAccess.WRITE, world)) {
      TransactionFiles.expect(file, world, 1);
      file.transactions().begin();
      TransactionFiles.write(file, world, 3);
      file.transactions().finish();
      file.transactions().persist();
      file.transactions().begin();
      TransactionFiles.write(file, world, 4);
      file.transactions().finish();
      // The last transaction was not persisted.
      file.discard();
    }
    try (H5File file = files.open(path, FileAccess.READ, world)) {
      TransactionFiles.expect(file, world, 3);
      world.barrier();
    }
  }
}
