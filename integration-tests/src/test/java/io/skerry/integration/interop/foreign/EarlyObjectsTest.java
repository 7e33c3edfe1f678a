package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.NamedDatatype;
import io.skerry.NoSuchObjectException;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads groups, links, attributes and committed datatypes of files in the earliest format. */
class EarlyObjectsTest {
  private static final List<Oracle> H5PY = Oracle.h5py();

  @TempDir Path folder;

  @Test
  void objects_links_and_attributes_are_found_on_every_rank() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : H5PY) {
      for (String bound : List.of("earliest", "latest")) {
        Path path = folder.resolve(h5py.hdf5() + " " + bound + ".h5");
        Path other = folder.resolve(h5py.hdf5() + " " + bound + " links.h5");
        h5py.script(folder, "early.py", path, other, bound).expectSuccess();
        for (int ranks : new int[] {1, 2}) {
          LocalRanks.run(
              ranks,
              world -> {
                check(path, world);
                checkLinks(other, world);
              });
        }
      }
    }
  }

  private static void check(Path path, Communicator world) {
    try (H5File file = H5File.open(path, world)) {
      assertEquals("early", file.root().attribute("title").orElseThrow().text());
      Group group = file.group("/group");
      assertEquals(
          IntStream.range(0, 100).mapToObj(i -> "member " + i).sorted().toList(),
          group.links().stream()
              .map(Group.Link::name)
              .filter(name -> name.startsWith("member"))
              .toList());
      assertEquals(102, group.links().size());
      assertEquals(group.links(), file.group("again").links());
      assertTrue(file.group("/group/member 57").links().isEmpty());
      for (String name : List.of("/group/data", "/group/soft", "far soft")) {
        Dataset data = file.dataset(name);
        assertArrayEquals(
            IntStream.range(0, 12).asDoubleStream().toArray(), data.readDoubles(Selection.all()));
        assertEquals(20, data.attributes().size());
        assertArrayEquals(
            new long[] {0, 1, 2, 3}, data.attribute("number 3").orElseThrow().longs());
      }
      NamedDatatype type = (NamedDatatype) file.object("type");
      assertEquals(Datatype.I32, type.datatype());
      assertArrayEquals(new long[] {7}, type.attributes().get(0).longs());
      assertEquals(type.datatype(), file.dataset("typed").datatype());
      for (String name : List.of("nothing", "group/nothing", "dangling", "circle", "lost")) {
        NoSuchObjectException missing =
            assertThrows(NoSuchObjectException.class, () -> file.object(name));
        assertEquals("/" + name, missing.path());
      }
      NoSuchObjectException lost =
          assertThrows(NoSuchObjectException.class, () -> file.object("lost"));
      assertTrue(lost.getMessage().contains("not there.h5"), lost.getMessage());
    }
  }

  private static void checkLinks(Path other, Communicator world) {
    try (H5File file = H5File.open(other, world)) {
      assertEquals(2, file.root().links().size());
      for (String name : List.of("near", "moved")) {
        assertEquals(12, file.dataset(name).shape().elements());
      }
    }
  }
}
