package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests shrinks in which a file call fails. A single rank has the file open. The shrink affects
 * more data than the cache holds, and is therefore executed in parts.
 */
class FailedShrinkTest {
  private static final int ROWS = 8;
  private static final int COLUMNS = 24;

  /** In each row of chunks, one chunk is cut and the next one is removed. */
  private static final int COLUMNS_LEFT = 12;

  private static final int MORE_OBJECTS_THAN_STAY_IN_MEMORY = 4200;

  @TempDir Path folder;

  /** A kind of dataset. */
  private interface Kind {
    /** Returns the datatype of the dataset. */
    Datatype type();

    /** Writes all elements. */
    void write(Dataset data);

    /** Reads all elements. */
    List<?> read(Dataset data);

    /** Returns the number of other objects that are accessed before the shrink. */
    default int others() {
      return 0;
    }
  }

  /**
   * A dataset of numbers.
   *
   * @param others the number of other objects that are accessed before the shrink
   */
  private record Numbers(int others) implements Kind {
    @Override
    public Datatype type() {
      return Datatype.I32;
    }

    @Override
    public void write(Dataset data) {
      int[] values = new int[ROWS * COLUMNS];
      Arrays.setAll(values, i -> i + 1);
      data.write(Selection.all(), values);
    }

    @Override
    public List<?> read(Dataset data) {
      return Arrays.stream(data.readInts(Selection.all())).boxed().toList();
    }
  }

  /** A dataset of strings in the global heap, which are released when they are overwritten. */
  private record Texts() implements Kind {
    @Override
    public Datatype type() {
      return VariableLength.string(CharacterSet.UTF8);
    }

    @Override
    public void write(Dataset data) {
      String[] texts = new String[ROWS * COLUMNS];
      Arrays.setAll(texts, i -> "text " + i);
      data.write(Selection.all(), texts);
    }

    @Override
    public List<?> read(Dataset data) {
      return data.readStrings(Selection.all());
    }
  }

  private static List<Object> left(List<?> all) {
    List<Object> left = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      left.addAll(all.subList(row * COLUMNS, row * COLUMNS + COLUMNS_LEFT));
    }
    return left;
  }

  private void losesNothing(Kind kind) throws IOException {
    Path source = folder.resolve("source.h5");
    write(kind, source);
    int failing = 0;
    while (fails(kind, failing, Files.copy(source, folder.resolve(failing + ".h5")))) {
      failing++;
    }
    assertTrue(failing >= 4, "file calls that failed: " + failing);
  }

  private static void write(Kind kind, Path path) {
    try (H5File file = H5File.create(path)) {
      Shape shape = Shape.of(ROWS, COLUMNS).unlimited(0).unlimited(1);
      kind.write(file.createDataset("/data", DatasetSpec.of(kind.type(), shape).chunked(2, 8)));
      file.createGroup("/others");
      for (int i = 0; i < kind.others(); i++) {
        file.createGroup("/others/" + i);
      }
    }
  }

  /** Makes file call number {@code failing} fail, and returns whether the shrink failed. */
  private static boolean fails(Kind kind, int failing, Path path) {
    ArmedFault fault = new ArmedFault();
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    List<?> expected;
    boolean failed = false;
    try (H5File file =
        H5File.openForWriting(path, new ProbedCommunicator(Communicator.self(), fault), options)) {
      Dataset data = file.dataset("/data");
      List<?> all = kind.read(data);
      for (int i = 0; i < kind.others(); i++) {
        var unused = file.object("/others/" + i);
      }
      fault.arm(0, failing, ArmedFault.Calls.ALL, FileProbe::deviceFails);
      try {
        data.extendTo(ROWS, COLUMNS_LEFT);
      } catch (CollectiveException e) {
        failed = true;
      } finally {
        fault.disarm();
      }
      expected = failed ? all : left(all);
      assertEquals(expected, kind.read(data), "failing call=" + failing);
    }
    try (H5File file = H5File.open(path)) {
      assertEquals(expected, kind.read(file.dataset("/data")), "failing call=" + failing);
    }
    return failed;
  }

  @Test
  void a_failed_shrink_loses_no_values() throws IOException {
    losesNothing(new Numbers(0));
  }

  @Test
  void a_failed_shrink_of_a_dataset_whose_object_header_is_not_in_memory_loses_no_values()
      throws IOException {
    losesNothing(new Numbers(MORE_OBJECTS_THAN_STAY_IN_MEMORY));
  }

  @Test
  void a_failed_shrink_loses_no_texts() throws IOException {
    losesNothing(new Texts());
  }
}
