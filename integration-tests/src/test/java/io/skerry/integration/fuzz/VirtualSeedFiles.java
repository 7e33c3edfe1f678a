package io.skerry.integration.fuzz;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * Creates small valid files with virtual datasets: mapping blocks of versions 0 and 1, unlimited
 * selections, one source per block, sources in the same file, virtual and sparse sources, and
 * variable-length values.
 */
final class VirtualSeedFiles {
  private static final long U = Shape.UNLIMITED;
  private static final String SPARSE = "part-sparse.h5";

  private VirtualSeedFiles() {}

  /** Writes the files of Skerry and those of each installed h5py. */
  static void write(Path folder) {
    try (H5File file = H5File.create(folder.resolve(SPARSE))) {
      sparse(file, "sparse");
    }
    for (FormatBounds bounds : FormatBounds.values()) {
      Path path = folder.resolve("skerry-sparse-" + bounds + ".h5");
      FileOptions options = FileOptions.standard().withBounds(bounds);
      try (H5File file = H5File.create(path, Communicator.self(), options)) {
        sparse(file, "own");
        virtual(file, "beside", SPARSE, "/sparse");
        virtual(file, "same", VirtualSource.SAME_FILE, "/own");
        growing(file);
      }
    }
    for (Oracle h5py : Oracle.h5py()) {
      String prefix = "h5py-" + h5py.hdf5().replace('.', '_');
      h5py.script(folder, "fuzz_virtual_seeds.py", folder, prefix).expectSuccess();
    }
  }

  private static void sparse(H5File file, String name) {
    Shape shape = Shape.of(new long[] {8, 6}, new long[] {U, 6});
    file.createDataset(name, DatasetSpec.of(Datatype.I32, shape).sparse(3, 2))
        .write(Selection.at(1, 1).extent(5, 3), IntStream.range(0, 15).toArray());
  }

  private static void virtual(H5File file, String name, String source, String dataset) {
    VirtualSource from = VirtualSource.of(source, dataset);
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(
                Selection.at(0, 0).extent(4, 3),
                from.select(Selection.at(0, 1).stride(2, 2).count(4, 3).block(1, 1)))
            .map(Selection.at(2, 2).extent(3, 4), from.select(Selection.at(3, 2).extent(3, 4)))
            .build();
    var unused =
        file.createDataset(name, DatasetSpec.of(Datatype.I64, Shape.of(6, 6)).virtual(layout));
  }

  private static void growing(H5File file) {
    Shape shape = Shape.of(new long[] {0, 6}, new long[] {U, 6});
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(
                Selection.at(1, 0).stride(3, 1).count(U, 1).block(2, 6),
                VirtualSource.of(SPARSE, "/sparse").select(Selection.at(0, 0).extent(U, 6)))
            .build();
    var unused = file.createDataset("growing", DatasetSpec.of(Datatype.I32, shape).virtual(layout));
  }
}
