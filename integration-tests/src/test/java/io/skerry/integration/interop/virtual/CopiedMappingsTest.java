package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.Widths;
import io.skerry.format.vds.MappingsEncoder;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.testkit.oracle.Oracle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies virtual datasets into files with other version bounds and address widths. */
class CopiedMappingsTest {
  /** Creates a virtual dataset in a file with four-byte addresses and lengths, and its source. */
  private static final String MAKE =
      """
      import h5py, numpy as np
      with h5py.File("a-long-source-name.h5", "w") as f:
          f["data"] = np.arange(12, dtype="<i4").reshape(4, 3)
      plist = h5py.h5p.create(h5py.h5p.FILE_CREATE)
      plist.set_sizes(4, 4)
      with h5py.File(h5py.h5f.create(b"narrow.h5", fcpl=plist)) as f:
          layout = h5py.VirtualLayout((4, 3), "<i4")
          for i in range(4):
              source = h5py.VirtualSource("a-long-source-name.h5", "data", (4, 3), "<i4")
              layout[i] = source[3 - i]
          f.create_virtual_dataset("d", layout)
      """;

  private static final String CHECK =
      """
      import sys, h5py
      with h5py.File(sys.argv[1], "r") as f:
          d = f["d"]
          print(d[...].tolist(), len(d.virtual_sources()), d.virtual_sources()[3].file_name)
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1, EARLIEST", "1, V110", "3, V110", "1, V200", "3, V200"})
  void mappings_are_encoded_for_the_bounds_and_widths_of_the_target(
      int ranks, FormatBounds bounds) {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py.get().run(folder, "-c", MAKE).expectSuccess();
    Path out = folder.resolve("out.h5");
    List<Boolean> unused = LocalRanks.call(ranks, world -> copy(world, out, bounds));
    MemorySegment stored = StoredMappings.of(out).byName().get("d");
    assertEquals(bounds == FormatBounds.V200 ? 1 : 0, stored.get(ValueLayout.JAVA_BYTE, 0));
    VirtualMappings mappings = VirtualMappings.decode(stored, Widths.EIGHT);
    assertEquals(-1, stored.mismatch(MappingsEncoder.encode(mappings, bounds, Widths.EIGHT)));
    assertEquals(
        "[[9, 10, 11], [6, 7, 8], [3, 4, 5], [0, 1, 2]] 4 a-long-source-name.h5",
        h5py.get().run(folder, "-c", CHECK, out).expectSuccess().out().strip());
  }

  private boolean copy(Communicator world, Path out, FormatBounds bounds) {
    try (H5File source = H5File.open(folder.resolve("narrow.h5"), world);
        H5File target = H5File.create(out, world, FileOptions.standard().withBounds(bounds))) {
      ObjectCopier.between(source, target).copyAll();
    }
    return true;
  }
}
