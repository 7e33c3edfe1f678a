package io.skerry.integration.misuse;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file with two open objects of each kind, so that ranks can make calls on the same object or on
 * different objects.
 *
 * @param file the file
 * @param datasets open datasets by path
 * @param groups open groups by path
 */
record MisusedFile(H5File file, Map<String, Dataset> datasets, Map<String, Group> groups) {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final Shape PLANE = Shape.of(16, 16);

  /** Creates the file. Collective. */
  static MisusedFile create(Path path, Communicator ranks) {
    H5File file = H5File.create(path, ranks);
    Map<String, Dataset> datasets = new TreeMap<>();
    Map<String, Group> groups = new TreeMap<>();
    for (int object = 1; object <= 2; object++) {
      groups.put("/group" + object, file.createGroup("/group" + object));
      DatasetSpec flat = DatasetSpec.of(Datatype.I32, PLANE);
      Map<String, DatasetSpec> specs =
          Map.of(
              "/chunked", DatasetSpec.of(Datatype.I32, PLANE.unlimited(0)).chunked(4, 4),
              "/flat", flat.contiguous(),
              "/compact", flat.compact(),
              "/sparse", DatasetSpec.of(Datatype.I32, PLANE.unlimited(0)).sparse(4, 4),
              "/text", DatasetSpec.of(TEXT, PLANE).chunked(4, 4));
      for (var spec : new TreeMap<>(specs).entrySet()) {
        String name = spec.getKey() + object;
        datasets.put(name, file.createDataset(name, spec.getValue()));
      }
      file.dataset("/chunked" + object).write(Selection.all(), new int[16 * 16]);
      file.group("/group" + object).setAttribute(Attribute.of("kept", "yes"));
    }
    DatasetSpec health = DatasetSpec.of(Datatype.I32, PLANE);
    datasets.put("/health", file.createDataset("/health", health));
    datasets.put("/healthy chunks", file.createDataset("/healthy chunks", health.chunked(3, 3)));
    file.flush();
    return new MisusedFile(file, datasets, groups);
  }

  /** Returns an open dataset. */
  Dataset dataset(String path) {
    Dataset found = datasets.get(path);
    if (found == null) {
      throw new IllegalArgumentException("no such dataset in the file of the test: path=" + path);
    }
    return found;
  }

  /** Returns an open group. */
  Group group(String path) {
    Group found = groups.get(path);
    if (found == null) {
      throw new IllegalArgumentException("no such group in the file of the test: path=" + path);
    }
    return found;
  }

  /**
   * Writes, flushes and reads the file on all ranks, and requires that every rank reads the written
   * values.
   */
  void requireHealth(Communicator ranks, int mark) {
    Selection mine = Selection.at(ranks.rank(), 0).extent(1, 16);
    int[] values = new int[16];
    Arrays.fill(values, mark);
    List<Dataset> written = List.of(dataset("/health"), dataset("/healthy chunks"));
    written.forEach(dataset -> dataset.write(mine, values));
    file.flush();
    for (Dataset dataset : written) {
      for (int value : dataset.readInts(Selection.at(0, 0).extent(ranks.size(), 16))) {
        if (value != mark) {
          throw new IllegalStateException(
              "a rank does not read what was written: dataset=%s expected=%d actual=%d"
                  .formatted(dataset.path(), mark, value));
        }
      }
    }
  }
}
