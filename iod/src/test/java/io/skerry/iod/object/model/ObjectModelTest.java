package io.skerry.iod.object.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.encoding.property.PropertyClass;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.object.ArrayObject;
import io.skerry.iod.object.ArrayWriter;
import io.skerry.iod.object.BlobObject;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.KeyPlacement;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.check.ContainerVerifier;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.LeasedIds;
import io.skerry.selection.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Creates, links, writes and deletes objects, and compares them with a plain model. */
class ObjectModelTest {
  private static final Datatype INTEGER = FixedPoint.of(4, Signedness.SIGNED, Endian.LITTLE);
  private static final Datatype TEXT = VariableLength.string(CharacterSet.ASCII);

  @TempDir Path folder;

  /** A transaction with what it needs. */
  private static final class Work {
    final StoreChanges changes;
    final LeasedIds ids;
    final ObjectCreator creator;
    final Deletion deletion;

    Work(StoreChanges changes, IdCounters counters) {
      this.changes = changes;
      this.ids = new LeasedIds(type -> counters.lease(type, 1));
      this.creator = new ObjectCreator(changes, ids);
      this.deletion = new Deletion(changes, ids, TileDecoder.PLAIN);
    }

    LinkWriter links(ObjectId group) {
      return new LinkWriter(group, changes, deletion);
    }

    StoredObject text(String... texts) {
      var spec = DatasetSpec.of(TEXT, Shape.of(texts.length)).chunked(texts.length);
      var dataset = creator.dataset(spec, Optional.empty());
      write(dataset, texts);
      return dataset;
    }

    /** Writes all cells of a dataset of one tile. */
    void write(StoredObject dataset, String... texts) {
      var contents = new CellContents(changes, ids);
      var tile = MemorySegment.ofArray(new byte[texts.length * VariableCell.SIZE]);
      new ArrayObject(dataset.id(), changes).get(0, Arena.ofAuto()).ifPresent(tile::copyFrom);
      for (int n = 0; n < texts.length; n++) {
        var at = tile.asSlice((long) n * VariableCell.SIZE, VariableCell.SIZE);
        var before = VariableCell.decode(ByteReader.of(at, "cell"));
        at.copyFrom(contents.write(before, bytes(texts[n])).encode());
      }
      new ArrayWriter(dataset.id(), changes).put(0, tile);
    }
  }

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static List<String> texts(Values values, ObjectId dataset) {
    var found = new ArrayList<String>();
    var tile = new ArrayObject(dataset, values).get(0, Arena.ofAuto()).orElseThrow();
    CellContents.forEach(
        TEXT,
        tile,
        cell ->
            found.add(
                new String(
                    CellContents.read(values, cell, Arena.ofAuto()).toArray(ValueLayout.JAVA_BYTE),
                    StandardCharsets.ISO_8859_1)));
    return found;
  }

  private static PropertyList list(PropertyClass kind) {
    return PropertyList.of(kind);
  }

  private Container created(TestContainers engine, String name) {
    var container = engine.create(folder, name, 3);
    TestContainers.commit(
        container,
        changes -> {
          var unused = ObjectCreator.createRoot(changes, list(PropertyClass.FILE_CREATE));
        });
    return container;
  }

  private static void change(Container container, Consumer<Work> work) {
    var counters = IdCounters.read(TestContainers.values(container));
    TestContainers.commit(
        container,
        changes -> {
          work.accept(new Work(changes, counters));
          counters.store(changes);
        });
  }

  private static void verify(Container container, long transaction) {
    ContainerVerifier.verify(
        container,
        transaction,
        TileDecoder.PLAIN,
        finding -> {
          throw new AssertionError(finding);
        });
  }

  @ParameterizedTest
  @EnumSource
  void the_last_link_removes_an_object_with_all_that_belongs_to_it(TestContainers engine) {
    try (var container = created(engine, "deleted")) {
      change(container, work -> {});
      var before = TestContainers.places(container);
      change(
          container,
          work -> {
            var group = work.creator.group(list(PropertyClass.GROUP_CREATE));
            work.links(ObjectId.ROOT).put("g", new Link.Hard(group.id()));
            var type = work.creator.datatype(TEXT, list(PropertyClass.DATATYPE_CREATE));
            work.links(group.id()).put("t", new Link.Hard(type.id()));
            var text = work.text("one", "", "three");
            work.links(group.id()).put("d", new Link.Hard(text.id()));
            work.links(group.id()).put("soft", new Link.Soft("/nowhere"));
            var map =
                work.creator.map(TEXT, TEXT, KeyPlacement.SPREAD, list(PropertyClass.MAP_CREATE));
            work.links(group.id()).put("m", new Link.Hard(map.id()));
            for (int n = 0; n < 20; n++) {
              new KeyValueWriter(map.id(), work.changes)
                  .put(Bytes.of(bytes("key" + n)), bytes("value"));
            }
            var attribute =
                work.creator.attribute(
                    map,
                    "a",
                    TEXT,
                    Optional.of(Shape.scalar()),
                    list(PropertyClass.ATTRIBUTE_CREATE),
                    Optional.of(type.id()));
            work.write(attribute, "text of an attribute");
          });
      verify(container, container.readableMark());
      long full = container.readableMark();
      change(container, work -> work.links(ObjectId.ROOT).remove("g"));
      verify(container, container.readableMark());
      var left = new ArrayList<>(TestContainers.places(container));
      left.removeAll(before);
      // Only the leases of numbers remain.
      assertTrue(left.stream().allMatch(p -> p.startsWith("KV 2000000000000003 pair")), "" + left);
      verify(container, full);
    }
  }

  @ParameterizedTest
  @EnumSource
  void links_are_counted_and_named_once(TestContainers engine) {
    try (var container = created(engine, "counted")) {
      change(
          container,
          work -> {
            var type = work.creator.datatype(INTEGER, list(PropertyClass.DATATYPE_CREATE));
            var links = work.links(ObjectId.ROOT);
            links.put("a", new Link.Hard(type.id()));
            links.put("b", new Link.Hard(type.id()));
            assertThrows(IllegalArgumentException.class, () -> links.put("a", new Link.Soft("/b")));
            assertThrows(IllegalArgumentException.class, () -> links.remove("c"));
            var dataset =
                work.creator.dataset(DatasetSpec.of(INTEGER, Shape.of(3)), Optional.of(type.id()));
            links.put("d", new Link.Hard(dataset.id()));
            assertEquals(3, type.metadata(work.changes).linkCount());
            links.remove("a");
            links.remove("b");
            assertEquals(1, type.metadata(work.changes).linkCount());
            assertEquals(INTEGER, CommittedDatatype.read(type, work.changes));
            links.remove("d");
            assertThrows(FormatException.class, () -> StoredObject.open(work.changes, type.id()));
            var gone = new Link.Hard(type.id());
            assertThrows(FormatException.class, () -> links.put("e", gone));
          });
      verify(container, container.readableMark());
    }
  }

  @ParameterizedTest
  @EnumSource
  void large_metadata_is_in_a_blob(TestContainers engine) {
    var members = new ArrayList<Compound.Member>();
    for (int n = 0; n < 3000; n++) {
      members.add(new Compound.Member("a rather long name of member " + n, 4 * n, INTEGER));
    }
    Datatype large = new Compound(12_000, members);
    try (var container = created(engine, "spilled")) {
      change(
          container,
          work -> {
            var dataset =
                work.creator.dataset(DatasetSpec.of(large, Shape.of(2)), Optional.empty());
            work.links(ObjectId.ROOT).put("d", new Link.Hard(dataset.id()));
          });
      verify(container, container.readableMark());
      var values = TestContainers.values(container);
      var target = ((Link.Hard) new Links(ObjectId.ROOT, values).find("d").orElseThrow()).target();
      var metadata = StoredObject.open(values, target, ObjectKind.DATASET).metadata(values);
      assertEquals(large, metadata.datatype(MetadataKey.OBJECT_DATATYPE));
      var cell = metadata.spilled(MetadataKey.OBJECT_DATATYPE).orElseThrow();
      assertTrue(cell.length() > MetadataWriter.LARGEST);
      assertThrows(FormatException.class, () -> StoredObject.open(values, target, ObjectKind.MAP));
      change(
          container,
          work -> {
            new MetadataWriter(metadata.id(), work.changes, work.ids)
                .put(MetadataKey.OBJECT_DATATYPE, bytes("small"));
          });
      var after = TestContainers.values(container);
      assertTrue(new BlobObject(cell.blob().orElseThrow(), after).size().isEmpty());
      assertTrue(new BlobObject(cell.blob().orElseThrow(), values).size().isPresent());
    }
  }

  @ParameterizedTest
  @EnumSource
  void random_programs_leave_what_the_model_has(TestContainers engine) {
    for (int seed = 0; seed < (engine == TestContainers.MEMORY ? 4 : 2); seed++) {
      var random = new Random(seed);
      var states = new HashMap<Long, Map<String, List<String>>>();
      var model = new TreeMap<String, List<String>>();
      try (var container = created(engine, "random" + seed)) {
        states.put(1L, Map.of());
        for (int t = 2; t < 10; t++) {
          change(
              container,
              work -> {
                for (int step = 0; step < 6; step++) {
                  step(work, model, random);
                }
              });
          states.put(container.readableMark(), new TreeMap<>(model));
        }
        verify(container, container.readableMark());
        verify(container, 5);
        var store = ObjectStore.of(container, ChecksumLevel.STORE);
        states.forEach((t, expected) -> assertEquals(expected, contents(store.at(t)), "" + t));
      }
    }
  }

  /** Changes datasets of text that are linked from the root group, some of them twice. */
  private static void step(Work work, Map<String, List<String>> model, Random random) {
    var links = work.links(ObjectId.ROOT);
    String name = "d" + random.nextInt(6);
    var present = links.reader().find(name);
    assertEquals(model.containsKey(name), present.isPresent());
    if (present.isEmpty()) {
      var texts = texts(random);
      links.put(name, new Link.Hard(work.text(texts.toArray(String[]::new)).id()));
      model.put(name, nonEmpty(texts));
    } else if (random.nextInt(3) == 0) {
      links.remove(name);
      model.remove(name);
    } else {
      var target = ((Link.Hard) present.get()).target();
      var texts = texts(random);
      work.write(
          StoredObject.open(work.changes, target, ObjectKind.DATASET),
          texts.toArray(String[]::new));
      model.put(name, nonEmpty(texts));
    }
  }

  private static List<String> texts(Random random) {
    var texts = new ArrayList<String>();
    for (int n = 0; n < 3; n++) {
      texts.add("x".repeat(random.nextInt(4) == 0 ? 0 : random.nextInt(40)));
    }
    return texts;
  }

  private static List<String> nonEmpty(List<String> texts) {
    return texts.stream().filter(text -> !text.isEmpty()).toList();
  }

  private static Map<String, List<String>> contents(Values values) {
    var found = new TreeMap<String, List<String>>();
    var page = new Links(ObjectId.ROOT, values).page(Optional.empty(), PageLimit.DEFAULT);
    for (Links.Named named : page.items()) {
      found.put(named.name(), texts(values, ((Link.Hard) named.link()).target()));
    }
    return found;
  }
}
