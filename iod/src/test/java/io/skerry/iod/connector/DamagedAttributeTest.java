package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.H5File;
import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.model.Attributes;
import io.skerry.iod.object.model.MetadataWriter;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedAttributeTest {
  @TempDir Path folder;

  @Test
  void an_extent_whose_bytes_exceed_a_long_is_reported_with_file_and_object() {
    ContainerFixture fixture = new ContainerFixture(folder.resolve("run"), 1);
    try (H5File file = fixture.open(FileAccess.CREATE)) {
      file.root().setAttribute(Attribute.of("numbers", new long[] {1, 2}));
    }
    EngineLocation location = new EngineLocation("iod", fixture.path().toString());
    try (Container open = Engines.of(location).open(location, Opening.writing())) {
      open.recover();
      TestContainers.commit(
          open,
          changes -> {
            StoredObject root = StoredObject.open(changes, ObjectId.ROOT);
            ObjectId id = Attributes.of(root, changes).find("numbers").orElseThrow();
            new MetadataWriter(
                    StoredObject.open(changes, id).pad().requireMetadata(), changes, _ -> 0)
                .extent(Optional.of(Shape.of(1L << 62)));
          });
    }
    try (H5File file = fixture.open(FileAccess.READ)) {
      var e = assertThrows(FormatException.class, () -> file.root().attributes());
      String text = String.valueOf(e.getMessage());
      for (String part :
          List.of(
              "bytes of an attribute",
              "numbers",
              fixture.path().toString(),
              "expected=" + (1L << 62) + " elements of 8 bytes",
              "actual=16")) {
        assertTrue(text.contains(part), text);
      }
    }
  }
}
