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

/** Prints the statistics of one dataset or of all in a file. */
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
    Told told = tell(dataset);
    switch (options.form()) {
      case TEXT -> {
        text.page(told.stat());
        told.cache().forEach(cacheText::page);
      }
      case JSON -> out.println(told.toJson().text());
    }
  }

  /** A dataset, and what the cache did with it in each order. */
  private record Told(DatasetStat stat, List<CacheStat> cache) {
    Json.Members toJson() {
      Json.Members json = stat.toJson();
      return cache.isEmpty()
          ? json
          : json.with("cache", new Json.Items(cache.stream().map(CacheStat::toJson).toList()));
    }
  }

  private Told tell(Dataset dataset) {
    DatasetStat stat = DatasetStat.of(dataset);
    List<CacheStat> cache =
        stat.storage().chunk().isEmpty()
            ? List.of()
            : options.trial().orders().stream().map(order -> cache(dataset, order)).toList();
    return new Told(stat, cache);
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
    Optional<Told> found = Optional.empty();
    try {
      found = Optional.of(tell(dataset));
    } catch (CollectiveException e) {
      unreadable(dataset.shownPath(), e.reason());
    } catch (FormatException
        | JobException
        | MemoryLimitException
        | UnsupportedFeatureException
        | UntrustedFileException e) {
      unreadable(dataset.shownPath(), String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError e) {
      // A dataset can claim any size; the others are told all the same.
      unreadable(dataset.shownPath(), String.valueOf(MemoryLimit.exhausted(e).getMessage()));
    }
    found.ifPresent(told -> {
      switch (options.form()) {
        case TEXT -> {
          text.row(told.stat());
          told.stat().refused().forEach(reason -> text.unreadable(told.stat().path(), reason));
          told.cache().forEach(one -> cacheRows.add(() -> cacheText.row(told.stat().path(), one)));
        }
        case JSON -> objects.orElseThrow().add(told.toJson());
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
