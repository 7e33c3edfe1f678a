package io.skerry.cache.table;

import io.skerry.stress.Linearizability;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Tests that the operations of a {@link NumberTable} are linearizable. */
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
    check(AboutToShrink.class, FilledModel.class);
  }

  private static void check(Class<? extends Operations> operations) {
    check(operations, Model.class);
  }

  private static void check(Class<? extends Operations> operations, Class<? extends Model> model) {
    Linearizability.checkSwitches(operations, model, 1000);
    Linearizability.checkRuns(operations, model);
  }

  /** A table that is empty at the start; the numbers of all operations have the same home slot. */
  public static class Small extends Operations {}

  /** A table in which the second new entry requires a new array. */
  public static class AboutToGrow extends Operations {
    public AboutToGrow() {
      for (int i = 1; i <= 7; i++) {
        table.putIfAbsent(new NumberedItem(-i, 0));
      }
    }
  }

  /** A table of 64 slots in which the removal of one of the four entries requires a new array. */
  public static class AboutToShrink extends Operations {
    public AboutToShrink() {
      table.putIfAbsent(new NumberedItem(NUMBERS[0], VALUE));
      for (int i = 1; i <= 17; i++) {
        table.putIfAbsent(new NumberedItem(-i, 0));
      }
      for (int i = 4; i <= 17; i++) {
        table.remove(table.get(-i));
      }
    }
  }

  @Param(name = "choice", gen = IntGen.class, conf = "0:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public abstract static class Operations {
    static final long[] NUMBERS = NumberedItem.colliding(3);

    /** The value of an entry that exists at the start. */
    static final int VALUE = 5;

    final NumberTable<NumberedItem> table = NumberedItem.table();

    @Operation
    public int get(@Param(name = "choice") int choice) {
      return table.get(NUMBERS[choice]).value();
    }

    @Operation
    public int putIfAbsent(@Param(name = "choice") int choice, @Param(name = "value") int value) {
      return table.putIfAbsent(new NumberedItem(NUMBERS[choice], value)).value();
    }

    /** Returns false also if another thread removes the entry after this thread has found it. */
    @Operation
    public boolean remove(@Param(name = "choice") int choice) {
      return table.remove(table.get(NUMBERS[choice]));
    }
  }

  /** The sequential model of the operations. */
  public static class Model {
    final Map<Integer, Integer> values = new HashMap<>();

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

  /** The sequential model of a table in which the first number has an entry at the start. */
  public static class FilledModel extends Model {
    public FilledModel() {
      values.put(0, Operations.VALUE);
    }
  }
}
