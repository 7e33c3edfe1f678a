package io.skerry.iod.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class ShardMapTest {
  private static final long ARRAY = ObjectId.of(ObjectType.ARRAY, 5).bits();
  private static final long BLOB = ObjectId.of(ObjectType.BLOB, 5).bits();
  private static final long MAP = ObjectId.ofPairs(KeyPlacement.SPREAD, 5).bits();
  private static final long GROUP = ObjectId.of(ObjectType.KV, 5).bits();

  private static Place pair(long object, int key) {
    return new Place.Pair(
        object, Bytes.of(MemorySegment.ofArray(new byte[] {(byte) key, (byte) (key >> 8)})));
  }

  @Test
  void golden_values_do_not_change() {
    var found = new StringBuilder();
    for (int shards : new int[] {1, 2, 3, 7, 65536}) {
      var map = new ShardMap(shards);
      for (Place place :
          new Place[] {
            new Place.ScratchPad(ObjectId.ROOT.bits()),
            pair(ObjectId.ROOT.bits(), 1),
            pair(MAP, 1),
            pair(MAP, 2),
            new Place.Tile(ARRAY, 0),
            new Place.Tile(ARRAY, 1),
            new Place.Tile(ARRAY, 1000),
            new Place.Tile(ARRAY, -1),
            new Place.Block(BLOB, 0),
            new Place.Block(BLOB, 1),
            new Place.Block(BLOB, -1)
          }) {
        found.append(map.shardOf(place)).append(' ');
      }
      found.append('\n');
    }
    assertEquals(GOLDEN, found.toString());
  }

  private static final String GOLDEN =
      """
      0 0 0 0 0 0 0 0 0 0 0\s
      0 0 0 0 0 1 0 0 1 0 1\s
      1 1 1 1 2 0 1 1 1 0 1\s
      3 3 6 4 5 6 6 5 5 0 5\s
      25794 25794 60534 33186 2024 2025 3024 15059 52439 4904 52439\s
      """;

  @Test
  void a_key_value_object_is_in_one_shard_unless_it_is_spread() {
    var map = new ShardMap(8);
    var together = new HashSet<Integer>();
    var spread = new int[8];
    for (int key = 0; key < 8000; key++) {
      together.add(map.shardOf(pair(GROUP, key)));
      spread[map.shardOf(pair(MAP, key))]++;
    }
    assertEquals(1, together.size());
    for (int count : spread) {
      assertTrue(count > 850 && count < 1150, "pairs in a shard: " + count);
    }
  }

  @Test
  void neighbouring_tiles_are_in_different_shards_and_distant_ones_are_spread() {
    var map = new ShardMap(8);
    for (int group = 0; group < 100; group++) {
      var shards = new HashSet<Integer>();
      for (int n = 0; n < 8; n++) {
        shards.add(map.shardOf(new Place.Tile(ARRAY, group * 8L + n)));
      }
      assertEquals(8, shards.size());
    }
    for (int stride : new int[] {8, 16, 64, 1000, 4096}) {
      var counts = new int[8];
      for (int n = 0; n < 4000; n++) {
        counts[map.shardOf(new Place.Tile(ARRAY, (long) n * stride))]++;
      }
      for (int count : counts) {
        assertTrue(count > 380 && count < 620, "stride " + stride + " tiles " + count);
      }
    }
  }

  @Test
  void a_small_blob_is_in_one_shard_with_its_scratch_pad() {
    var map = new ShardMap(16);
    int shard = map.shardOf(new Place.ScratchPad(BLOB));
    assertEquals(shard, map.shardOf(new Place.Block(BLOB, 0)));
    assertEquals(shard, map.shardOf(new Place.Block(BLOB, -1)));
  }
}
