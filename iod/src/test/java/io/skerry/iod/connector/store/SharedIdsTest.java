package io.skerry.iod.connector.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.encoding.property.PropertyClass;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.engine.Container;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.IdLease;
import io.skerry.iod.object.model.MetadataWriter;
import io.skerry.iod.object.model.ObjectCreator;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.Operation;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedIdsTest {
  @TempDir Path folder;

  /** Creates a container in which one block of numbers of BLOBs is left. */
  private Container container() {
    Container container = TestContainers.MEMORY.create(folder, "ids", 1);
    TestContainers.commit(
        container,
        changes -> {
          var unused =
              ObjectCreator.createRoot(changes, PropertyList.of(PropertyClass.FILE_CREATE));
        });
    TestContainers.commit(
        container,
        changes ->
            new MetadataWriter(
                    StoredObject.open(changes, ObjectId.ROOT).pad().requireMetadata(),
                    changes,
                    _ -> 0)
                .u64(IdCounters.key(ObjectType.BLOB), IdLease.LARGEST));
    return container;
  }

  @Test
  void all_ranks_are_refused_numbers_that_are_not_left() {
    try (Container container = container()) {
      LocalRanks.run(
          3,
          world -> {
            try (FileRanks ranks = FileRanks.open(world, Operation.OPEN_FILE, "c", "")) {
              SharedIds ids = new SharedIds(ranks);
              if (ranks.isFirst()) {
                ids.read(TestContainers.values(container));
              }
              var e =
                  assertThrows(
                      IllegalStateException.class,
                      () -> ids.reserve(world.rank() == 2 ? 2 * IdLease.BLOCK : 0));
              assertEquals(IllegalStateException.class, e.getClass());
              assertTrue(
                  String.valueOf(e.getMessage()).contains("too few numbers"),
                  String.valueOf(e.getMessage()));
              ranks.leave();
            }
          });
    }
  }
}
