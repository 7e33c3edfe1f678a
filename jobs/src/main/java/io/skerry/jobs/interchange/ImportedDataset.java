package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.exception.FormatException;
import io.skerry.filter.FilterSpec;
import io.skerry.jobs.file.ChunkBands;
import io.skerry.jobs.interchange.form.ElementSource;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Map;

/** Creates the sparse dataset of an import and writes the elements of a source to it. */
final class ImportedDataset {
  private final ImportOptions options;
  private final Map<String, String> environment;
  private final ElementSource source;
  private final Shape shape;

  /**
   * Prepares the dataset of an import; nothing is created yet.
   *
   * @throws FormatException if the rank or the total size of the source is too large for a dataset
   */
  ImportedDataset(ImportOptions options, Map<String, String> environment, ElementSource source) {
    this.options = options;
    this.environment = environment;
    this.source = source;
    this.shape = shape(source, options.in().file().toString());
  }

  private static Shape shape(ElementSource source, String file) {
    long[] extent = source.extent();
    if (extent.length > Shape.MAX_RANK) {
      throw new FormatException(
              "dimensions of the array", "at most " + Shape.MAX_RANK, extent.length)
          .inFile(file);
    }
    Shape shape = Shape.of(extent);
    try {
      var unused = Math.multiplyExact(shape.elements(), source.datatype().size());
      return shape;
    } catch (ArithmeticException e) {
      throw new FormatException("elements of the array", "less than 2^63 bytes", shape)
          .inFile(file);
    }
  }

  Shape shape() {
    return shape;
  }

  /**
   * Creates the dataset and writes all elements.
   *
   * @return the number of defined elements
   * @throws JobException if the source has no dimensions, if the given chunk shape has a different
   *     rank, or if the specification of the dataset is invalid
   * @throws FormatException if the source lists an element more than once
   */
  long create(H5File target) {
    long[] chunk =
        options
            .chunk()
            .map(c -> c.stream().mapToLong(Long::longValue).toArray())
            .orElse(new long[0]);
    if (shape.rank() == 0 || chunk.length > 0 && chunk.length != shape.rank()) {
      throw new JobException(
          "a chunk needs the rank of the data: chunk=" + options.chunk() + " shape=" + shape);
    }
    Dataset dataset = target.createDataset(options.to(), spec(chunk));
    long written = write(dataset);
    long defined = ChunkBands.defined(dataset, Selection.all());
    if (defined != written) {
      throw new FormatException("elements that are listed more than once", 0, written - defined)
          .inFile(options.in().file().toString());
    }
    return defined;
  }

  private DatasetSpec spec(long[] chunk) {
    try {
      return DatasetSpec.of(source.datatype(), shape)
          .sparse(chunk)
          .filters(options.filters().toArray(FilterSpec[]::new))
          .fillValue(source.fillValue());
    } catch (IllegalArgumentException e) {
      throw new JobException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Writes all elements and returns their number. */
  private long write(Dataset dataset) {
    long[] written = {0};
    int size = source.datatype().size();
    try (ProgressDisplay progress =
        ProgressDisplay.ofBytes("importing", source.count() * size, environment)) {
      source.forEach(entries -> {
        dataset.write(
            Selection.points(entries.rank(), entries.coordinates()),
            source.datatype(),
            entries.values());
        written[0] += entries.count();
        progress.advance((long) entries.count() * size);
      });
    }
    return written[0];
  }
}
