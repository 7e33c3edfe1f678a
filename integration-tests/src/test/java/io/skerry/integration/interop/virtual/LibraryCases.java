package io.skerry.integration.interop.virtual;

import static io.skerry.integration.interop.virtual.LibraryCase.OTHER;
import static io.skerry.integration.interop.virtual.LibraryCase.box;
import static io.skerry.integration.interop.virtual.LibraryCase.slab;

import java.util.ArrayList;
import java.util.List;

/** The cases of {@link LibraryVirtualTest}, in the groups of its table. */
final class LibraryCases {
  private LibraryCases() {}

  static List<LibraryCase> all() {
    List<LibraryCase> cases = new ArrayList<>();
    for (LibraryCase each : withSourcesInAnyFile()) {
      cases.add(each);
      cases.add(each.inSameFile());
    }
    cases.addAll(withSourcesInSeveralFiles());
    return cases;
  }

  /** Returns the lines that describe cases to {@code library_cases.py}. */
  static List<String> lines(List<LibraryCase> cases, String libver) {
    return cases.stream().flatMap(each -> each.lines(libver).stream()).toList();
  }

  private static List<LibraryCase> withSourcesInAnyFile() {
    List<LibraryCase> cases = new ArrayList<>();
    cases.addAll(mappingKinds());
    cases.addAll(basic());
    cases.addAll(unlimited());
    cases.addAll(blocks());
    cases.add(mixed());
    return cases;
  }

  private static List<LibraryCase> mappingKinds() {
    LibraryCase many = LibraryCase.of("many-mappings", "40,3");
    for (int i = 0; i < 40; i++) {
      many.map(OTHER, "d" + i % 7, "7,3", box(i % 5 + ",0", "1,3"), box(i + ",0", "1,3"));
    }
    for (int i = 0; i < 6; i++) {
      many.source(OTHER, "d" + i, "7,3", 100 * i);
    }
    return List.of(
        LibraryCase.of("all-of-all", "6,14")
            .map(OTHER, "d", "6,14", "all", "all")
            .source(OTHER, "d", "6,14", 1)
            .read(box("2,3", "3,7"))
            .read("points 5,13 0,0 2,2"),
        LibraryCase.of("pattern-to-blocks", "6,14")
            .map(OTHER, "d", "6,14", slab("1,2", "3,4", "2,3", "2,3"), "blocks 0,0 3,8 4,1 2,6")
            .source(OTHER, "d", "6,14", 1)
            .read(box("1,1", "5,10"))
            .read(slab("0,0", "2,3", "3,4", "1,2")),
        many,
        LibraryCase.of("no-mappings", "2,3"),
        LibraryCase.of("no-elements", "2,3").map(OTHER, "d", "4", "none", "none"));
  }

  private static String checkerboard(int first) {
    StringBuilder text = new StringBuilder("blocks");
    for (int row = 0; row < 8; row++) {
      for (int column = (row + first) % 2; column < 10; column += 2) {
        text.append(" ").append(row).append(",").append(column).append(" 1,1");
      }
    }
    return text.toString();
  }

  private static List<LibraryCase> basic() {
    return List.of(
        LibraryCase.of("percent-in-dataset-names", "5,12")
            .map(OTHER, "%%left", "5,6", "all", box("0,0", "5,6"))
            .map(OTHER, "right%%", "5,6", "all", box("0,6", "5,6"))
            .source(OTHER, "%left", "5,6", 0)
            .source(OTHER, "right%", "5,6", 100)
            .read(box("1,4", "2,4"))
            .read("points 4,11 0,5 0,6"),
        LibraryCase.of("columns-to-rows", "8,14")
            .map(OTHER, "a", "8,14", box("0,0", "8,7"), box("0,0", "4,14"))
            .map(OTHER, "b", "8,14", box("0,7", "8,7"), box("4,0", "4,14"))
            .source(OTHER, "a", "8,14", 0)
            .source(OTHER, "b", "8,14", 1000)
            .read(box("0,0", "8,7"))
            .read(slab("1,1", "2,3", "3,4", "1,2")),
        LibraryCase.of("checkerboard", "8,10")
            .map(OTHER, "a", "8,10", slab("0,0", "1,2", "1,5", "8,1"), checkerboard(0))
            .map(OTHER, "b", "8,10", slab("0,1", "1,2", "1,5", "8,1"), checkerboard(1))
            .source(OTHER, "a", "8,10", 0)
            .source(OTHER, "b", "8,10", 500)
            .read(slab("0,0", "1,2", "1,5", "8,1"))
            .read(slab("0,1", "3,2", "3,5", "1,1")),
        LibraryCase.of("four-dimensions-of-three", "3,3,3,3")
            .map(
                OTHER,
                "d",
                "2,4,4",
                slab("0,0,0", "1,2,1", "1,2,1", "2,1,4"),
                slab("0,0,0,0", "2,2,2,2", "2,2,2,2", "1,1,1,1"))
            .map(
                OTHER,
                "d",
                "2,4,4",
                slab("0,1,0", "1,2,1", "1,2,1", "2,1,4"),
                "blocks 1,0,0,0 1,2,2,3 1,2,2,0 1,1,1,3 1,2,1,1 1,1,1,1")
            .source(OTHER, "d", "2,4,4", 1)
            .read(box("0,0,1,0", "3,3,1,3"))
            .read(box("1,0,0,0", "1,3,3,2")),
        LibraryCase.of("three-rows-of-blocks", "6,10")
            .map(OTHER, "a", "2,10", "all", box("0,0", "2,10"))
            .map(OTHER, "b", "2,10", "all", box("2,0", "2,10"))
            .map(OTHER, "c", "2,10", "all", box("4,0", "2,10"))
            .source(OTHER, "a", "2,10", 0)
            .source(OTHER, "b", "2,10", 100)
            .source(OTHER, "c", "2,10", 200)
            .read(box("1,3", "4,5"))
            .read(slab("1,0", "2,4", "3,3", "1,2")),
        LibraryCase.of("stripes-in-three-dimensions", "5,6,4")
            .map(OTHER, "a", "5,6", "all", slab("0,0,0", "1,2,2", "1,3,2", "5,1,1"))
            .map(OTHER, "b", "5,6", "all", slab("0,0,1", "1,2,2", "1,3,2", "5,1,1"))
            .source(OTHER, "a", "5,6", 0)
            .source(OTHER, "b", "5,6", 100)
            .read(box("0,1,0", "5,3,2")),
        LibraryCase.of("overlapping", "4,6")
            .map(OTHER, "a", "4,6", "all", "all")
            .map(OTHER, "b", "2,3", "all", box("1,2", "2,3"))
            .map(OTHER, "c", "2,3", "all", box("2,3", "2,3"))
            .source(OTHER, "a", "4,6", 0)
            .source(OTHER, "b", "2,3", 100)
            .source(OTHER, "c", "2,3", 200),
        LibraryCase.of("converted", "3,8")
            .map(OTHER, "short", "8", "all", box("0,0", "1,8"))
            .map(OTHER, "long", "8", "all", box("1,0", "1,8"))
            .map(OTHER, "double", "8", "all", box("2,0", "1,8"))
            .source(OTHER, "short", "8", 10, "<i2")
            .source(OTHER, "long", "8", 20, "<i8")
            .source(OTHER, "double", "8", 30, "<f8"),
        LibraryCase.of("frames-of-files", "15,2,3")
            .map(OTHER, "a", "4,2,3", "all", box("0,0,0", "4,2,3"))
            .map(OTHER, "b", "4,2,3", "all", box("4,0,0", "4,2,3"))
            .map(OTHER, "c", "7,2,3", "all", box("8,0,0", "7,2,3"))
            .source(OTHER, "a", "4,2,3", 0)
            .source(OTHER, "c", "7,2,3", 900)
            .read(box("3,1,1", "6,1,2")),
        LibraryCase.of("gaps-between-modules", "3,11,4")
            .map(OTHER, "a", "3,2,4", "all", box("0,0,0", "3,2,4"))
            .map(OTHER, "b", "3,2,4", "all", box("0,4,0", "3,2,4"))
            .map(OTHER, "c", "3,2,4", "all", box("0,9,0", "3,2,4"))
            .source(OTHER, "a", "3,2,4", 0)
            .source(OTHER, "b", "3,2,4", 100)
            .source(OTHER, "c", "3,2,4", 200)
            .read(box("1,1,0", "2,9,3")),
        LibraryCase.of("frames-in-turn", "11,2,2")
            .map(OTHER, "a", "4,2,2", "all", slab("0,0,0", "3,1,1", "4,1,1", "1,2,2"))
            .map(OTHER, "b", "4,2,2", "all", slab("1,0,0", "3,1,1", "4,1,1", "1,2,2"))
            .map(OTHER, "c", "3,2,2", "all", slab("2,0,0", "3,1,1", "3,1,1", "1,2,2"))
            .source(OTHER, "a", "4,2,2", 0)
            .source(OTHER, "b", "4,2,2", 100)
            .source(OTHER, "c", "3,2,2", 200)
            .read(box("2,0,1", "7,2,1")),
        LibraryCase.of("irregular-elements", "30")
            .map(OTHER, "d", "6", "all", "blocks 3 1 6 1 20 2 25 1 29 1")
            .source(OTHER, "d", "6", 10)
            .read("points 29 3 6 4 21 20"));
  }

  private static List<LibraryCase> unlimited() {
    return List.of(
        LibraryCase.of("rows-of-two-sources", "8,6", "8,18")
            .map(OTHER, "a", "4,6", box("0,0", "4,-1"), box("0,0", "4,-1"))
            .map(OTHER, "b", "4,6", box("0,0", "4,-1"), box("4,0", "4,-1"))
            .growing(OTHER, "a", "4,6", "3,4")
            .growing(OTHER, "b", "4,6", "3,4")
            .write(OTHER, "a", "0,0", "4,6", 0)
            .write(OTHER, "b", "0,0", "4,6", 100)
            .extend(OTHER, "a", "4,11")
            .write(OTHER, "a", "0,6", "4,5", 200)
            .extend(OTHER, "b", "4,18")
            .write(OTHER, "b", "0,6", "4,12", 300)
            .extend(OTHER, "b", "4,9")
            .read(box("3,0", "2,6"))
            .bothViews(),
        LibraryCase.of("columns-in-turn", "5,4", "5,20")
            .map(OTHER, "a", "5,2", box("0,0", "5,-1"), slab("0,0", "1,2", "1,-1", "5,1"))
            .map(OTHER, "b", "5,2", box("0,0", "5,-1"), slab("0,1", "1,2", "1,-1", "5,1"))
            .growing(OTHER, "a", "5,2", "2,2")
            .growing(OTHER, "b", "5,2", "2,2")
            .write(OTHER, "a", "0,0", "5,2", 0)
            .write(OTHER, "b", "0,0", "5,2", 100)
            .extend(OTHER, "a", "5,6")
            .write(OTHER, "a", "0,2", "5,4", 200)
            .extend(OTHER, "b", "5,5")
            .bothViews(),
        LibraryCase.of("pairs-of-columns-in-turn", "3,4", "3,40")
            .map(OTHER, "a", "3,4", box("0,0", "3,-1"), slab("0,0", "1,6", "1,-1", "3,2"))
            .map(OTHER, "b", "3,4", box("0,0", "3,-1"), slab("0,2", "1,6", "1,-1", "3,2"))
            .map(OTHER, "c", "3,2", box("0,0", "3,-1"), slab("0,4", "1,6", "1,-1", "3,2"))
            .growing(OTHER, "a", "3,4", "2,2")
            .growing(OTHER, "b", "3,3", "2,2")
            .growing(OTHER, "c", "3,2", "2,2")
            .write(OTHER, "a", "0,0", "3,4", 0)
            .write(OTHER, "b", "0,0", "3,3", 100)
            .write(OTHER, "c", "0,0", "3,2", 200)
            .extend(OTHER, "a", "3,7")
            .extend(OTHER, "c", "3,5")
            .extend(OTHER, "b", "3,6")
            .bothViews(),
        LibraryCase.of("offset-starts", "8,5", "8,30")
            .map(OTHER, "a", "4,0", box("0,0", "4,-1"), box("0,7", "4,-1"))
            .map(OTHER, "b", "4,5", box("0,0", "4,-1"), box("4,0", "4,-1"))
            .growing(OTHER, "a", "4,0", "2,2")
            .growing(OTHER, "b", "4,5", "2,2")
            .write(OTHER, "b", "0,0", "4,5", 100)
            .extend(OTHER, "a", "4,5")
            .write(OTHER, "a", "0,0", "4,5", 200)
            .bothViews(),
        LibraryCase.of("block-without-end", "3,4", "-1,4")
            .map(
                OTHER,
                "a",
                "3,4",
                slab("1,0", "1,1", "1,1", "-1,4"),
                slab("0,0", "1,1", "1,1", "-1,4"))
            .growing(OTHER, "a", "3,4", "2,2")
            .write(OTHER, "a", "0,0", "3,4", 0)
            .extend(OTHER, "a", "6,4")
            .extend(OTHER, "a", "1,4")
            .bothViews(),
        LibraryCase.of("every-third-row", "0,3", "-1,3")
            .map(
                OTHER,
                "a",
                "7,3",
                slab("1,0", "3,1", "-1,1", "2,3"),
                slab("0,0", "4,1", "-1,1", "3,3"))
            .growing(OTHER, "a", "7,3", "2,3")
            .write(OTHER, "a", "0,0", "7,3", 0)
            .extend(OTHER, "a", "12,3")
            .write(OTHER, "a", "7,0", "5,3", 100)
            .extend(OTHER, "a", "13,3")
            .bothViews());
  }

  private static List<LibraryCase> blocks() {
    LibraryCase gaps =
        LibraryCase.of("gaps-in-blocks", "2,0", "2,40")
            .map(OTHER, "d%b", "2,1", "all", slab("0,0", "1,1", "1,-1", "2,1"))
            .bothViews(1, 2, 3, 4);
    for (int number : new int[] {0, 1, 3, 6, 10, 15}) {
      gaps.source(OTHER, "d" + number, "2,1", 10 * number);
    }
    return List.of(
        LibraryCase.of("one-source-per-block", "6,0", "6,40")
            .map(OTHER, "d%b", "6,4", "all", slab("0,0", "1,4", "1,-1", "6,4"))
            .source(OTHER, "d0", "6,4", 0)
            .source(OTHER, "d1", "6,4", 100)
            .source(OTHER, "d2", "6,4", 200)
            .read(box("1,1", "4,2"))
            .read(box("0,3", "6,6"))
            .bothViews(),
        gaps,
        LibraryCase.of("blocks-in-turn", "4,0", "4,40")
            .map(OTHER, "%ba%b%%", "4,3", box("0,0", "4,1"), slab("0,0", "1,2", "1,-1", "4,1"))
            .map(OTHER, "b%b%%%%", "4,1", "all", slab("0,1", "1,2", "1,-1", "4,1"))
            .source(OTHER, "0a0%", "4,3", 0)
            .source(OTHER, "b0%%", "4,1", 100)
            .source(OTHER, "b1%%", "4,1", 200)
            .source(OTHER, "2a2%", "4,3", 300)
            .bothViews(1),
        LibraryCase.of("blocks-side-by-side", "8,0", "8,60")
            .map(OTHER, "a%b", "24", box("0", "12"), slab("0,0", "1,3", "1,-1", "4,3"))
            .map(OTHER, "b%b", "24", "all", slab("4,0", "1,6", "1,-1", "4,6"))
            .source(OTHER, "a0", "24", 0)
            .source(OTHER, "b0", "24", 100)
            .source(OTHER, "a1", "24", 200)
            .source(OTHER, "a2", "24", 300)
            .bothViews(),
        LibraryCase.of("a-large-gap", "3,0", "3,40")
            .map(OTHER, "d%b", "3,1", "all", slab("0,0", "1,1", "1,-1", "3,1"))
            .source(OTHER, "d0", "3,1", 0)
            .bothViews(127),
        LibraryCase.of("blocks-after-a-gap", "2,0", "2,40")
            .map(OTHER, "a%b", "1,2", "all", slab("0,0", "1,2", "1,-1", "1,2"))
            .map(OTHER, "b%b", "1,2", "all", slab("1,0", "1,2", "1,-1", "1,2"))
            .source(OTHER, "a0", "1,2", 0)
            .source(OTHER, "a2", "1,2", 20)
            .source(OTHER, "b0", "1,2", 100)
            .source(OTHER, "b1", "1,2", 110)
            .source(OTHER, "b2", "1,2", 120)
            .bothViews(1),
        LibraryCase.of("blocks-with-space-between", "0,3", "-1,3")
            .map(OTHER, "d%b", "2,3", "all", slab("1,0", "5,1", "-1,1", "2,3"))
            .source(OTHER, "d0", "2,3", 0)
            .source(OTHER, "d1", "2,3", 100)
            .source(OTHER, "d3", "2,3", 300)
            .bothViews(1));
  }

  /** Returns a limited mapping, an unlimited one, and one with a source per block. */
  private static LibraryCase mixed() {
    return LibraryCase.of("mixed", "6,6", "12,12")
        .map(OTHER, "fixed", "3,3", "all", box("3,3", "3,3"))
        .map(
            OTHER,
            "rows",
            "0,3",
            slab("0,0", "1,1", "1,1", "-1,3"),
            slab("3,0", "1,1", "1,1", "-1,3"))
        .map(OTHER, "block%b", "3,2", "all", slab("0,2", "1,3", "1,-1", "3,2"))
        .source(OTHER, "fixed", "3,3", 0)
        .growing(OTHER, "rows", "0,3", "2,2")
        .extend(OTHER, "rows", "2,3")
        .write(OTHER, "rows", "0,0", "2,3", 100)
        .source(OTHER, "block0", "3,2", 200)
        .extend(OTHER, "rows", "3,3")
        .source(OTHER, "block1", "3,2", 300)
        .extend(OTHER, "rows", "8,3")
        .write(OTHER, "rows", "3,0", "5,3", 400)
        .source(OTHER, "block2", "3,2", 500);
  }

  private static List<LibraryCase> withSourcesInSeveralFiles() {
    return List.of(
        LibraryCase.of("percent-in-file-name", "4,6")
            .map("100%%.h5", "a", "4,3", "all", box("0,0", "4,3"))
            .map("100%%.h5", "b", "4,3", "all", box("0,3", "4,3"))
            .source("100%.h5", "a", "4,3", 0)
            .source("100%.h5", "b", "4,3", 100)
            .read(box("0,0", "4,3"))
            .read(box("0,3", "4,3")),
        LibraryCase.of("one-file-per-block", "3,0", "3,40")
            .map("run%b.h5", "d", "3,4", "all", slab("0,0", "1,4", "1,-1", "3,4"))
            .source("run0.h5", "d", "3,4", 0)
            .source("run1.h5", "d", "3,4", 100)
            .source("run3.h5", "d", "3,4", 300)
            .bothViews(1),
        LibraryCase.of("file-and-dataset-per-block", "3,0", "3,40")
            .map("run%b.h5", "%%d%%%%%b", "3,4", "all", slab("0,0", "1,4", "1,-1", "3,4"))
            .source("run0.h5", "%d%%0", "3,4", 0)
            .source("run1.h5", "%d%%1", "3,4", 100)
            .bothViews(),
        LibraryCase.of("missing-file-and-dataset", "3,4")
            .map("nowhere.h5", "d", "4", "all", box("0,0", "1,4"))
            .map(OTHER, "nothing", "4", "all", box("1,0", "1,4"))
            .map(OTHER, "d", "4", "all", box("2,0", "1,4"))
            .source(OTHER, "d", "4", 10));
  }

  /** Returns mappings that may be refused. */
  static List<LibraryCase> doubtful() {
    String rows = slab("0,0", "1,1", "-1,1", "1,4");
    String blocks = slab("0,0", "2,1", "-1,1", "2,4");
    return List.of(
        doubt("points", "d", "points 1,1 2,2", "points 0,0 3,3"),
        doubt("points-of-the-source", "d", "points 1,1 2,2", box("0,0", "1,2")),
        doubt("points-of-the-virtual-dataset", "d", box("0,0", "1,2"), "points 0,0 3,3"),
        doubt("fewer-elements", "d", box("0,0", "2,3"), box("0,0", "2,4")),
        doubt("more-elements", "d", box("0,0", "4,4"), box("0,0", "2,4")),
        doubt("other-form", "d", box("0,0", "4,2"), box("0,0", "2,4")),
        doubt("block-number-of-a-limited-selection", "d%b", "all", "all"),
        doubt(
            "block-number-in-the-dataset-of-a-limited-selection", "d%b", "all", box("0,0", "4,4")),
        doubt("block-number-of-an-unlimited-source", "d%b", rows, rows),
        doubt("block-of-other-size", "d%b", box("0,0", "2,3"), blocks),
        doubt("block-of-same-size", "d%b", box("0,0", "2,4"), blocks),
        doubt(
            "block-of-unlimited-size", "d%b", box("0,0", "2,4"), slab("0,0", "1,1", "1,1", "-1,4")),
        doubt("unlimited-source-only", "d", rows, box("0,0", "4,4")),
        doubt("unlimited-virtual-selection-only", "d", box("0,0", "4,4"), rows),
        doubt("both-unlimited", "d", rows, rows),
        doubt("slices-of-other-size", "d", slab("0,0", "1,1", "-1,1", "1,3"), rows),
        doubt("slices-of-same-size", "d", slab("0,0", "1,1", "2,-1", "2,1"), rows),
        doubt("beyond-the-end", "d", box("0,0", "2,4"), box("3,0", "2,4")),
        doubt("other-percent", "d%d", "all", "all"),
        doubt("last-percent", "d%", "all", "all"),
        doubt("two-percents", "d%%", "all", "all"));
  }

  private static LibraryCase doubt(String name, String dataset, String from, String to) {
    return LibraryCase.of(name, "4,4", "-1,4").map(OTHER, dataset, "4,4", from, to);
  }
}
