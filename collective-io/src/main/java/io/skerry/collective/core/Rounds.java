package io.skerry.collective.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/** Splits work into rounds with a limited number of bytes each. Local. */
public final class Rounds {
  private Rounds() {}

  /**
   * Splits items into rounds, keeping their order. An item larger than the limit shares its round
   * only with items of 0 bytes.
   *
   * @param bytes a function that returns the number of bytes of an item
   * @param limit the maximum number of bytes in a round
   * @return the rounds; empty if there are no items
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
