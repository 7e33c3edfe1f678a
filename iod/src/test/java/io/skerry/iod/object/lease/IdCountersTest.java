package io.skerry.iod.object.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.iod.encoding.property.PropertyClass;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.model.MetadataKey;
import io.skerry.iod.object.model.ObjectCreator;
import io.skerry.iod.object.model.StoredObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdCountersTest {
  @TempDir Path folder;

  private Container container() {
    var container = TestContainers.MEMORY.create(folder, "ids", 2);
    TestContainers.commit(
        container,
        changes -> {
          var unused =
              ObjectCreator.createRoot(changes, PropertyList.of(PropertyClass.FILE_CREATE));
        });
    return container;
  }

  @Test
  void the_root_group_keeps_the_first_block_of_key_value_objects() {
    try (var container = container()) {
      assertEquals(
          Map.of(ObjectType.KV, 1L, ObjectType.ARRAY, 0L, ObjectType.BLOB, 0L),
          IdCounters.nextBlocks(TestContainers.values(container)));
    }
  }

  @Test
  void numbers_of_a_client_are_used_up_before_the_next_block() {
    try (var container = container()) {
      var counters = IdCounters.read(TestContainers.values(container));
      var one = new LeasedIds(type -> counters.lease(type, 1));
      var two = new LeasedIds(type -> counters.lease(type, 2));
      assertEquals(1024, one.next(ObjectType.KV));
      assertEquals(2048, two.next(ObjectType.KV));
      for (int n = 1; n < IdLease.BLOCK; n++) {
        assertEquals(1024 + n, one.next(ObjectType.KV));
      }
      assertEquals(3072, one.next(ObjectType.KV));
      assertEquals(0, two.next(ObjectType.ARRAY));
    }
  }

  /** Transactions are changed in any order, aborted, and become readable in their order. */
  @Test
  void no_block_is_leased_twice_by_any_opening() {
    for (int seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      try (var container = container()) {
        var store = ObjectStore.of(container, ChecksumLevel.STORE);
        Set<IdLease> used = new HashSet<>();
        for (int opening = 0; opening < 4; opening++) {
          program(container, store, used, random);
        }
      }
    }
  }

  private static void program(
      Container container, ObjectStore store, Set<IdLease> used, Random random) {
    long mark = container.readableMark();
    var counters = IdCounters.read(store.at(mark));
    var usedNow = new HashSet<IdLease>();
    for (int group = 0; group < 3; group++) {
      long first = container.readableMark() + 1;
      int transactions = 1 + random.nextInt(4);
      var order = new ArrayList<Long>();
      for (int n = 0; n < transactions; n++) {
        order.add(first + n);
      }
      Collections.shuffle(order, random);
      for (long t : order) {
        try (var changes = store.change(t)) {
          int leases = random.nextInt(3);
          for (int n = 0; n < leases; n++) {
            var lease = counters.lease(ObjectType.values()[random.nextInt(3)], random.nextInt(5));
            assertTrue(usedNow.add(lease), "leased twice: " + lease);
            assertTrue(used.stream().noneMatch(u -> isSame(u, lease)), "used before: " + lease);
          }
          counters.store(changes);
          if (random.nextInt(4) == 0) {
            counters.aborted(t);
          } else {
            changes.prepare(Durability.BUFFERED);
          }
        }
      }
      assertTrue(container.advance(first - 1, first + transactions - 1));
      counters.readable(first + transactions - 1);
      if (random.nextInt(2) == 0) {
        // One more transaction stores what aborted ones did not.
        try (var changes = store.change(first + transactions)) {
          counters.store(changes);
          changes.prepare(Durability.BUFFERED);
        }
        assertTrue(container.advance(first + transactions - 1, first + transactions));
        counters.readable(first + transactions);
        used.addAll(usedNow);
      }
    }
  }

  @Test
  void leases_of_earlier_openings_are_removed() {
    try (var container = container()) {
      var store = ObjectStore.of(container, ChecksumLevel.STORE);
      for (int opening = 0; opening < 20; opening++) {
        var counters = IdCounters.read(store.at(container.readableMark()));
        for (int flush = 0; flush < 3; flush++) {
          assertEquals(3 * opening + flush, counters.lease(ObjectType.BLOB, 7).block());
          TestContainers.commit(container, counters::store);
          counters.readable(container.readableMark());
        }
      }
      var values = TestContainers.values(container);
      var extra = StoredObject.open(values, ObjectId.ROOT).pad().extra().orElseThrow();
      var pairs = new KeyValueObject(extra, values).keys(Optional.empty(), PageLimit.DEFAULT);
      assertEquals(1, pairs.items().size(), pairs.items().toString());
      assertEquals(60L, IdCounters.nextBlocks(values).get(ObjectType.BLOB));
    }
  }

  private static boolean isSame(IdLease one, IdLease two) {
    return one.type() == two.type() && one.block() == two.block();
  }

  @Test
  void damaged_counters_and_leases_are_refused() {
    try (var container = container()) {
      TestContainers.commit(
          container,
          changes ->
              new KeyValueWriter(ObjectId.of(ObjectType.KV, 3), changes)
                  .put(MetadataKey.OBJECT_TYPE.key(), MetadataKey.OBJECT_TYPE.key().segment()));
      assertThrows(FormatException.class, () -> IdCounters.read(TestContainers.values(container)));
    }
    assertThrows(IllegalArgumentException.class, () -> new IdLease(ObjectType.KV, -1, 0));
  }
}
