package io.skerry.jobs.pca;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.frame.FrameSource;
import io.skerry.jobs.frame.Provenance;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;

/** Writes the result of an analysis to an HDF5 file. Collective. */
final class ComponentFile {
  /** The maximum number of pixels in a chunk, unless a single row has more. */
  private static final long CHUNK_PIXELS = 1L << 20;

  private final PcaOptions options;
  private final FrameStack stack;
  private final Communicator ranks;

  ComponentFile(PcaOptions options, FrameStack stack, Communicator ranks) {
    this.options = options;
    this.stack = stack;
    this.ranks = ranks;
  }

  /**
   * Writes the components, the mean frame, the scores and the variances.
   *
   * @param local the frames of this rank
   * @param library the names of the linear algebra libraries, equal on all ranks
   */
  void write(H5File file, PcaResult result, LocalFrames local, String library) {
    FrameShape shape = stack.shape();
    int count = options.components();
    Dataset components =
        file.createDataset("/components", frames(Shape.of(count, shape.rows(), shape.columns())));
    describe(components, library);
    for (int first = 0; first < count; first += ranks.size()) {
      int mine = first + ranks.rank();
      boolean any = mine < count;
      components.write(
          any
              ? Selection.at(mine, 0, 0).extent(1, shape.rows(), shape.columns())
              : Selection.none(),
          any ? result.frame(mine, shape.framePixels()) : new double[0]);
    }
    boolean isFirst = ranks.rank() == 0;
    Selection all = isFirst ? Selection.all() : Selection.none();
    file.createDataset("/mean", frames(Shape.of(shape.rows(), shape.columns())))
        .write(all, isFirst ? result.mean(stack.base(), shape.framePixels()) : new double[0]);
    Dataset scores =
        file.createDataset(
            "/scores", DatasetSpec.of(Datatype.F64, Shape.of(shape.frames(), count)));
    scores.write(
        local.count() == 0
            ? Selection.none()
            : Selection.at(local.first(), 0).extent(local.count(), count),
        result.scores());
    DatasetSpec numbers = DatasetSpec.of(Datatype.F64, Shape.of(count));
    file.createDataset("/explained_variance", numbers)
        .write(all, isFirst ? result.variances() : new double[0]);
    file.createDataset("/explained_variance_ratio", numbers)
        .write(all, isFirst ? result.ratios() : new double[0]);
  }

  /**
   * Returns the specification of a dataset of frames. The dataset is compressed, because most
   * elements of a component are zero if the frames are sparse.
   */
  private static DatasetSpec frames(Shape shape) {
    long[] chunk = shape.extent();
    Arrays.fill(chunk, 0, chunk.length - 2, 1);
    long columns = chunk[chunk.length - 1];
    chunk[chunk.length - 2] = Math.clamp(CHUNK_PIXELS / columns, 1, chunk[chunk.length - 2]);
    return DatasetSpec.of(Datatype.F64, shape)
        .chunked(chunk)
        .filters(Filters.shuffle(), Filters.deflate(4));
  }

  private void describe(Dataset components, String library) {
    FrameSource source = new FrameSource.InFile(options.in(), options.trust(), options.dataset());
    components.setAttribute(Attribute.of("source", Provenance.of(source)));
    components.setAttribute(Attribute.of("centering", options.centering().text()));
    components.setAttribute(Attribute.of("library", library));
    components.setAttribute(Attribute.of("creator", Provenance.creator()));
  }
}
