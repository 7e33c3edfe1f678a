package io.skerry.internal.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.internal.file.NativeConnector;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.spi.StoredDataset;
import io.skerry.spi.StoredFile;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoggedFileTest {
  private static final System.Logger LOG = System.getLogger(LoggedFileTest.class.getName());

  @TempDir Path folder;

  private static H5File create(Path path, Communicator ranks) {
    LoggingConnector connector = new LoggingConnector(new NativeConnector(), LOG);
    return Connectors.open(connector, path, FileAccess.CREATE, ranks, FileOptions.standard());
  }

  @Test
  void a_joint_write_to_a_logged_file_is_one_operation_with_one_report() {
    Path path = folder.resolve("joint.h5");
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(2);
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = create(path, world)) {
            Dataset a = file.createDataset("/a", spec);
            Dataset b = file.createDataset("/b", spec);
            Selection mine = Selection.at(2 * world.rank()).extent(2);
            int[] values = {world.rank(), 7};
            file.writeAll(
                List.of(DatasetWrite.of(a, mine, values), DatasetWrite.of(b, mine, values)));
            TransferReport report = file.lastTransfer().orElseThrow();
            assertEquals(Operation.WRITE, report.operation());
            assertEquals("/a /b", report.subject());
          }
        });
    try (H5File file = H5File.open(path)) {
      for (String name : List.of("/a", "/b")) {
        assertEquals(
            List.of(0, 7, 1, 7),
            Arrays.stream(file.dataset(name).readInts(Selection.all())).boxed().toList());
      }
    }
  }

  @Test
  void a_missing_argument_of_one_rank_fails_on_all_ranks_of_a_logged_file() {
    Path path = folder.resolve("missing.h5");
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () ->
            LocalRanks.run(
                2,
                world -> {
                  try (H5File file = create(path, world)) {
                    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(2);
                    Dataset dataset = file.createDataset("/a", spec);
                    assertThrows(
                        CollectiveException.class,
                        () -> dataset.write(Selection.at(1), values(world.rank())));
                    dataset.write(Selection.at(world.rank()), new int[] {1});
                    assertEquals(2, dataset.readInts(Selection.at(0).extent(2)).length);
                  }
                }));
  }

  @SuppressWarnings("NullAway") // a program can pass null to any method
  private static int[] values(int rank) {
    return rank == 0 ? null : new int[] {1};
  }

  @Test
  void a_logged_dataset_names_the_files_that_hold_its_elements() {
    Set<Path> files = Set.of(Path.of("elements.raw"));
    StoredDataset external =
        stub(
            StoredDataset.class,
            method ->
                switch (method) {
                  case "elementFiles" -> files;
                  case "path" -> "/external";
                  default -> throw new UnsupportedOperationException(method);
                });
    StoredFile file = stub(StoredFile.class, Path::of);
    LoggedFile logged = new LoggedFile(file, new CallLog(LOG, 0, Path.of("logged.h5")));
    assertEquals(files, new LoggedDataset(external, logged).elementFiles());
  }

  private static <T> T stub(Class<T> type, Function<String, Object> answers) {
    Object stub =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> answers.apply(method.getName()));
    return type.cast(stub);
  }
}
