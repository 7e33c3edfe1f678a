package io.skerry.testkit.launch;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Writes and reads a file with the parts of Skerry that most tests use. */
final class StartTraining {
  private static final int RANKS = 2;

  private StartTraining() {}

  /** Returns the path of the jar or folder that contains this class. */
  static String location() {
    try {
      return Path.of(
              StartTraining.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the file with the path {@code args[0]}. */
  static void main(String[] args) {
    Path path = Path.of(args[0]);
    LocalRanks.run(
        RANKS,
        world -> {
          write(path, world);
          read(path, world);
        });
    read(path, Communicator.self());
  }

  private static void write(Path path, Communicator world) {
    try (H5File file = H5File.create(path, world)) {
      Shape shape = Shape.of(4 * RANKS, 16).unlimited(0);
      Selection mine = Selection.at(4L * world.rank(), 0).extent(4, 16);
      DatasetSpec numbers = DatasetSpec.of(Datatype.I32, shape);
      file.createDataset("/group/dense", numbers.chunked(2, 8).filters(Filters.deflate(1)))
          .write(mine, new int[4 * 16]);
      file.createDataset("/group/sparse", numbers.sparse(2, 8)).write(mine, new int[4 * 16]);
      file.createDataset("/plain", DatasetSpec.of(Datatype.F64, Shape.of(4 * RANKS, 16)))
          .write(mine, new double[4 * 16]);
      Datatype text = VariableLength.string(CharacterSet.UTF8);
      String[] words = {"a", "b"};
      file.createDataset("/texts", DatasetSpec.of(text, Shape.of(words.length)))
          .write(
              world.rank() == 0 ? Selection.all() : Selection.none(),
              world.rank() == 0 ? words : new String[0]);
      file.root().setAttribute(Attribute.of("number", 1));
      file.createSoftLink("/link", "/group/dense");
      file.flush();
      file.dataset("/group/sparse").erase(mine);
      file.dataset("/group/dense").extendTo(5L * RANKS, 16);
      file.unlink("/plain");
    }
  }

  private static void read(Path path, Communicator world) {
    try (H5File file = H5File.open(path, world)) {
      Dataset dense = file.dataset("/link");
      dense.readInts(Selection.all());
      dense.chunks();
      file.dataset("/group/sparse").defined(Selection.all());
      file.dataset("/texts").readStrings(Selection.all());
      file.root().attributes();
    }
  }
}
