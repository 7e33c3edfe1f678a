package io.skerry.testkit.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.datatype.Datatype;
import io.skerry.internal.file.NativeConnector;
import io.skerry.internal.log.LoggingConnector;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs the conformance suite for every connector, and tests {@link LoggingConnector}. */
class ConnectorsTest {
  @TempDir Path folder;

  private static LoggingConnector logging(RecordedLog log) {
    return new LoggingConnector(new NativeConnector(), log);
  }

  @TestFactory
  Stream<DynamicTest> every_connector_passes_the_conformance_suite() {
    List<Connector> connectors =
        List.of(
            new NativeConnector(),
            logging(new RecordedLog()),
            new LoggingConnector(logging(new RecordedLog()), new RecordedLog()));
    return connectors.stream()
        .flatMap(connector ->
            Stream.of(1, 3)
                .flatMap(ranks ->
                    new ConnectorConformance(connector)
                        .cases().stream()
                            .map(test ->
                                DynamicTest.dynamicTest(
                                    test.name() + " by " + connector.name() + " on " + ranks,
                                    () -> LocalRanks.run(ranks, test.body())))));
  }

  @TestFactory
  Stream<DynamicTest> connectors_for_hdf5_files_refuse_maps_and_transactions() {
    return Stream.of(new NativeConnector(), logging(new RecordedLog()))
        .flatMap(connector ->
            Stream.of(1, 3)
                .flatMap(ranks ->
                    Stream.concat(
                            new MapRefusalConformance(connector).cases().stream(),
                            new TransactionRefusalConformance(connector).cases().stream())
                        .map(test ->
                            DynamicTest.dynamicTest(
                                test.name() + " by " + connector.name() + " on " + ranks,
                                () -> LocalRanks.run(ranks, test.body())))));
  }

  @Test
  void every_call_is_logged_with_its_outcome_and_no_values() {
    RecordedLog log = new RecordedLog();
    Path path = folder.resolve("logged.h5");
    try (H5File file =
        Connectors.open(
            logging(log), path, FileAccess.CREATE, Communicator.self(), FileOptions.standard())) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(3)))
          .write(Selection.at(0).extent(3), new int[] {123456789, 0, 0});
      assertThrows(NoSuchObjectException.class, () -> file.object("/none"));
    }
    List<String> lines = log.lines();
    assertEquals(5, lines.size(), lines.toString());
    assertMatches("rank=0 file=.*logged.h5 open access=CREATE micros=\\d+ done", lines.get(0));
    assertMatches(".* create dataset /d spec=.* done", lines.get(1));
    assertMatches(".* write /d bytes=12 memory=.* done", lines.get(2));
    assertMatches(".* object /none micros=\\d+ failed: no such object.*", lines.get(3));
    assertMatches(".* close micros=\\d+ done", lines.get(4));
    assertFalse(lines.toString().contains("123456789"), "values are not logged");
  }

  private static void assertMatches(String pattern, String line) {
    assertTrue(line.matches(pattern), line);
  }
}
