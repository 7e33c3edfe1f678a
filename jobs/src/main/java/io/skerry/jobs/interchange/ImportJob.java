package io.skerry.jobs.interchange;

import io.skerry.H5File;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.interchange.form.ElementSource;
import io.skerry.jobs.interchange.form.MatrixMarketSource;
import io.skerry.jobs.interchange.form.NumberText;
import io.skerry.jobs.report.Json;
import io.skerry.mpi.Communicator;
import java.util.List;
import java.util.Map;

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
          (source, target) -> fill(new ImportInput(options, source).open(), target));
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

  private Json.Members fill(ElementSource source, H5File target) {
    if (!NumberText.isNumber(source.datatype())) {
      throw new UnsupportedFeatureException(
          "importing elements of type " + source.datatype(), options.in().toString());
    }
    return OutputFile.createOrRemove(target, List.of(options.to()), () -> filled(source, target));
  }

  private Json.Members filled(ElementSource source, H5File target) {
    ImportedDataset dataset = new ImportedDataset(options, environment, source);
    long defined = dataset.create(target);
    Json.Members report =
        Json.object()
            .with("in", options.in().toString())
            .with("out", options.out() + ":" + options.to())
            .with("form", options.form().toString())
            .with("shape", dataset.shape().toString())
            .with("elements", dataset.shape().elements())
            .with("defined", defined);
    return source.ignored().isEmpty()
        ? report
        : report.with("leftOut", String.join(", ", source.ignored()));
  }
}
