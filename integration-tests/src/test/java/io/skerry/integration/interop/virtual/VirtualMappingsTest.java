package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.format.FormatBounds;
import io.skerry.format.block.Widths;
import io.skerry.format.vds.MappingsEncoder;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.integration.SharedData;
import io.skerry.testkit.oracle.Oracle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Encodes mappings of virtual datasets and compares them with those that HDF5 stored. */
class VirtualMappingsTest {
  private static final int LAYOUTS = 500;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "1.10.8, earliest, EARLIEST, 0",
    "1.10.8, latest, V110, 0",
    "2.0.0, earliest, EARLIEST, 0",
    "2.0.0, v110, V110, 0",
    "2.0.0, latest, V200, 100"
  })
  void mappings_are_encoded_as_by_HDF5(
      String hdf5, String libver, FormatBounds bounds, int atLeastOfVersionOne) {
    Optional<Oracle> h5py = Oracle.h5py(hdf5);
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 " + hdf5);
    Path file = folder.resolve("virtual.h5");
    String printed =
        h5py.get().script(folder, "random_virtual.py", file, LAYOUTS, libver).expectSuccess().out();
    Map<String, MemorySegment> stored = StoredMappings.of(file).byName();
    Map<String, List<VirtualMapping>> made = PrintedMappings.parse(printed);
    assertEquals(LAYOUTS, stored.size());
    assertEquals(
        stored.keySet().stream().sorted().toList(), made.keySet().stream().sorted().toList());
    List<String> differ = new ArrayList<>();
    int versionOne = 0;
    for (Map.Entry<String, MemorySegment> entry : stored.entrySet()) {
      MemorySegment object = entry.getValue();
      versionOne += object.get(ValueLayout.JAVA_BYTE, 0);
      VirtualMappings decoded = VirtualMappings.decode(object, Widths.EIGHT);
      compare(entry.getKey() + " decoded", object, decoded, bounds, differ);
      VirtualMappings same = new VirtualMappings(made.get(entry.getKey()));
      compare(entry.getKey() + " made", object, same, bounds, differ);
    }
    assertEquals(List.of(), differ);
    assertTrue(versionOne >= atLeastOfVersionOne, "of version 1: " + versionOne);
  }

  private static void compare(
      String name,
      MemorySegment stored,
      VirtualMappings mappings,
      FormatBounds bounds,
      List<String> differ) {
    String expected = hex(stored);
    String actual = hex(MappingsEncoder.encode(mappings, bounds, Widths.EIGHT));
    if (!expected.equals(actual)) {
      differ.add(name + "\n  " + expected + "\n  " + actual + "\n  " + mappings);
    }
  }

  private static String hex(MemorySegment bytes) {
    return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  @ParameterizedTest
  @CsvSource({
    "lay2.h5, V200",
    "vds_latest.h5, V200",
    "vds_v0.h5, EARLIEST",
    "vds_v1.h5, V200",
    "vds_v1b.h5, V200"
  })
  void samples_are_encoded_again_as_they_were(String name, FormatBounds bounds) {
    Map<String, MemorySegment> stored =
        StoredMappings.of(SharedData.require("vds/" + name)).byName();
    List<String> differ = new ArrayList<>();
    stored.forEach((dataset, object) ->
        compare(dataset, object, VirtualMappings.decode(object, Widths.EIGHT), bounds, differ));
    assertEquals(List.of(), differ);
    assertTrue(!stored.isEmpty());
  }
}
