package io.skerry.iod.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.shipper.ContainerSource;
import io.skerry.iod.shipper.Faulty;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what changes do in each of several shards. */
class StoreChangesTest {
  private static final int SHARDS = 4;

  @TempDir Path folder;

  private final ShardMap map = new ShardMap(SHARDS);

  private Container open(BiConsumer<Integer, String> calls) {
    var location = new EngineLocation("iod", folder.resolve("c").toString());
    Engines.of(location).create(location, SHARDS);
    var source = new Faulty(ContainerSource.of(location, Opening.writing()), calls);
    var container = source.open(Set.of(0, 1, 2, 3));
    container.recover();
    return container;
  }

  private static Place.Tile tile(long number) {
    return new Place.Tile(ObjectId.of(ObjectType.ARRAY, 7).bits(), number);
  }

  /** Stores tiles in all shards. */
  private StoreChanges filled(Container container) {
    var changes = ObjectStore.of(container, ChecksumLevel.STORE).change(1);
    var filled = new TreeSet<Integer>();
    for (long number = 0; number < 50; number++) {
      changes.put(tile(number), MemorySegment.ofArray(new byte[10]));
      filled.add(map.shardOf(tile(number)));
    }
    assertEquals(SHARDS, filled.size());
    return changes;
  }

  @Test
  void a_read_flushes_the_changes_of_its_shard_only() {
    var flushed = Collections.synchronizedList(new ArrayList<Integer>());
    try (var container =
            open((shard, method) -> {
              if (method.equals("Changes.startFlush")) {
                flushed.add(shard);
              }
            });
        var changes = filled(container)) {
      assertEquals(10, changes.size(tile(1)).orElseThrow());
      assertEquals(List.of(map.shardOf(tile(1))), flushed);
      assertEquals(10, changes.get(tile(1), Arena.ofAuto()).orElseThrow().byteSize());
      assertEquals(1, flushed.size());
      var pad = new Place.ScratchPad(ObjectId.of(ObjectType.ARRAY, 9).bits());
      flushed.clear();
      var pads = changes.list(Range.all(pad.object(), Part.SCRATCH_PAD), PageLimit.DEFAULT);
      assertEquals(List.of(), pads.items());
      assertEquals(
          map.shardOf(pad) == map.shardOf(tile(1)) ? List.of() : List.of(map.shardOf(pad)),
          flushed);
      var tiles = changes.list(Range.all(tile(0).object(), Part.TILE), PageLimit.DEFAULT);
      assertEquals(50, tiles.items().size());
    }
  }

  @Test
  void a_shard_that_cannot_be_aborted_does_not_keep_the_others_from_it() {
    for (int failing = 0; failing < SHARDS; failing++) {
      int shard = failing;
      var own = folder.resolve("c" + failing);
      var location = new EngineLocation("iod", own.toString());
      Engines.of(location).create(location, SHARDS);
      var calls = new ArrayList<Integer>();
      var source =
          new Faulty(
              ContainerSource.of(location, Opening.writing()),
              (number, method) -> {
                if (method.equals("Changes.close")) {
                  calls.add(number);
                  if (number == shard && calls.size() <= SHARDS) {
                    throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, number);
                  }
                }
              });
      try (var container = source.open(Set.of(0, 1, 2, 3))) {
        container.recover();
        var changes = filled(container);
        assertThrows(EngineException.class, changes::close);
        assertEquals(Set.of(0, 1, 2, 3), Set.copyOf(calls));
        for (int other = 0; other < SHARDS; other++) {
          if (other != shard) {
            // Fails if there are changes of the transaction.
            container.shard(other).change(1).close();
          }
        }
      }
    }
  }
}
