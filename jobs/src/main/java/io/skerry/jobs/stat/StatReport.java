package io.skerry.jobs.stat;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.file.DatasetWalk;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.JsonList;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.WorkBudget;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prints the statistics of one dataset, or of all datasets of a file. */
final class StatReport implements DatasetWalk.Visitor {
  private final StatOptions options;
  private final PrintWriter out;
  private final StatText text;
  private final CacheText cacheText;
  private Optional<JsonList> objects = Optional.empty();
  private final List<Runnable> cacheRows = new ArrayList<>();
  private final WorkBudget budget;
  private boolean incomplete;

  StatReport(StatOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
    this.budget = new WorkBudget(options.limit(), "stat --cache", WorkBudget.Effort.READ);
    this.text = new StatText(out);
    this.cacheText = new CacheText(out);
  }

  /**
   * Prints the statistics.
   *
   * @return true if no object was reported as unreadable
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
    Result result = examine(dataset);
    switch (options.form()) {
      case TEXT -> {
        text.page(result.stat());
        result.cache().forEach(cacheText::page);
      }
      case JSON -> out.println(result.toJson().text());
    }
  }

  /** The statistics of a dataset, and those of the cache for each reading order. */
  private record Result(DatasetStat stat, List<CacheStat> cache) {
    Json.Members toJson() {
      Json.Members json = stat.toJson();
      return cache.isEmpty()
          ? json
          : json.with("cache", new Json.Items(cache.stream().map(CacheStat::toJson).toList()));
    }
  }

  private Result examine(Dataset dataset) {
    DatasetStat stat = DatasetStat.of(dataset);
    List<CacheStat> cache =
        stat.storage().chunk().isEmpty()
            ? List.of()
            : options.trial().orders().stream().map(order -> cache(dataset, order)).toList();
    return new Result(stat, cache);
  }

  private CacheStat cache(Dataset dataset, ReadingOrder order) {
    budget.take(dataset);
    return CacheStat.of(dataset, order, options.trial().options());
  }

  private void all(H5File file) {
    switch (options.form()) {
      case TEXT -> text.head();
      case JSON -> {
        Json.Members first = Json.object().with("file", options.file().toString());
        objects = Optional.of(new JsonList(first, "datasets", out));
      }
    }
    DatasetWalk.walk(file, this);
    if (!cacheRows.isEmpty()) {
      cacheText.head();
      cacheRows.forEach(Runnable::run);
    }
    objects.ifPresent(JsonList::end);
  }

  @Override
  public void dataset(Dataset dataset) {
    Optional<Result> found = Optional.empty();
    try {
      found = Optional.of(examine(dataset));
    } catch (CollectiveException e) {
      unreadable(dataset.shownPath(), e.reason());
    } catch (FormatException
        | JobException
        | MemoryLimitException
        | UnsupportedFeatureException
        | UntrustedFileException e) {
      unreadable(dataset.shownPath(), String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError e) {
      // Damaged metadata can claim more elements than fit into memory; the walk continues.
      unreadable(dataset.shownPath(), String.valueOf(MemoryLimit.exhausted(e).getMessage()));
    }
    found.ifPresent(result -> {
      switch (options.form()) {
        case TEXT -> {
          text.row(result.stat());
          result.stat().refused().forEach(reason -> text.unreadable(result.stat().path(), reason));
          result
              .cache()
              .forEach(one -> cacheRows.add(() -> cacheText.row(result.stat().path(), one)));
        }
        case JSON -> objects.orElseThrow().add(result.toJson());
      }
    });
  }

  @Override
  public void unreadable(String path, String reason) {
    incomplete = true;
    switch (options.form()) {
      case TEXT -> text.unreadable(path, reason);
      case JSON ->
          objects.orElseThrow().add(Json.object().with("path", path).with("unreadable", reason));
    }
  }
}
