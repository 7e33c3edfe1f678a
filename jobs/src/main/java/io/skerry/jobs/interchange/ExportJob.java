package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.argument.SelectionSyntax;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.interchange.form.CompressedForm;
import io.skerry.jobs.interchange.form.CoordinateForm;
import io.skerry.jobs.interchange.form.DenseForm;
import io.skerry.jobs.interchange.form.ElementView;
import io.skerry.jobs.interchange.form.MatrixMarketWriter;
import io.skerry.jobs.interchange.form.NumberText;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.WorkBudget;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Writes a dataset in an interchange form. Runs on one rank. */
final class ExportJob {
  private final ExportOptions options;
  private final Map<String, String> environment;

  ExportJob(ExportOptions options, Map<String, String> environment) {
    this.options = options;
    this.environment = environment;
  }

  /** Runs the job and returns its report. */
  Json.Members run(Communicator world) {
    InputFile.check(options.in());
    if (options.form() == InterchangeForm.MTX) {
      return OutputFile.run(
          OutputPlace.of(options.out().file(), options.in(), options.existing()),
          world,
          (ranks, place) ->
              Agreement.using(
                  ranks,
                  InputFile.open(options.in(), ranks, options.trust()),
                  H5File::close,
                  source -> {
                    place.checkRead(source.dataset(options.from()));
                    return export(source, view -> MatrixMarketWriter.write(view, place.mainFile()));
                  }));
    }
    return OutputFile.between(
        options.in(),
        options.out().file(),
        options.trust(),
        world,
        (source, target) -> {
          String path = path(target);
          List<String> created =
              options.form() == InterchangeForm.DENSE ? DenseForm.paths(path) : List.of(path);
          return OutputFile.createOrRemove(
              target, created, () -> export(source, view -> write(view, target, path)));
        });
  }

  private String path(H5File target) {
    String other = options.form() == InterchangeForm.DENSE ? options.from() : "/";
    String path = options.out().path().orElse(other);
    if (path.equals("/") && options.form() == InterchangeForm.DENSE) {
      throw new JobException("a dataset has a name, say FILE:/name: out=" + options.out());
    }
    if (path.equals("/") && !target.root().links().isEmpty()) {
      throw new JobException("the file is not empty, say FILE:/group: out=" + options.out());
    }
    return path;
  }

  private long write(ElementView view, H5File target, String path) {
    return switch (options.form()) {
      case CSR -> CompressedForm.CSR.write(view, target, path, options.filters());
      case CSC -> CompressedForm.CSC.write(view, target, path, options.filters());
      case COO -> CoordinateForm.write(view, target, path, options.filters());
      case DENSE -> DenseForm.write(view, target, path, options.filters());
      case MTX -> throw new IllegalStateException("a text is no part of an HDF5 file");
    };
  }

  private Json.Members export(H5File source, ToLongFunction<ElementView> form) {
    Dataset dataset = source.dataset(options.from());
    if (!NumberText.isNumber(dataset.datatype())) {
      throw new UnsupportedFeatureException(
              "exporting elements of type " + dataset.datatype(), options.from())
          .inFile(options.in().toString());
    }
    Hyperslab pattern = pattern(dataset);
    if (!dataset.isSparse()) {
      long[] counts =
          IntStream.range(0, pattern.dimensions()).mapToLong(pattern::countAt).toArray();
      new WorkBudget(options.limit(), "export", WorkBudget.Effort.REWRITE)
          .take(dataset, Shape.of(counts));
    }
    ElementView view = ElementView.of(dataset, pattern, kept(dataset));
    long[] extent = view.extent();
    if (options.form().isMatrix() && extent.length != 2) {
      throw new JobException(
          "only of two dimensions; --selection leaves out those of which it has one INDEX: form="
              + options.form()
              + " dimensions="
              + extent.length);
    }
    long bytes = view.count() * dataset.datatype().size();
    long written;
    try (ProgressDisplay progress = ProgressDisplay.ofBytes("exporting", bytes, environment)) {
      written = form.applyAsLong(view.watchedBy(progress::advance));
    }
    return Json.object()
        .with("in", options.in() + ":" + options.from())
        .with("out", options.out().toString())
        .with("form", options.form().toString())
        .with("shape", Shape.of(extent).toString())
        .with("elements", Shape.of(extent).elements())
        .with("defined", written);
  }

  private Hyperslab pattern(Dataset dataset) {
    Shape shape = dataset.shape();
    if (dataset.isNull() || shape.rank() == 0) {
      throw new JobException("a single value has no coordinates: path=" + options.from());
    }
    if (options.selection().isEmpty()) {
      return Selection.at(new long[shape.rank()]).count(shape.extent());
    }
    String text = options.selection().get();
    if (!(SelectionSyntax.parseArgument(text, shape) instanceof Hyperslab chosen)) {
      throw new JobException("nothing is selected: selection=" + text);
    }
    return chosen;
  }

  /** Returns the dimensions in which the selection is not a single index. */
  private List<Integer> kept(Dataset dataset) {
    Stream<Integer> all = IntStream.range(0, dataset.shape().rank()).boxed();
    if (options.selection().isEmpty()) {
      return all.toList();
    }
    String text = options.selection().get();
    List<Integer> kept = all.filter(d -> !SelectionSyntax.isIndex(text, d)).toList();
    if (kept.isEmpty()) {
      throw new JobException("a single value has no coordinates: selection=" + text);
    }
    return kept;
  }
}
