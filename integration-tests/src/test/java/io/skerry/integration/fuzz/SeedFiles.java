package io.skerry.integration.fuzz;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Creates the small valid files whose fields are changed, each with a few structures. */
final class SeedFiles {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final long[] OPEN = {Shape.UNLIMITED, Shape.UNLIMITED};
  private static final FilterSpec[] NONE = {};
  private static final FilterSpec[] PACKED = {Filters.shuffle(), Filters.deflate(1)};

  private final Path folder;

  private SeedFiles(Path folder) {
    this.folder = folder;
  }

  /** Writes the files of Skerry and those of each installed h5py. */
  static void write(Path folder) {
    SeedFiles files = new SeedFiles(folder);
    files.sparse("single", Shape.of(8, 6), 8, 6);
    files.sparse("fixed", Shape.of(8, 6), 3, 2);
    files.sparse("extensible", Shape.of(new long[] {8, 6}, new long[] {Shape.UNLIMITED, 6}), 3, 2);
    files.sparse("tree", Shape.of(new long[] {8, 6}, OPEN), 3, 2);
    files.dense("standard", FormatBounds.V110);
    files.dense("early", FormatBounds.EARLIEST);
    for (Oracle h5py : Oracle.h5py()) {
      String prefix = "h5py-" + h5py.hdf5().replace('.', '_');
      h5py.script(folder, "fuzz_seeds.py", folder, prefix).expectSuccess();
    }
  }

  /** Returns the files to change, without the files to which they refer, in a fixed order. */
  static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(p -> p.getFileName().toString().endsWith(".h5"))
          .filter(p -> !p.getFileName().toString().startsWith("part-"))
          // A killed run leaves its outputs behind.
          .filter(p -> !p.getFileName().toString().startsWith("case"))
          .sorted()
          .toList();
    }
  }

  private void sparse(String name, Shape shape, long... chunk) {
    for (FilterSpec[] filters : List.of(NONE, PACKED)) {
      String kind = filters.length == 0 ? "plain" : "packed";
      try (H5File file = H5File.create(folder.resolve("skerry-" + name + "-" + kind + ".h5"))) {
        DatasetSpec numbers = DatasetSpec.of(Datatype.I32, shape).sparse(chunk).filters(filters);
        for (SelectionEncoding encoding : SelectionEncoding.values()) {
          Dataset dataset = file.createDataset("d" + encoding, numbers.encoding(encoding));
          dataset.write(Selection.at(0, 1).extent(5, 2), IntStream.range(0, 10).toArray());
          dataset.write(
              Selection.points(new long[][] {{7, 5}, {6, 0}, {1, 4}}), new int[] {7, 8, 9});
        }
        Dataset texts =
            file.createDataset("t", DatasetSpec.of(TEXT, shape).sparse(chunk).filters(filters));
        texts.write(Selection.at(1, 1).extent(1, 3), new String[] {"a", "", "bc".repeat(20)});
        file.createDataset("empty", numbers);
      }
    }
  }

  private void dense(String name, FormatBounds bounds) {
    FileOptions options = FileOptions.standard().withBounds(bounds);
    Path path = folder.resolve("skerry-dense-" + name + ".h5");
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      Shape shape = Shape.of(new long[] {8, 6}, OPEN);
      Dataset chunked =
          file.createDataset(
              "/g/d", DatasetSpec.of(Datatype.F64, shape).chunked(3, 2).filters(PACKED));
      chunked.write(Selection.all(), new double[48]);
      Dataset texts = file.createDataset("/g/t", DatasetSpec.of(TEXT, Shape.of(3)));
      texts.write(Selection.all(), new String[] {"one", "two", ""});
      for (int i = 0; i < 12; i++) {
        file.object("/g").setAttribute(Attribute.of("a" + i, "text " + i));
        file.createSoftLink("/g/l" + i, "/nowhere");
      }
    }
  }
}
