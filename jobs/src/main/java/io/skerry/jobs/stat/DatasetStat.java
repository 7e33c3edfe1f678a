package io.skerry.jobs.stat;

import io.skerry.Dataset;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.virtual.MappingSummary;
import io.skerry.selection.Selection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The reported properties of one dataset.
 *
 * @param path the absolute path, shortened if it is long
 * @param extent the extent of each dimension
 * @param maximum the maximum extent of each dimension; {@link io.skerry.selection.Shape#UNLIMITED}
 *     for no limit
 * @param shape the extent and the maximum extent as text; {@code "null"} for a null dataspace
 * @param type the datatype as text
 * @param sparse true if the dataset is sparse
 * @param storage the layout, chunk shape and filters
 * @param statistics the storage statistics
 * @param mappings the mappings of a virtual dataset; empty for any other dataset
 * @param refused messages about files that the trust policy refuses
 */
record DatasetStat(
    String path,
    List<Long> extent,
    List<Long> maximum,
    String shape,
    String type,
    boolean sparse,
    StorageInfo storage,
    StorageStatistics statistics,
    Optional<MappingSummary> mappings,
    List<String> refused) {

  static DatasetStat of(Dataset dataset) {
    return new DatasetStat(
        dataset.shownPath(),
        Arrays.stream(dataset.shape().extent()).boxed().toList(),
        Arrays.stream(dataset.shape().maximum()).boxed().toList(),
        dataset.isNull() ? "null" : dataset.shape().toString(),
        String.valueOf(dataset.datatype()),
        dataset.isSparse(),
        dataset.storage(),
        dataset.statistics(),
        MappingSummary.of(dataset),
        dataset.refusedFiles());
  }

  /** Returns the quotient of two numbers; 0 if the divisor is 0. */
  static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  /**
   * Returns the average number of stored bytes per defined element, including the bytes that encode
   * its location.
   */
  double bytesPerDefined() {
    return share(statistics.dataBytes(), statistics.defined());
  }

  /** Returns the compression ratio of all sections: unfiltered size divided by stored size. */
  double ratio() {
    long unfiltered =
        statistics.sections().stream()
            .mapToLong(StorageStatistics.SectionUsage::unfilteredBytes)
            .sum();
    return share(unfiltered, statistics.dataBytes());
  }

  Json.Members toJson() {
    Json.Members json =
        Json.object()
            .with("path", path)
            .with("shape", Json.numbers(extent))
            .with("maximum", Json.limits(maximum))
            .with("type", type)
            .with("layout", storage.layout())
            .with("filters", Json.texts(storage.filters()))
            .with("elements", statistics.elements())
            .with("defined", statistics.defined())
            .with("density", share(statistics.defined(), statistics.elements()))
            .with("dataBytes", statistics.dataBytes())
            .with("ratio", ratio())
            .with("bytesPerDefined", bytesPerDefined())
            .with("sections", sections());
    Json.Members whole = storage.chunk().isEmpty() ? json : withChunks(json);
    if (mappings.isPresent()) {
      whole = whole.with("mappings", mappings.get().toJson());
    }
    return refused.isEmpty() ? whole : whole.with("refused", Json.texts(refused));
  }

  private Json sections() {
    return new Json.Items(
        statistics.sections().stream()
            .<Json>map(section ->
                Json.object()
                    .with("name", section.name())
                    .with("storedBytes", section.storedBytes())
                    .with("unfilteredBytes", section.unfilteredBytes()))
            .toList());
  }

  private Json.Members withChunks(Json.Members json) {
    Json.Members more =
        json.with("chunk", Json.numbers(storage.chunk()))
            .with("index", storage.index())
            .with("indexBytes", statistics.indexBytes())
            .with("chunks", statistics.chunks())
            .with("reachableChunks", statistics.reachableChunks())
            .with("allocatedElements", statistics.allocatedElements())
            .with("densityInChunks", share(statistics.defined(), statistics.allocatedElements()))
            .with("skippingChunks", statistics.skippingChunks())
            .with("breaks", statistics.fragmentation().breaks())
            .with("holes", statistics.fragmentation().holes())
            .with("holeBytes", statistics.fragmentation().holeBytes());
    if (!sparse) {
      return more;
    }
    Json.Members forms = Json.object();
    for (Selection.Form form : Selection.Form.values()) {
      forms = forms.with(name(form), statistics.forms().getOrDefault(form, 0L));
    }
    more = more.with("locationForms", forms);
    if (statistics.dense().isPresent()) {
      StorageStatistics.DenseEstimate dense = statistics.dense().get();
      more =
          more.with(
              "dense",
              Json.object()
                  .with("bytes", dense.bytes())
                  .with("sampledChunks", dense.sampledChunks())
                  .with("unfilteredBytes", dense.plainBytes())
                  .with("smaller", Json.truth(statistics.wouldBeSmallerDense())));
    }
    return more;
  }

  static String name(Selection.Form form) {
    return form.name().toLowerCase(Locale.ROOT);
  }
}
