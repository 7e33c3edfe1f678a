package io.skerry.jobs.virtual;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.file.InputFile;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A source of a virtual dataset, as it exists when the virtual dataset is created.
 *
 * @param place the file and the path of the dataset
 * @param fill the fill value in the datatype of the file
 */
record SourceDataset(ObjectArgument place, Shape shape, Datatype type, Bytes fill) {
  static SourceDataset open(ObjectArgument place, Trust trust) {
    InputFile.check(place.file());
    try (H5File file = InputFile.open(place.file(), Communicator.self(), trust)) {
      Dataset dataset = file.dataset(place.path());
      return new SourceDataset(
          place,
          dataset.shape(),
          dataset.datatype(),
          Bytes.of(MemorySegment.ofArray(dataset.fillValue())));
    }
  }

  /**
   * Returns the selection of all current elements; elements that are added later are not selected.
   */
  Selection elements() {
    return shape.rank() == 0
        ? Selection.all()
        : Selection.box(new long[shape.rank()], shape.extent());
  }

  /** Returns the source with its file name relative to a folder. */
  VirtualSource from(Path folder) {
    return VirtualSource.of(relative(folder, place.file()), place.path().replace("%", "%%"))
        .select(elements());
  }

  /** Returns the path of a file relative to a folder. */
  static Path relative(Path folder, Path file) {
    return folder.toAbsolutePath().normalize().relativize(file.toAbsolutePath().normalize());
  }

  @Override
  public String toString() {
    return place.file() + ":" + place.path();
  }
}
