package io.skerry.iod.connector.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of a file that a single rank has open, which are not undone. */
class LocalChangesTest {
  @TempDir Path folder;

  private EngineLocation location() {
    return new EngineLocation("iod", folder.resolve("c").toString());
  }

  private Session open() {
    FileRanks ranks = FileRanks.open(Communicator.self(), Operation.OPEN_FILE, "c", "");
    Container container = Engines.of(location()).open(location(), Opening.writing());
    ContainerStore store = LocalStore.writing(ranks, container, ChecksumLevel.STORE, () -> 0);
    ranks.leave();
    return new Session(Path.of("c"), FileAccess.WRITE, store, ranks, new CellTiles());
  }

  private static Place tile(long number) {
    return new Place.Tile(ObjectId.of(ObjectType.ARRAY, 77).bits(), number);
  }

  private static void put(Session session, int tiles, int possible) {
    boolean unused =
        session.changeHere(
            Operation.WRITE,
            "tiles",
            changes -> {
              for (int number = 0; number < tiles; number++) {
                if (number == possible) {
                  throw new OutOfMemoryError("no memory for a tile");
                }
                changes.put(tile(number), MemorySegment.ofArray(new byte[10]));
              }
              return true;
            });
  }

  @Test
  void a_change_that_fails_in_part_for_any_reason_is_never_stored() {
    var unused = Engines.of(location()).create(location(), 2);
    try (Container container = Engines.of(location()).open(location(), Opening.writing())) {
      LocalStore.createRoot(container, ChecksumLevel.STORE);
    }
    Session sound = open();
    assertThrows(OutOfMemoryError.class, () -> put(sound, 5, 0));
    put(sound, 2, 2);
    sound.close();
    Session failing = open();
    assertThrows(OutOfMemoryError.class, () -> put(failing, 5, 3));
    assertThrows(IllegalStateException.class, () -> put(failing, 1, 1));
    assertThrows(IllegalStateException.class, failing::flush);
    assertThrows(CommitException.class, failing::close);
    Session again = open();
    assertEquals(OptionalLong.of(10), again.look(values -> values.size(tile(1))));
    assertEquals(OptionalLong.empty(), again.look(values -> values.size(tile(2))));
    again.close();
  }
}
