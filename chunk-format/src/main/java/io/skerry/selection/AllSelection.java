package io.skerry.selection;

import java.util.OptionalInt;

/** The selection of every element of any extent. */
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
