package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.format.FormatBounds;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the mappings of the files of all {@link LibraryCases} with h5dump. They must be those that
 * were written and those that Skerry reads. The files are from Skerry with all bounds, and from
 * HDF5 1.10.8 and 2.0.0. h5dump must refuse exactly the files that need a newer version of HDF5.
 */
class MappingsPrintedByH5dumpTest {
  @TempDir Path folder;

  /** Creates the files of all cases. */
  @FunctionalInterface
  private interface Maker {
    void make(Path to) throws IOException;
  }

  @TestFactory
  Stream<DynamicNode> h5dump_prints_the_mappings_that_were_written_and_that_Skerry_reads() {
    return Stream.of(
        hdf5("1.10.8", "earliest", FormatBounds.EARLIEST),
        hdf5("1.10.8", "latest", FormatBounds.V110),
        hdf5("2.0.0", "v110", FormatBounds.V110),
        skerry(FormatBounds.EARLIEST),
        skerry(FormatBounds.V110),
        skerry(FormatBounds.V200));
  }

  private DynamicNode hdf5(String version, String libver, FormatBounds bounds) {
    return cases(
        "HDF5 " + version + " " + libver,
        bounds,
        to -> {
          Optional<Oracle> h5py = Oracle.h5py(version);
          assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 " + version);
          Path text = folder.resolve("cases.txt");
          Files.write(text, LibraryCases.lines(LibraryCases.all(), libver));
          String tried =
              h5py.get().script(folder, "library_cases.py", "try", text, to).expectSuccess().out();
          assertFalse(tried.contains("refused"), tried);
        });
  }

  private DynamicNode skerry(FormatBounds bounds) {
    return cases(
        "Skerry " + bounds,
        bounds,
        to -> {
          for (LibraryCase each : LibraryCases.all()) {
            new LibraryCaseFiles(each, to.resolve(each.name())).create(bounds);
          }
        });
  }

  /** Returns a test that creates and prints the files, and one for each case. */
  private DynamicNode cases(String by, FormatBounds bounds, Maker maker) {
    Path files = folder.resolve(by);
    Map<Path, String> printed = new HashMap<>();
    DynamicNode make =
        dynamicTest(
            "the files are created and printed",
            () -> {
              assumeTrue(Oracle.tool("h5dump").isPresent(), "skipped: no h5dump");
              maker.make(files);
              printed.putAll(printed(files, bounds));
            });
    Stream<DynamicNode> cases =
        LibraryCases.all().stream()
            .map(each ->
                dynamicTest(
                    each.name(),
                    () -> {
                      assumeTrue(Files.exists(files), "skipped: the files were not created");
                      Path file = virtual(files, each);
                      compare(each, file, Optional.ofNullable(printed.get(file)));
                    }));
    return dynamicContainer(by, Stream.concat(Stream.of(make), cases));
  }

  /**
   * Returns the first version of HDF5 that reads the mappings: 2.0.0 for version 1 of their block,
   * in which names are shared, and 1.12 for version 3 of the encoding of a hyperslab.
   */
  private static Version needed(LibraryCase of, Path file, FormatBounds bounds) {
    Optional<MemorySegment> block = Optional.ofNullable(StoredMappings.of(file).byName().get("v"));
    if (block.filter(stored -> stored.get(ValueLayout.JAVA_BYTE, 0) == 1).isPresent()) {
      return Version.parse("2.0.0");
    }
    boolean hyperslabs =
        of.maps().stream()
            .flatMap(map -> map.stream().skip(4))
            .anyMatch(text -> text.startsWith("slab") || text.startsWith("blocks"));
    return Version.parse(bounds == FormatBounds.V200 && hyperslabs ? "1.12.0" : "1.10.0");
  }

  private static Path virtual(Path files, LibraryCase of) {
    return files.resolve(of.name()).resolve("virtual.h5");
  }

  /**
   * Prints the files that h5dump must be able to read, all in one process.
   *
   * @return the output for each of these files
   */
  private Map<Path, String> printed(Path files, FormatBounds bounds) {
    Oracle h5dump = Oracle.tool("h5dump").orElseThrow();
    Version own = Version.parse(h5dump.hdf5());
    List<Path> readable =
        LibraryCases.all().stream()
            .filter(each -> own.compareTo(needed(each, virtual(files, each), bounds)) >= 0)
            .map(each -> virtual(files, each))
            .toList();
    List<Object> line = new ArrayList<>(List.of("-p", "-H", "-d", "/v"));
    line.addAll(readable);
    String[] parts = h5dump.run(folder, line.toArray()).expectSuccess().out().split("HDF5 \"");
    assertEquals(1 + readable.size(), parts.length);
    Map<Path, String> printed = new HashMap<>();
    for (int i = 0; i < readable.size(); i++) {
      assertTrue(parts[i + 1].startsWith(readable.get(i) + "\""), parts[i + 1]);
      printed.put(readable.get(i), parts[i + 1]);
    }
    return printed;
  }

  /**
   * @param printed the output of h5dump, or empty if h5dump must refuse the file
   */
  private void compare(LibraryCase of, Path file, Optional<String> printed) {
    String written = lines(LibraryCaseFiles.layout(of));
    try (H5File opened = H5File.open(file)) {
      assertEquals(written, lines(opened.dataset("v").virtualLayout().orElseThrow()));
    }
    if (printed.isPresent()) {
      assertEquals(written, lines(DumpedMappings.parse(printed.get())), printed.get());
      return;
    }
    Oracle h5dump = Oracle.tool("h5dump").orElseThrow();
    ProcessResult ran = h5dump.run(folder, "-p", "-H", "-d", "/v", file);
    assertNotEquals(0, ran.code(), h5dump + " reads a file for a newer HDF5");
  }

  /** Returns a line for each mapping; equal sets of elements have the same text. */
  private static String lines(VirtualLayout layout) {
    StringBuilder lines = new StringBuilder();
    for (VirtualLayout.Mapping mapping : layout.mappings()) {
      VirtualSource source = mapping.source();
      lines.append(source.select(normal(source.selection())));
      lines.append(" -> ").append(normal(mapping.virtual())).append('\n');
    }
    return lines.toString();
  }

  private static Selection normal(Selection selection) {
    return selection instanceof Hyperslab slab ? slab.normal() : selection;
  }
}
