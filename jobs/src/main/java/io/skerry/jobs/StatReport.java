package io.skerry.jobs;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.collective.CollectiveException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prints the statistics of one dataset or of all in a file. */
final class StatReport implements DatasetWalk.Visitor {
  private final StatOptions options;
  private final PrintWriter out;
  private final StatText text;
  private final List<Json> found = new ArrayList<>();
  private boolean incomplete;

  StatReport(StatOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
    this.text = new StatText(out);
  }

  /**
   * Prints.
   *
   * @return whether everything could be read
   */
  boolean print(H5File file) {
    if (options.dataset().isPresent()) {
      one(file.dataset(options.dataset().get()));
    } else {
      all(file);
    }
    out.flush();
    return !incomplete;
  }

  private void one(Dataset dataset) {
    DatasetStat stat = DatasetStat.of(dataset);
    switch (options.form()) {
      case TEXT -> text.page(stat);
      case JSON -> out.println(stat.toJson().text());
    }
  }

  private void all(H5File file) {
    if (options.form() == ReportForm.TEXT) {
      text.head();
    }
    DatasetWalk.walk(file, this);
    if (options.form() == ReportForm.JSON) {
      out.println(
          Json.object()
              .with("file", options.file().toString())
              .with("datasets", new Json.Items(found))
              .text());
    }
  }

  @Override
  public void dataset(Dataset dataset) {
    Optional<DatasetStat> stat = Optional.empty();
    try {
      stat = Optional.of(DatasetStat.of(dataset));
    } catch (CollectiveException e) {
      unreadable(dataset.path(), e.reason());
    } catch (FormatException | UnsupportedFeatureException e) {
      unreadable(dataset.path(), String.valueOf(e.getMessage()));
    }
    stat.ifPresent(told -> {
      switch (options.form()) {
        case TEXT -> text.row(told);
        case JSON -> found.add(told.toJson());
      }
    });
  }

  @Override
  public void unreadable(String path, String reason) {
    incomplete = true;
    switch (options.form()) {
      case TEXT -> text.unreadable(path, reason);
      case JSON -> found.add(Json.object().with("path", path).with("unreadable", reason));
    }
  }
}
