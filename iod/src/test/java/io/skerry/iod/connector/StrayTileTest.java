package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.TestContainers;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tiles outside the extent of their dataset. */
class StrayTileTest {
  @TempDir Path folder;

  private List<String> findings(Path path) {
    List<String> lines = new ArrayList<>();
    var unused =
        new IodConnector()
            .verify(path, FileOptions.standard(), finding -> lines.add(finding.toString()));
    return lines;
  }

  @Test
  void a_tile_outside_the_extent_is_found() {
    Path path = folder.resolve("run");
    try (H5File file = H5File.create("iod:" + path, Communicator.self())) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I8, Shape.of(10).unlimited(0)).chunked(4))
          .write(Selection.all(), new byte[10]);
      file.createDataset("/s", DatasetSpec.of(Datatype.I8, Shape.scalar()))
          .write(Selection.all(), new byte[1]);
    }
    assertEquals(List.of(), findings(path));
    EngineLocation location = new EngineLocation("iod", path.toString());
    for (long number : new long[] {3, Long.MAX_VALUE, -1}) {
      try (Container container = Engines.of(location).open(location, Opening.writing())) {
        container.recover();
        TestContainers.commit(
            container,
            changes ->
                changes.put(
                    new Place.Tile(ObjectId.of(ObjectType.ARRAY, 0).bits(), number),
                    MemorySegment.ofArray(new byte[4])));
      }
    }
    List<String> lines = findings(path);
    assertEquals(3, lines.size(), lines.toString());
    for (String line : lines) {
      assertTrue(line.contains("tile") && line.contains("ARRAY 6000000000000000"), line);
    }
  }
}
