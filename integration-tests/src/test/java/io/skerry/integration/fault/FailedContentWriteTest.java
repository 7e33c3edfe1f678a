package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.cache.CacheOptions;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.WriteMode;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests writes of variable-length values during which a file call fails on one rank. */
class FailedContentWriteTest {
  private static final int ELEMENTS = 12;
  private static final Datatype TEXTS =
      VariableLength.sequence(VariableLength.string(CharacterSet.UTF8));

  @TempDir Path folder;

  /** The storage of the dataset. */
  private enum Storage {
    CHUNKED(spec -> spec.chunked(2)),
    CONTIGUOUS(DatasetSpec::contiguous),
    COMPACT(DatasetSpec::compact);

    private final Function<DatasetSpec, DatasetSpec> layout;

    Storage(Function<DatasetSpec, DatasetSpec> layout) {
      this.layout = layout;
    }
  }

  private static Value value(String text) {
    return new Value.Sequence(List.of(new Value.Text(text)));
  }

  private Path written(Storage storage) {
    Path path = folder.resolve("source.h5");
    try (H5File file = H5File.create(path)) {
      Dataset data =
          file.createDataset(
              "/data", storage.layout.apply(DatasetSpec.of(TEXTS, Shape.of(ELEMENTS))));
      data.writeValues(Selection.all(), Collections.nCopies(ELEMENTS, value("old")));
      file.createDataset("/more", DatasetSpec.of(TEXTS, Shape.of(4 * ELEMENTS)).chunked(8));
    }
    return path;
  }

  /** The options that determine when changes are stored. */
  private enum Storing {
    AT_FLUSH(FileOptions.standard()),
    THROUGH(FileOptions.standard().withWriteMode(WriteMode.THROUGH)),
    WITHOUT_CACHE(FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(0)));

    private final FileOptions options;

    Storing(FileOptions options) {
      this.options = options;
    }
  }

  @ParameterizedTest
  @EnumSource(Storing.class)
  void a_failed_write_leaves_old_or_new_values(Storing storing) throws IOException {
    for (Storage storage : Storage.values()) {
      Path source = written(storage);
      for (int ranks : new int[] {1, 3}) {
        FailedCalls calls = new FailedCalls(source, storing.options);
        int failed =
            calls.each(
                ranks,
                new FailedCalls.Trial(
                    (file, world) -> write(file, world, "/data", "new"),
                    (file, world) -> write(file, world, "/more", "mor"),
                    FailedContentWriteTest::check));
        assertTrue(failed > 1, storage + " calls that failed: " + failed);
      }
      Files.delete(source);
    }
  }

  private static void write(H5File file, Communicator world, String path, String text) {
    Dataset data = file.dataset(path);
    int ranks = world.size();
    int elements = Math.toIntExact(data.shape().elements() / ranks);
    data.writeValues(
        Selection.at(elements * world.rank()).extent(elements),
        Collections.nCopies(elements, value(text)));
  }

  private static void check(Path path) {
    List<String> findings = new ArrayList<>();
    Verification.of(path, finding -> findings.add(finding.toString()));
    assertEquals(List.of(), findings);
    try (H5File file = H5File.open(path)) {
      List<Value> values = file.dataset("/data").readValues(Selection.all());
      List<Value> expected = List.of(value("old"), value("new"));
      assertTrue(expected.containsAll(values), values::toString);
      List<Value> more = Collections.nCopies(4 * ELEMENTS, value("mor"));
      assertEquals(more, file.dataset("/more").readValues(Selection.all()));
    }
  }
}
