package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
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
import io.skerry.selection.Shape;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

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
        (source, file) -> {
          ExportTarget target = new ExportTarget(options, file);
          return OutputFile.createOrRemove(
              file, target.created(), () -> export(source, target::write));
        });
  }

  private Json.Members export(H5File source, ToLongFunction<ElementView> form) {
    Dataset dataset = source.dataset(options.from());
    if (!NumberText.isNumber(dataset.datatype())) {
      throw new UnsupportedFeatureException(
              "exporting elements of type " + dataset.datatype(), options.from())
          .inFile(options.in().toString());
    }
    ExportSelection selection = new ExportSelection(options, dataset);
    Hyperslab pattern = selection.pattern();
    if (!dataset.isSparse()) {
      long[] counts =
          IntStream.range(0, pattern.dimensions()).mapToLong(pattern::countAt).toArray();
      new WorkBudget(options.limit(), "export", WorkBudget.Effort.REWRITE)
          .take(dataset, Shape.of(counts));
    }
    ElementView view = ElementView.of(dataset, pattern, selection.kept());
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
}
