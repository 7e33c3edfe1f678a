package io.skerry.integration.interop.virtual;

import io.skerry.parallel.VirtualView;
import java.util.ArrayList;
import java.util.List;

/**
 * A virtual dataset over sources that are created and changed step by step, and the reads after
 * each step. Extents and selections are texts in the format of {@link PrintedMappings}; {@code -1}
 * is unlimited.
 */
final class LibraryCase {
  /** The name of the source file; the virtual dataset is in virtual.h5. */
  static final String OTHER = "other.h5";

  private final String name;
  private final List<String> dataset;
  private final List<List<String>> maps = new ArrayList<>();
  private final List<List<String>> steps = new ArrayList<>();
  private final List<VirtualView> views = new ArrayList<>();
  private final List<String> reads = new ArrayList<>(List.of("all"));

  private LibraryCase(String name, List<String> dataset) {
    this.name = name;
    this.dataset = dataset;
    this.views.add(VirtualView.standard());
  }

  static LibraryCase of(String name, String extent, String maximum) {
    return new LibraryCase(name, List.of(extent, maximum, "-1"));
  }

  /** Creates a case with a virtual dataset whose extent is fixed. */
  static LibraryCase of(String name, String extent) {
    return of(name, extent, extent);
  }

  /** Returns the text of a hyperslab. */
  static String slab(String start, String stride, String count, String block) {
    return String.join(" ", "slab", start, stride, count, block);
  }

  /** Returns the text of a box of consecutive elements; -1 in the size is unlimited. */
  static String box(String start, String size) {
    String ones = size.replaceAll("-?\\d+", "1");
    return slab(start, ones, size, ones);
  }

  LibraryCase map(String file, String source, String extent, String from, String to) {
    String growing = from.contains("-1") ? extent.replaceAll("\\d+", "-1") : extent;
    maps.add(List.of(file, source, extent, growing, from, to));
    return this;
  }

  /** Adds a step that creates a dataset of 32-bit integers with a fixed extent and fills it. */
  LibraryCase source(String file, String path, String extent, int first) {
    return source(file, path, extent, first, "<i4");
  }

  LibraryCase source(String file, String path, String extent, int first, String type) {
    steps.add(List.of("create", file, path, extent, extent, "", type));
    return write(file, path, extent.replaceAll("\\d+", "0"), extent, first);
  }

  /** Adds a step that creates a dataset that can grow. */
  LibraryCase growing(String file, String path, String extent, String chunk) {
    String unlimited = extent.replaceAll("\\d+", "-1");
    steps.add(List.of("create", file, path, extent, unlimited, chunk, "<i4"));
    return this;
  }

  LibraryCase extend(String file, String path, String extent) {
    steps.add(List.of("extend", file, path, extent));
    return this;
  }

  /** Adds a step that writes consecutive numbers into a box. */
  LibraryCase write(String file, String path, String start, String size, int first) {
    steps.add(List.of("write", file, path, start, size, Integer.toString(first)));
    return this;
  }

  /** Adds both views of the dataset, the one of the last available element with each gap. */
  LibraryCase bothViews(long... gaps) {
    for (long gap : gaps) {
      views.add(new VirtualView(VirtualView.End.LAST_AVAILABLE, gap));
    }
    views.add(new VirtualView(VirtualView.End.FIRST_MISSING, 0));
    return this;
  }

  LibraryCase read(String selection) {
    reads.add(selection);
    return this;
  }

  /** Returns the case with its sources in the file of the virtual dataset. */
  LibraryCase inSameFile() {
    LibraryCase same = new LibraryCase(name + "-same", dataset);
    maps.forEach(map -> same.maps.add(inSameFile(map, 0)));
    steps.forEach(step -> same.steps.add(inSameFile(step, 1)));
    same.views.clear();
    same.views.addAll(views);
    same.reads.clear();
    same.reads.addAll(reads);
    return same;
  }

  private static List<String> inSameFile(List<String> fields, int file) {
    List<String> changed = new ArrayList<>(fields);
    if (changed.get(file).equals(OTHER)) {
      changed.set(file, ".");
    }
    return changed;
  }

  /** Returns the lines that describe the case to {@code library_cases.py}. */
  List<String> lines(String libver) {
    List<String> lines = new ArrayList<>();
    lines.add("case\t" + name + "\t" + libver + "\t" + String.join("\t", dataset));
    maps.forEach(map -> lines.add("map\t" + String.join("\t", map)));
    views.forEach(view -> lines.add("view\t" + view.end() + "\t" + view.gap()));
    reads.forEach(read -> lines.add("read\t" + read));
    steps.forEach(step -> lines.add(String.join("\t", step)));
    return lines;
  }

  String name() {
    return name;
  }

  String extent() {
    return dataset.get(0);
  }

  String maximum() {
    return dataset.get(1);
  }

  int fill() {
    return Integer.parseInt(dataset.get(2));
  }

  /** Returns the mappings: file, dataset, its extent and maximum, source and virtual selection. */
  List<List<String>> maps() {
    return List.copyOf(maps);
  }

  List<List<String>> steps() {
    return List.copyOf(steps);
  }

  List<VirtualView> views() {
    return List.copyOf(views);
  }

  List<String> reads() {
    return List.copyOf(reads);
  }

  @Override
  public String toString() {
    return name;
  }
}
