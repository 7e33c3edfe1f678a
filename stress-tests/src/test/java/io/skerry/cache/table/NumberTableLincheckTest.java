package io.skerry.cache.table;

import io.skerry.stress.Linearizability;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The operations of a {@link NumberTable} beside those of a map that one thread uses. */
class NumberTableLincheckTest {
  @Test
  void a_small_table_is_linearizable() {
    check(Small.class);
  }

  @Test
  void a_table_about_to_grow_is_linearizable() {
    check(AboutToGrow.class);
  }

  @Test
  void a_table_about_to_shrink_is_linearizable() {
    check(AboutToShrink.class);
  }

  private static void check(Class<? extends Operations> operations) {
    Linearizability.checkSwitches(operations, Model.class, 1000);
    Linearizability.checkRuns(operations, Model.class);
  }

  /** An empty table, and numbers that all want the same slot. */
  public static class Small extends Operations {}

  /** The second new entry makes a new array. */
  public static class AboutToGrow extends Operations {
    public AboutToGrow() {
      for (int i = 1; i <= 7; i++) {
        table.putIfAbsent(new NumberedItem(-i, 0));
      }
    }
  }

  /** 64 slots with four entries, of which fewer must not be. */
  public static class AboutToShrink extends Operations {
    public AboutToShrink() {
      for (int i = 1; i <= 17; i++) {
        table.putIfAbsent(new NumberedItem(-i, 0));
      }
      for (int i = 5; i <= 17; i++) {
        table.remove(table.get(-i));
      }
      table.remove(table.get(-4));
    }
  }

  @Param(name = "choice", gen = IntGen.class, conf = "0:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public abstract static class Operations {
    private static final long[] NUMBERS = NumberedItem.colliding(3);
    final NumberTable<NumberedItem> table = NumberedItem.table();

    @Operation
    public int get(@Param(name = "choice") int choice) {
      return table.get(NUMBERS[choice]).value();
    }

    @Operation
    public int putIfAbsent(@Param(name = "choice") int choice, @Param(name = "value") int value) {
      return table.putIfAbsent(new NumberedItem(NUMBERS[choice], value)).value();
    }

    /** False also if the entry that was found is removed by another thread: then there was none. */
    @Operation
    public boolean remove(@Param(name = "choice") int choice) {
      return table.remove(table.get(NUMBERS[choice]));
    }
  }

  /** The sequential model of the operations. */
  public static class Model {
    private final Map<Integer, Integer> values = new HashMap<>();

    public int get(int choice) {
      return values.getOrDefault(choice, NumberedItem.NONE);
    }

    public int putIfAbsent(int choice, int value) {
      return values.merge(choice, value, (there, _) -> there);
    }

    public boolean remove(int choice) {
      return values.remove(choice) != null;
    }
  }
}
