package io.skerry.jobs.virtual;

import io.skerry.Dataset;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.jobs.report.Json;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A summary of the mappings of a virtual dataset.
 *
 * @param mappings the number of mappings
 * @param files the number of distinct source file names
 * @param datasets the number of distinct source dataset names
 * @param first the first mappings as text
 * @param missing the names of source files that are neither in the folder of the file with the
 *     virtual dataset nor in the working folder, excluding patterns
 */
public record MappingSummary(
    int mappings, int files, int datasets, List<String> first, List<String> missing) {
  private static final int SHOWN = 3;

  public MappingSummary {
    first = List.copyOf(first);
    missing = List.copyOf(missing);
  }

  /** Returns the summary of a dataset; empty if it is not virtual. */
  public static Optional<MappingSummary> of(Dataset dataset) {
    return dataset.virtualLayout().map(layout -> of(layout, dataset.file().path()));
  }

  private static MappingSummary of(VirtualLayout layout, Path file) {
    Set<String> files = new LinkedHashSet<>();
    Set<String> datasets = new LinkedHashSet<>();
    for (VirtualLayout.Mapping mapping : layout.mappings()) {
      files.add(mapping.source().file());
      datasets.add(mapping.source().dataset());
    }
    return new MappingSummary(
        layout.mappings().size(),
        files.size(),
        datasets.size(),
        layout.mappings().stream()
            .limit(SHOWN)
            .map(mapping -> mapping.virtual() + " <- " + mapping.source())
            .toList(),
        files.stream().filter(name -> isMissing(name, file)).toList());
  }

  /**
   * Returns whether a source file is missing, both in the folder of the virtual dataset's file and
   * relative to the working folder; false for a pattern and for the name of the file itself.
   */
  private static boolean isMissing(String name, Path file) {
    if (name.equals(VirtualSource.SAME_FILE) || name.replace("%%", "").contains("%b")) {
      return false;
    }
    try {
      Path path = Path.of(name.replace("%%", "%"));
      return !Files.exists(file.resolveSibling(path)) && !Files.exists(path);
    } catch (InvalidPathException e) {
      return true;
    }
  }

  /** Returns the numbers of mappings, source files, missing files and source datasets, as text. */
  public String text() {
    String lost = missing.isEmpty() ? "" : " (" + missing.size() + " missing)";
    return "%s, %s%s, %s"
        .formatted(
            count(mappings, "mapping"), count(files, "file"), lost, count(datasets, "dataset"));
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /**
   * Returns lines of text: the first mappings, the first missing files, and the numbers of the
   * remaining ones.
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(first);
    if (mappings > first.size()) {
      lines.add("and " + (mappings - first.size()) + " more");
    }
    missing.stream().limit(SHOWN).forEach(name -> lines.add("missing: " + name));
    if (missing.size() > SHOWN) {
      lines.add("and " + (missing.size() - SHOWN) + " more missing");
    }
    return List.copyOf(lines);
  }

  /** Returns the summary as JSON, with the names of at most 1000 missing files. */
  public Json.Members toJson() {
    return Json.object()
        .with("count", mappings)
        .with("files", files)
        .with("datasets", datasets)
        .with("first", Json.texts(first))
        .with("missing", Json.texts(missing.stream().limit(1000).toList()))
        .with("missingCount", missing.size());
  }
}
