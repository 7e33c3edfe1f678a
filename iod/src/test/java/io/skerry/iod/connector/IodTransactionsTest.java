package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Transactions;
import io.skerry.Transactions.Version;
import io.skerry.datatype.Datatype;
import io.skerry.iod.encoding.property.CreationLists;
import io.skerry.iod.encoding.property.CreationOrder;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.model.ObjectCreator;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.testkit.connector.TransactionConformance;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests transactions and versions of files in containers. */
class IodTransactionsTest {
  private static final int ELEMENTS = 200;

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> the_connector_passes_the_suite_for_transactions() {
    return Stream.of(1, 2, 4)
        .flatMap(ranks ->
            new TransactionCases()
                .cases().stream()
                    .map(test ->
                        DynamicTest.dynamicTest(
                            test.name() + " on " + ranks,
                            () -> LocalRanks.run(ranks, test.body()))));
  }

  @TestFactory
  Stream<DynamicTest> the_connector_passes_it_with_ranks_that_only_serve() {
    ContainerSettings settings = new ContainerSettings(3, ChecksumLevel.ALL, EngineOptions.DEFAULT);
    return new TransactionCases()
        .cases().stream()
            .map(test ->
                DynamicTest.dynamicTest(
                    test.name(),
                    () ->
                        LocalRanks.run(
                            4,
                            world ->
                                IoRanks.run(
                                    world,
                                    settings,
                                    2,
                                    Placement.Kind.LAST,
                                    (compute, connector) ->
                                        assertDoesNotThrow(() ->
                                            new TransactionConformance(connector)
                                                .cases().stream()
                                                    .filter(each -> each.name().equals(test.name()))
                                                    .findFirst()
                                                    .orElseThrow()
                                                    .body()
                                                    .run(compute))))));
  }

  @Test
  void processes_of_mpirun_pass_the_suite() throws Exception {
    var mpirun = MpirunLauncher.find();
    Assumptions.assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome =
        mpirun.get().run(2, RankedSuite.class.getName(), TransactionCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    int cases = new TransactionCases().cases().size();
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
  }

  private String location(String state) {
    return "iod:" + folder.resolve("run") + state;
  }

  private static int[] filled(int value) {
    int[] values = new int[ELEMENTS];
    Arrays.fill(values, value);
    return values;
  }

  private H5File created() {
    H5File file = H5File.create(location(""), Communicator.self());
    file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(7))
        .write(Selection.all(), filled(0));
    return file;
  }

  /** Reads a version again and again, and returns the number of reads. */
  private static int readUntil(H5File version, int expected, Future<?> end) {
    Dataset values = version.dataset("/d");
    int reads = 0;
    while (!end.isDone() || reads == 0) {
      assertArrayEquals(filled(expected), values.readInts(Selection.all()));
      reads++;
    }
    return reads;
  }

  @Test
  void threads_read_versions_while_another_one_writes_and_aborts() throws Exception {
    try (H5File file = created();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      Transactions transactions = file.transactions();
      List<H5File> versions = new ArrayList<>();
      long base = transactions.advance();
      versions.add(file.openVersion(Version.exact(base)));
      for (int number = 1; number <= 3; number++) {
        transactions.begin();
        file.dataset("/d").write(Selection.all(), filled(number));
        versions.add(file.openVersion(Version.exact(transactions.finish())));
        transactions.persist();
      }
      Future<?> writer =
          threads.submit(() -> {
            for (int round = 0; round < 40; round++) {
              transactions.begin();
              file.dataset("/d").write(Selection.all(), filled(100 + round));
              if (round % 4 == 3) {
                transactions.abort();
              } else {
                long unused = transactions.finish();
                transactions.persist();
              }
            }
            return true;
          });
      List<Future<Integer>> readers =
          IntStream.range(0, versions.size())
              .mapToObj(i -> threads.submit(() -> readUntil(versions.get(i), i, writer)))
              .toList();
      writer.get();
      for (Future<Integer> reader : readers) {
        assertTrue(reader.get() > 0, "no read");
      }
      // Everything from the oldest version that is read is kept.
      assertEquals(4 + 30, transactions.versions().size(), transactions.versions().toString());
      versions.forEach(H5File::close);
      assertEquals(List.of(transactions.readable()), transactions.versions());
    }
    VerifyingConnector.verify(folder.resolve("run"));
  }

  /** A reader without a context sees the state at its opening, also versions that are purged. */
  @Test
  void another_opener_reads_the_versions_at_the_time_of_its_opening() {
    try (H5File file = created()) {
      Transactions transactions = file.transactions();
      long first = transactions.advance();
      H5File held = file.openVersion(Version.exact(first));
      transactions.begin();
      file.dataset("/d").write(Selection.all(), filled(1));
      long second = transactions.finish();
      transactions.persist();
      try (H5File old = H5File.open(location("@" + first), Communicator.self());
          H5File last = H5File.open(location("@last"), Communicator.self())) {
        assertEquals(List.of(first, second), old.transactions().versions());
        held.close();
        transactions.begin();
        file.dataset("/d").write(Selection.all(), filled(2));
        long third = transactions.finish();
        transactions.persist();
        assertEquals(List.of(third), transactions.versions());
        assertArrayEquals(filled(0), old.dataset("/d").readInts(Selection.all()));
        assertArrayEquals(filled(1), last.dataset("/d").readInts(Selection.all()));
        try (H5File again = last.openVersion(Version.previous(second - 1))) {
          assertArrayEquals(filled(0), again.dataset("/d").readInts(Selection.all()));
        }
      }
    }
  }

  @Test
  void there_is_no_version_0_before_the_first_purge() {
    Place tile = new Place.Tile(ObjectId.of(ObjectType.ARRAY, 77).bits(), 0);
    try (Container container = TestContainers.ROCKS.create(folder, "unpurged", 2)) {
      TestContainers.commit(
          container,
          changes -> {
            var unused =
                ObjectCreator.createRoot(
                    changes, CreationLists.file(CreationOrder.UNTRACKED, CreationOrder.UNTRACKED));
          });
      TestContainers.commit(
          container, changes -> changes.put(tile, MemorySegment.ofArray(new byte[10])));
      try (H5File file =
          Connectors.open(
              new OpenContainer(container),
              Path.of("unpurged"),
              FileAccess.READ,
              Communicator.self(),
              FileOptions.standard())) {
        assertEquals(List.of(1L, 2L), file.transactions().versions());
        for (Version version : List.of(Version.exact(0), Version.previous(0))) {
          assertThrows(CollectiveException.class, () -> file.openVersion(version), "" + version);
        }
        try (H5File first = file.openVersion(Version.next(0))) {
          assertEquals(1, first.transactions().readable());
        }
      }
    }
  }

  @Test
  void a_version_ends_with_its_file() {
    H5File version;
    try (H5File file = created()) {
      file.flush();
      version = file.openVersion(Version.last());
      assertArrayEquals(filled(0), version.dataset("/d").readInts(Selection.all()));
    }
    assertThrows(RuntimeException.class, () -> version.dataset("/d"));
    version.close();
  }

  @Test
  void the_text_of_a_version_is_parsed() {
    for (Version version :
        List.of(
            Version.last(),
            Version.exact(0),
            Version.exact(Long.MAX_VALUE),
            Version.previous(17),
            Version.next(3))) {
      assertEquals(Optional.of(version), Version.parse(version.toString()));
    }
    for (String text : List.of("", "x", "-1", "9223372036854775808", "prev:", "prev17", "last ")) {
      assertEquals(Optional.empty(), Version.parse(text), text);
    }
    assertThrows(IllegalArgumentException.class, () -> Version.exact(-1));
  }

  /** Numbers of BLOBs that an aborted transaction has used are not given to others. */
  @Test
  void identifiers_of_an_aborted_transaction_are_not_used_again() {
    IodConnector connector = new IodConnector();
    for (int round = 0; round < 3; round++) {
      try (H5File file =
          round == 0
              ? created()
              : Connectors.open(
                  connector,
                  folder.resolve("run"),
                  FileAccess.WRITE,
                  Communicator.self(),
                  FileOptions.standard())) {
        Transactions transactions = file.transactions();
        transactions.begin();
        for (int i = 0; i < 1500; i++) {
          file.createGroup("/lost/" + i);
        }
        transactions.abort();
        transactions.begin();
        file.createGroup("/kept" + round);
        transactions.finish();
        assertEquals(2 + round, file.root().links().size());
      }
      VerifyingConnector.verify(folder.resolve("run"));
    }
  }
}
