package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Transactions whose values tell the number of their transaction, in all shards of a container. */
final class Samples {
  static final int PLACES = 12;

  private Samples() {}

  /** Writes and prepares a transaction with small and large values. */
  static void write(Container container, long transaction, int largeBytes) {
    for (int number : container.served()) {
      write(container, number, transaction, largeBytes);
    }
  }

  static void write(Container container, int number, long transaction, int largeBytes) {
    try (var changes = container.shard(number).change(transaction)) {
      for (int n = 0; n < PLACES; n++) {
        changes.put(new Place.Tile(1, n), value(transaction, n % 3 == 0 ? largeBytes : 100));
      }
      changes.put(new Place.ScratchPad(1), value(transaction, 40));
      changes.put(new Place.Tile(2, transaction), value(transaction, 100));
      if (transaction > 3) {
        changes.remove(new Place.Tile(2, transaction - 3));
      }
      changes.prepare(Durability.SYNCED);
    }
  }

  private static MemorySegment value(long transaction, int size) {
    var value = MemorySegment.ofArray(new byte[size]);
    value.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, transaction);
    value.set(ValueLayout.JAVA_LONG_UNALIGNED, size - Long.BYTES, transaction);
    return value;
  }

  /**
   * Recovers a container after the end of its writer, completes a purge, and checks the content.
   *
   * @param acknowledged the last transaction that the writer has acknowledged
   * @return the transaction at which the container opens
   */
  static long recovered(Container container, long acknowledged) {
    long mark = container.recover();
    assertTrue(
        mark == acknowledged || mark == acknowledged + 1,
        "mark=" + mark + " acknowledged=" + acknowledged);
    for (int number : container.served()) {
      container.shard(number).purge(container.shard(number).oldest());
    }
    check(container, mark);
    return mark;
  }

  /** Checks that a container holds a transaction, nothing newer, and nothing inconsistent. */
  static void check(Container container, long mark) {
    for (int number : container.served()) {
      var shard = container.shard(number);
      for (int n = 0; mark > 0 && n < PLACES; n++) {
        var value = shard.get(new Place.Tile(1, n), mark, Arena.ofAuto()).orElseThrow();
        assertEquals(mark, value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        assertEquals(
            mark, value.get(ValueLayout.JAVA_LONG_UNALIGNED, value.byteSize() - Long.BYTES));
      }
      var all = new PageLimit(Integer.MAX_VALUE, Long.MAX_VALUE);
      for (var version : shard.history(Optional.empty(), all).items()) {
        assertEquals(true, version.transaction() <= mark, version.toString());
      }
      shard.verify(finding -> {
        throw new AssertionError(finding);
      });
    }
  }
}
