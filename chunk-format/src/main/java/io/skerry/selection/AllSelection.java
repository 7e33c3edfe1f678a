package io.skerry.selection;

import java.util.OptionalInt;

/** Every element of whatever extent it meets. */
public record AllSelection() implements Selection {
  static final AllSelection ALL = new AllSelection();

  @Override
  public OptionalInt rank() {
    return OptionalInt.empty();
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public String toString() {
    return "all";
  }
}
