package io.skerry.iod.connector.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.BlobWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StepChangesTest {
  private static final long OBJECT = ObjectId.of(ObjectType.KV, 5).bits();

  @TempDir Path folder;

  private static Place place(int number) {
    return new Place.Pair(OBJECT, Bytes.of(bytes(number)));
  }

  private static MemorySegment bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return MemorySegment.ofArray(bytes);
  }

  private static List<Optional<Byte>> state(Values values) {
    List<Optional<Byte>> state = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      state.add(
          values
              .get(place(i), (size, _) -> MemorySegment.ofArray(new byte[(int) size]))
              .map(value -> value.get(ValueLayout.JAVA_BYTE, 0)));
    }
    return state;
  }

  private static void change(SplittableRandom random, ValueChanges changes) {
    for (int i = 0; i < 15; i++) {
      Place place = place(random.nextInt(20));
      if (random.nextInt(3) == 0) {
        changes.remove(place);
      } else {
        changes.put(place, bytes(random.nextInt(100)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_undone_step_leaves_the_values_before_it(TestContainers kind) {
    try (Container container = kind.create(folder, "c", 2)) {
      TestContainers.commit(container, changes -> change(new SplittableRandom(1), changes));
      TestContainers.commit(
          container,
          (StoreChanges changes) -> {
            for (int seed = 2; seed < 30; seed++) {
              List<Optional<Byte>> before = state(changes);
              StepChanges step = new StepChanges(changes, StepChanges.LIMIT);
              change(new SplittableRandom(seed), step);
              assertEquals(state(changes), state(step));
              assertTrue(step.undo(), "undone");
              assertEquals(before, state(changes));
              change(new SplittableRandom(seed), changes);
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_step_above_the_limit_cannot_be_undone(TestContainers kind) {
    try (Container container = kind.create(folder, "c", 1)) {
      TestContainers.commit(
          container,
          (StoreChanges changes) -> {
            StepChanges step = new StepChanges(changes, 1000);
            change(new SplittableRandom(3), step);
            List<Optional<Byte>> after = state(changes);
            assertFalse(step.undo(), "too large");
            assertEquals(after, state(changes));
          });
    }
  }

  /** Returns changes that count the values and sizes that are read. */
  private static ValueChanges counted(ValueChanges base, AtomicInteger reads) {
    return (ValueChanges)
        Proxy.newProxyInstance(
            ValueChanges.class.getClassLoader(),
            new Class<?>[] {ValueChanges.class},
            (_, method, arguments) -> {
              if (method.getName().equals("get") || method.getName().equals("size")) {
                reads.incrementAndGet();
              }
              return method.invoke(base, arguments);
            });
  }

  @ParameterizedTest
  @EnumSource
  void changes_of_objects_that_the_step_creates_read_nothing(TestContainers kind) {
    try (Container container = kind.create(folder, "c", 2)) {
      TestContainers.commit(
          container,
          (StoreChanges changes) -> {
            AtomicInteger reads = new AtomicInteger();
            AtomicLong next = new AtomicLong(100);
            StepChanges step = new StepChanges(counted(changes, reads), StepChanges.LIMIT);
            IdSource ids = step.creating(_ -> next.getAndAdd(next.get() == 110 ? 7 : 1));
            List<Place> places = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
              ObjectId blob = ObjectId.of(ObjectType.BLOB, ids.next(ObjectType.BLOB));
              places.add(new Place.Block(blob.bits(), 0));
              new BlobWriter(blob, step).create(bytes(i));
            }
            assertEquals(0, reads.get());
            step.put(new Place.Block(ObjectId.of(ObjectType.BLOB, 112).bits(), 0), bytes(1));
            assertEquals(1, reads.get(), "a place without a value is not read");
            step.put(new Place.Tile(ObjectId.of(ObjectType.ARRAY, 100).bits(), 0), bytes(1));
            assertEquals(2, reads.get(), "an object of another type");
            assertTrue(places.stream().allMatch(place -> changes.size(place).isPresent()));
            assertTrue(step.undo(), "undone");
            assertTrue(places.stream().allMatch(place -> changes.size(place).isEmpty()));
          });
    }
  }
}
