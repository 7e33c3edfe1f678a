package io.skerry.selection;

import java.util.OptionalInt;

/** The selection of no elements. */
public record NoneSelection() implements Selection {
  static final NoneSelection NONE = new NoneSelection();

  @Override
  public OptionalInt rank() {
    return OptionalInt.empty();
  }

  @Override
  public boolean isEmpty() {
    return true;
  }

  @Override
  public String toString() {
    return "none";
  }
}
