package io.skerry.iod.object.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ScratchPad;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.MetadataKey;
import io.skerry.iod.object.model.NameKeys;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.iod.shipper.Faulty;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContainerVerifierTest {
  private static final long ROOT = ObjectId.ROOT.bits();
  private static final ObjectId GROUP = ObjectId.of(ObjectType.KV, 0x401);
  private static final ObjectId GROUP_METADATA = ObjectId.of(ObjectType.KV, 0x402);
  private static final ObjectId DATASET = ObjectId.of(ObjectType.ARRAY, 1);
  private static final ObjectId TEXTS = ObjectId.of(ObjectType.ARRAY, 3);
  private static final ObjectId CELL = ObjectId.of(ObjectType.BLOB, 0);
  private static final ObjectId FREE = ObjectId.of(ObjectType.KV, 0x7ff);

  @TempDir Path folder;

  private static List<String> findings(Container container) {
    var lines = new ArrayList<String>();
    long count =
        ContainerVerifier.verify(
            container, container.readableMark(), TileDecoder.PLAIN, lines::add);
    assertEquals(lines.size(), count);
    return lines;
  }

  private static Place pair(ObjectId object, String name) {
    return new Place.Pair(object.bits(), NameKeys.encode(name));
  }

  private static Place pair(ObjectId object, MetadataKey key) {
    return new Place.Pair(object.bits(), key.key());
  }

  private static MemorySegment u64(long value) {
    return ByteWriter.create().u64(value).written();
  }

  /** Seeded damages with a part of the line that has to report each. */
  private static Map<Consumer<StoreChanges>, String> damages() {
    var damages = new LinkedHashMap<Consumer<StoreChanges>, String>();
    damages.put(
        c -> c.remove(new Place.ScratchPad(GROUP.bits())), "dangling link: " + ObjectId.ROOT);
    damages.put(
        c -> c.put(pair(ObjectId.ROOT, "gone"), new Link.Hard(FREE).encode()),
        "dangling link: KV 2000000000000000 link \"gone\"");
    damages.put(
        c -> c.put(pair(ObjectId.ROOT, "type"), new Link.Hard(GROUP_METADATA).encode()),
        "wrong type");
    damages.put(
        c ->
            c.put(
                pair(GROUP_METADATA, MetadataKey.OBJECT_TYPE),
                ByteWriter.create().u32(5).written()),
        "damaged: type of a DATASET");
    damages.put(
        c ->
            c.put(
                pair(GROUP_METADATA, MetadataKey.OBJECT_TYPE),
                ByteWriter.create().u32(9).written()),
        "damaged: object_type");
    damages.put(
        c -> c.put(pair(GROUP_METADATA, MetadataKey.OBJECT_LINK_COUNT), u64(3)),
        "link count: id=" + GROUP + " expected=1 actual=3");
    damages.put(
        c -> c.put(pair(ObjectId.ROOT, "again"), new Link.Hard(GROUP).encode()),
        "link count: id=" + GROUP + " expected=2 actual=1");
    damages.put(c -> c.remove(pair(ObjectId.ROOT, "G1")), "unreachable object: " + GROUP);
    damages.put(
        c -> c.put(new Place.Tile(ObjectId.of(ObjectType.ARRAY, 77).bits(), 4), u64(0)),
        "orphan: ARRAY 600000000000004d tile 4 values=1");
    damages.put(
        c -> c.put(new Place.Block(ObjectId.of(ObjectType.BLOB, 77).bits(), 0), u64(0)),
        "orphan: BLOB a00000000000004d block 0");
    damages.put(c -> c.put(pair(FREE, "x"), u64(0)), "orphan: " + FREE + " pair \"x\"");
    damages.put(c -> c.put(new Place.Tile(ROOT, 0), u64(0)), "orphan: KV 2000000000000000 tile 0");
    damages.put(
        c ->
            c.put(
                new Place.ScratchPad(GROUP_METADATA.bits()), ScratchPad.ofAttribute(FREE).encode()),
        "orphan: " + GROUP_METADATA + " scratch pad");
    damages.put(
        c ->
            c.put(
                new Place.ScratchPad(GROUP.bits()),
                ScratchPad.of(GROUP_METADATA, GROUP_METADATA).encode()),
        "wrong type: a part of two objects");
    damages.put(
        c -> c.put(new Place.ScratchPad(GROUP.bits()), u64(7)), "damaged: scratch pad: size");
    damages.put(
        c -> c.remove(new Place.Block(CELL.bits(), 0)),
        "dangling link: " + TEXTS + " refers to a missing BLOB: id=" + CELL);
    damages.put(c -> c.put(new Place.Block(CELL.bits(), 0), u64(0x6162)), "");
    damages.put(
        c -> c.put(new Place.Block(CELL.bits(), 0), MemorySegment.ofArray(new byte[3])),
        "damaged: size of a BLOB: id=" + CELL + " expected=8 actual=3");
    damages.put(
        c -> c.put(new Place.Tile(TEXTS.bits(), 0), MemorySegment.ofArray(new byte[33])),
        "damaged: size of cells");
    damages.put(c -> c.put(pair(ObjectId.ROOT, "bad"), u64(1)), "damaged: link");
    damages.put(
        c ->
            c.put(
                new Place.Pair(ROOT, Bytes.of(u64(0x4141414141414141L))),
                new Link.Hard(GROUP).encode()),
        "damaged: key of a name");
    damages.put(
        c -> c.put(pair(ObjectId.of(ObjectType.KV, 1), MetadataKey.ARRAY_IDS_INDEX), u64(-1)),
        "damaged: array_ids_index");
    damages.put(
        c -> c.put(new Place.Block(ObjectId.of(ObjectType.BLOB, 5000).bits(), 0), u64(0)),
        "id counter: blob_ids_index expected=above 4 actual=1");
    damages.put(
        c -> c.remove(pair(GROUP_METADATA, MetadataKey.OBJECT_CREATE_PLIST)),
        "damaged: metadata: expected=a pair object_create_plist");
    damages.put(
        c ->
            c.put(
                pair(ObjectId.of(ObjectType.KV, 0x407), MetadataKey.OBJECT_DATATYPE),
                MemorySegment.ofArray(new byte[] {3, 0, 0x7f})),
        "damaged");
    return damages;
  }

  @ParameterizedTest
  @EnumSource
  void each_of_a_list_of_damages_is_found(TestContainers engine) {
    try (var container = engine.create(folder, "verify", 3)) {
      TestContainers.commit(container, Examples::write);
      assertEquals(List.of(), findings(container));
      damages()
          .forEach((damage, expected) -> {
            long mark = container.readableMark();
            TestContainers.commit(container, changes -> damage.accept(changes));
            var lines = findings(container);
            assertTrue(
                expected.isEmpty()
                    ? lines.isEmpty()
                    : lines.stream().anyMatch(line -> line.contains(expected)),
                "expected: " + expected + " found: " + lines);
            restore(container, mark);
            assertEquals(List.of(), findings(container), expected);
          });
    }
  }

  /** Undoes all changes after a transaction by a new one. */
  private static void restore(Container container, long transaction) {
    long mark = container.readableMark();
    var store = ObjectStore.of(container, ChecksumLevel.STORE);
    try (var changes = store.change(mark + 1)) {
      for (int shard : container.served()) {
        container.shard(shard).history(Optional.empty(), PageLimit.DEFAULT).items().stream()
            .filter(version -> version.transaction() == mark)
            .forEach(version ->
                store
                    .at(transaction)
                    .get(version.place(), Arena.ofAuto())
                    .ifPresentOrElse(
                        value -> changes.put(version.place(), value),
                        () -> changes.remove(version.place())));
      }
      changes.prepare(Durability.BUFFERED);
    }
    assertTrue(container.advance(mark, mark + 1));
  }

  @ParameterizedTest
  @EnumSource
  void what_the_receiver_of_a_finding_throws_reaches_the_caller_unchanged(TestContainers engine) {
    try (var container = engine.create(folder, "thrown", 2)) {
      TestContainers.commit(container, Examples::write);
      TestContainers.commit(
          container,
          changes -> {
            changes.remove(new Place.ScratchPad(GROUP.bits()));
            changes.remove(new Place.Block(CELL.bits(), 0));
            changes.put(pair(ObjectId.ROOT, "bad"), u64(1));
            changes.put(pair(FREE, "x"), u64(0));
          });
      int count = findings(container).size();
      assertTrue(count > 3, "findings: " + count);
      for (var failure :
          List.of(
              new FormatException("a finding", "of the receiver", "another one"),
              new UnsupportedFeatureException("a finding", "the receiver"),
              Faulty.engine(EngineException.Fault.DAMAGED, 0))) {
        for (int received = 0; received < count; received++) {
          var left = new int[] {received};
          var thrown =
              assertThrows(
                  RuntimeException.class,
                  () ->
                      ContainerVerifier.verify(
                          container,
                          container.readableMark(),
                          TileDecoder.PLAIN,
                          _ -> {
                            if (left[0]-- == 0) {
                              throw failure;
                            }
                          }));
          assertSame(failure, thrown);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void flipped_bits_and_values_in_other_shards_are_found(TestContainers engine) {
    try (var container = engine.create(folder, "flipped", 2)) {
      TestContainers.commit(container, Examples::write);
      var map = ObjectStore.of(container, ChecksumLevel.STORE).shardMap();
      var tile = new Place.Tile(DATASET.bits(), 1);
      var shard = container.shard(map.shardOf(tile));
      byte[] stored =
          shard.get(tile, 1, Arena.ofAuto()).orElseThrow().toArray(ValueLayout.JAVA_BYTE);
      stored[5] ^= 4;
      try (var changes = shard.change(2)) {
        changes.put(tile, MemorySegment.ofArray(stored));
        changes.prepare(Durability.BUFFERED);
      }
      var other = container.shard(1 - map.shardOf(tile));
      try (var changes = other.change(2)) {
        changes.put(tile, MemorySegment.ofArray(stored));
        changes.prepare(Durability.BUFFERED);
      }
      assertTrue(container.advance(1, 2));
      var lines = findings(container);
      assertEquals(2, lines.size(), lines.toString());
      assertTrue(
          lines.stream()
              .anyMatch(line ->
                  line.contains("checksum of a value")
                      && line.contains("ARRAY 6000000000000001 tile 1")
                      && line.contains(container.location().toString())),
          lines.toString());
      assertTrue(lines.stream().anyMatch(line -> line.startsWith("wrong shard")), "" + lines);
    }
  }
}
