package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterSpec;
import io.skerry.jobs.argument.ElementSyntax;
import io.skerry.jobs.file.ChunkBands;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.interchange.form.CompressedForm;
import io.skerry.jobs.interchange.form.CoordinateForm;
import io.skerry.jobs.interchange.form.DenseForm;
import io.skerry.jobs.interchange.form.ElementSource;
import io.skerry.jobs.interchange.form.InterchangeSource;
import io.skerry.jobs.interchange.form.MatrixMarketSource;
import io.skerry.jobs.interchange.form.NumberText;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.WorkBudget;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates a sparse dataset from data in an interchange form. Runs on one rank. */
final class ImportJob {
  private final ImportOptions options;
  private final Map<String, String> environment;

  ImportJob(ImportOptions options, Map<String, String> environment) {
    this.options = options;
    this.environment = environment;
  }

  /** Runs the job and returns its report. */
  Json.Members run(Communicator world) {
    InputFile.check(options.in().file());
    if (options.form() != InterchangeForm.MTX) {
      return OutputFile.between(
          options.in().file(),
          options.out(),
          options.trust(),
          world,
          (source, target) -> fill(open(source), target));
    }
    MatrixMarketSource text =
        MatrixMarketSource.open(options.in().file(), options.type().flatMap(NumberText::typeOf));
    return OutputFile.exists(options.out(), world)
        ? OutputFile.change(options.out(), options.trust(), world, target -> fill(text, target))
        : OutputFile.run(
            OutputPlace.of(options.out(), options.in().file(), ExistingOutput.KEPT),
            world,
            (ranks, place) -> OutputFile.create(place, ranks, target -> fill(text, target)));
  }

  private ElementSource open(H5File file) {
    InterchangeSource from = new InterchangeSource(file, options.in().path().orElse("/"));
    WorkBudget budget = new WorkBudget(options.limit(), "import", WorkBudget.Effort.REWRITE);
    List<Dataset> read =
        options.form() == InterchangeForm.DENSE ? List.of(from.dataset()) : from.datasets();
    read.forEach(budget::take);
    return switch (options.form()) {
      case CSR -> CompressedForm.CSR.open(from);
      case CSC -> CompressedForm.CSC.open(from);
      case COO -> CoordinateForm.open(from);
      case DENSE -> DenseForm.open(from, undefined(file, from.path()));
      case MTX -> throw new IllegalStateException("a text is no part of an HDF5 file");
    };
  }

  private Optional<byte[]> undefined(H5File file, String path) {
    return options
        .undefined()
        .map(text ->
            ElementSyntax.parse(file.dataset(path).datatype(), text)
                .segment()
                .toArray(ValueLayout.JAVA_BYTE));
  }

  private Json.Members fill(ElementSource source, H5File target) {
    if (!NumberText.isNumber(source.datatype())) {
      throw new UnsupportedFeatureException(
          "importing elements of type " + source.datatype(), options.in().toString());
    }
    return OutputFile.createOrRemove(target, List.of(options.to()), () -> filled(source, target));
  }

  private Json.Members filled(ElementSource source, H5File target) {
    Shape shape = shape(source);
    long[] chunk =
        options
            .chunk()
            .map(c -> c.stream().mapToLong(Long::longValue).toArray())
            .orElse(new long[0]);
    if (shape.rank() == 0 || chunk.length > 0 && chunk.length != shape.rank()) {
      throw new JobException(
          "a chunk needs the rank of the data: chunk=" + options.chunk() + " shape=" + shape);
    }
    Dataset dataset = target.createDataset(options.to(), spec(source, shape, chunk));
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
    long[] defined = {0};
    ChunkBands.forEach(
        dataset, Selection.all(), part -> defined[0] += dataset.defined(part).count(shape));
    if (defined[0] != written[0]) {
      throw new FormatException(
              "elements that are listed more than once", 0, written[0] - defined[0])
          .inFile(options.in().file().toString());
    }
    Json.Members report =
        Json.object()
            .with("in", options.in().toString())
            .with("out", options.out() + ":" + options.to())
            .with("form", options.form().toString())
            .with("shape", shape.toString())
            .with("elements", shape.elements())
            .with("defined", defined[0]);
    return source.ignored().isEmpty()
        ? report
        : report.with("leftOut", String.join(", ", source.ignored()));
  }

  private Shape shape(ElementSource source) {
    String file = options.in().file().toString();
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

  private DatasetSpec spec(ElementSource source, Shape shape, long[] chunk) {
    try {
      return DatasetSpec.of(source.datatype(), shape)
          .sparse(chunk)
          .filters(options.filters().toArray(FilterSpec[]::new))
          .fillValue(source.fillValue());
    } catch (IllegalArgumentException e) {
      throw new JobException(String.valueOf(e.getMessage()), e);
    }
  }
}
