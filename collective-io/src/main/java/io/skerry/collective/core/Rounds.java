package io.skerry.collective.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/** Splits work into rounds that each fit into a limit of bytes. Local. */
public final class Rounds {
  private Rounds() {}

  /**
   * Splits items into rounds, in their order. An item above the limit gets a round in which no
   * other item takes bytes.
   *
   * @param bytes of one item
   * @param limit bytes of one round
   * @return as many rounds as are needed; none if there are no items
   */
  public static <T> List<List<T>> split(Collection<T> items, ToLongFunction<T> bytes, long limit) {
    List<List<T>> rounds = new ArrayList<>();
    long filled = 0;
    for (T item : items) {
      long more = bytes.applyAsLong(item);
      if (rounds.isEmpty() || filled > 0 && filled + more > limit) {
        rounds.add(new ArrayList<>());
        filled = 0;
      }
      rounds.getLast().add(item);
      filled += more;
    }
    return rounds;
  }
}
