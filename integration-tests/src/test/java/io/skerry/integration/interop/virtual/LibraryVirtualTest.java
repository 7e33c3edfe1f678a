package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Repeats the virtual dataset tests of HDF5 and h5py. HDF5 2.0.0 creates the files of each case and
 * reads them after each step, in both views and with gaps. Skerry must read the same values from
 * them, from equal files that it creates for HDF5, and from its own files while they are open.
 *
 * <table>
 * <caption>Groups</caption>
 * <tr><th>group</th><th>cases</th></tr>
 * <tr><td>vds.c, API: all, hyperslab and composite hyperslab, many mappings, no mappings; points
 *   refused</td><td>all-of-all, pattern-to-blocks, many-mappings, no-mappings, no-elements; the
 *   mappings that are refused. A layout that is read back from the open or reopened dataset: {@code
 *   VirtualDatasetsForOthersTest}, {@code CreateVirtualCases}. Sizes of the blocks: the bytes are
 *   compared in {@code VirtualMappingsTest}.</td></tr>
 * <tr><td>vds.c, basic I/O 1 to 10</td><td>all-of-all, percent-in-dataset-names, percent-in-file-name,
 *   columns-to-rows, checkerboard, four-dimensions-of-three, three-rows-of-blocks,
 *   stripes-in-three-dimensions, overlapping, converted; each with sources in the same and in
 *   another file. Copies: {@code CopiedMappingsTest}, {@code CopiedVirtualElementsTest}.</td></tr>
 * <tr><td>vds.c, unlimited 1 to 4</td><td>rows-of-two-sources, columns-in-turn,
 *   pairs-of-columns-in-turn, offset-starts, block-without-end, every-third-row; sources grow and
 *   shrink between the steps</td></tr>
 * <tr><td>vds.c, printf 1 to 7</td><td>one-source-per-block, gaps-in-blocks, one-file-per-block,
 *   file-and-dataset-per-block, blocks-in-turn, blocks-side-by-side, a-large-gap,
 *   blocks-with-space-between</td></tr>
 * <tr><td>vds.c, mixed mappings</td><td>mixed</td></tr>
 * <tr><td>vds.c and vds_env.c, prefix</td><td>{@code VirtualPrefixTest}, {@code
 *   VirtualPrefixVariableTest}</td></tr>
 * <tr><td>t_pvds.c, t_pvdsunl.c, parallel reads</td><td>all cases on two ranks; {@code
 *   VirtualOnRanksTest}</td></tr>
 * <tr><td>vds_swmr, live runs</td><td>the steps of growing sources; {@code
 *   GrowingVirtualSourcesTest}</td></tr>
 * <tr><td>h5py: Eiger, Excalibur, Percival, indexing, no mappings, unlimited axis, relative
 *   names</td><td>frames-of-files, gaps-between-modules, frames-in-turn, irregular-elements,
 *   no-mappings, missing-file-and-dataset</td></tr>
 * <tr><td>h5dump, h5ls, h5repack of virtual datasets</td><td>{@code VirtualTest}, {@code
 *   MappingsPrintedByH5dumpTest}, {@code CopiedVirtualElementsTest}</td></tr>
 * </table>
 *
 * <p>Omitted, since Skerry has no equivalent: copied, encoded and decoded property lists;
 * selections with an offset, which are stored as the moved selection; memory selections of a read,
 * which is packed; file close degrees; properties of an open dataset, which Skerry has as options
 * of the file; an extent that changes while a dataset is open; extents of the virtual dataset that
 * a program sets.
 */
class LibraryVirtualTest {
  /** The maximum number of reads of a file in which HDF5 2.0.0 fails. */
  private static final int MOST_REFUSED = 16;

  /** The files of HDF5 for each bounds, and what HDF5 reads from them. */
  private static final Map<FormatBounds, List<String>> MADE = new EnumMap<>(FormatBounds.class);

  @TempDir static Path theirs;

  @TempDir Path folder;

  private Optional<Oracle> h5py = Optional.empty();

  @BeforeEach
  void finds_HDF5() {
    h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
  }

  private List<String> run(String mode, FormatBounds bounds, Path target) throws IOException {
    return run(mode, bounds, target, LibraryCases.all());
  }

  private List<String> run(String mode, FormatBounds bounds, Path target, List<LibraryCase> cases)
      throws IOException {
    Path text = Files.write(folder.resolve("cases.txt"), LibraryCases.lines(cases, libver(bounds)));
    ProcessResult ran = h5py.orElseThrow().script(folder, "library_cases.py", mode, text, target);
    return ran.expectSuccess().out().lines().toList();
  }

  private Path theirs(FormatBounds bounds) {
    return theirs.resolve(bounds.name());
  }

  /** Creates the files with HDF5, once for each bounds, and returns what HDF5 reads from them. */
  private List<String> expected(FormatBounds bounds) throws IOException {
    if (!MADE.containsKey(bounds)) {
      MADE.put(bounds, run("make", bounds, theirs(bounds)));
    }
    return MADE.get(bounds);
  }

  private static String libver(FormatBounds bounds) {
    return switch (bounds) {
      case EARLIEST -> "earliest";
      case V110 -> "v110";
      case V200 -> "latest";
    };
  }

  private static Map<String, String> byStage(List<String> lines) {
    Map<String, String> found = new TreeMap<>();
    for (String line : lines) {
      String[] fields = line.split("\t", 5);
      found.put(String.join(" ", fields[0], fields[1], fields[2], fields[3]), fields[4]);
    }
    return found;
  }

  private static void assertSame(List<String> expected, List<String> actual) {
    Map<String, String> want = byStage(expected);
    Map<String, String> have = byStage(actual);
    StringBuilder differences = new StringBuilder();
    want.forEach((stage, text) -> {
      if (!isShown(text, have.getOrDefault(stage, "nothing"))) {
        differences.append(stage).append("\n  HDF5:   ").append(text.replace('\t', ' '));
        differences.append("\n  Skerry: ").append(have.get(stage)).append('\n');
      }
    });
    assertEquals("", differences.toString());
    long refused =
        want.values().stream()
            .flatMap(text -> Arrays.stream(text.split("[\t|]", -1)))
            .filter("refused"::equals)
            .count();
    assertTrue(refused <= MOST_REFUSED, "reads that HDF5 refuses: " + refused);
    assertEquals(want.keySet(), have.keySet());
  }

  /** Returns whether Skerry reads the same as HDF5, except for reads in which HDF5 fails. */
  private static boolean isShown(String theirs, String ours) {
    String[] want = theirs.split("[\t|]", -1);
    String[] have = ours.split("[\t|]", -1);
    for (int i = 0; i < want.length; i++) {
      if (want.length != have.length || !want[i].equals("refused") && !want[i].equals(have[i])) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @CsvSource({"EARLIEST, 1", "V110, 1", "V200, 1", "V200, 2"})
  void extents_and_values_of_files_of_HDF5_are_those_of_HDF5(FormatBounds bounds, int ranks)
      throws IOException {
    List<String> expected = expected(bounds);
    for (List<String> shown : LocalRanks.call(ranks, world -> show(world, theirs(bounds)))) {
      assertSame(expected, shown);
    }
  }

  private static List<String> show(Communicator world, Path files) {
    List<String> lines = new ArrayList<>();
    for (LibraryCase each : LibraryCases.all()) {
      lines.addAll(new LibraryCaseFiles(each, files.resolve(each.name())).show(world));
    }
    return lines;
  }

  @ParameterizedTest
  @EnumSource
  void extents_and_values_of_files_of_Skerry_are_the_same_in_HDF5(FormatBounds bounds)
      throws IOException {
    List<String> expected = expected(bounds);
    for (LibraryCase each : LibraryCases.all()) {
      new LibraryCaseFiles(each, folder.resolve("ours").resolve(each.name())).make(bounds);
    }
    assertSame(expected, run("show", bounds, folder.resolve("ours")));
    assertSame(expected, show(Communicator.self(), folder.resolve("ours")));
  }

  @Test
  void changes_of_sources_in_the_same_open_file_are_seen_when_the_dataset_is_opened_again()
      throws IOException {
    List<String> expected =
        expected(FormatBounds.V110).stream()
            .filter(line -> line.contains("-same\t") && line.contains("\tLAST_AVAILABLE\t0\t"))
            .toList();
    List<String> shown = new ArrayList<>();
    for (LibraryCase each : LibraryCases.all()) {
      if (each.name().endsWith("-same")) {
        LibraryCaseFiles files =
            new LibraryCaseFiles(each, folder.resolve("live").resolve(each.name()));
        shown.addAll(files.inOneFile(FormatBounds.V110));
      }
    }
    assertSame(expected, shown);
  }

  @Test
  void exactly_the_mappings_that_HDF5_refuses_are_refused() throws IOException {
    List<LibraryCase> cases = LibraryCases.doubtful();
    List<String> expected = run("try", FormatBounds.V110, folder.resolve("theirs"), cases);
    List<String> actual = new ArrayList<>();
    for (LibraryCase each : cases) {
      LibraryCaseFiles files =
          new LibraryCaseFiles(each, folder.resolve("ours").resolve(each.name()));
      try {
        files.make(FormatBounds.V110);
        actual.add(each.name() + " accepted");
      } catch (IllegalArgumentException e) {
        actual.add(each.name() + " refused");
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", actual));
  }
}
