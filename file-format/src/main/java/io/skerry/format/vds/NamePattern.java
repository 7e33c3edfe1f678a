package io.skerry.format.vds;

import java.util.ArrayList;
import java.util.List;

/**
 * The name of a source file or dataset of a virtual dataset, in which {@code %b} is replaced by a
 * block number and {@code %%} by a percent sign. Patterns are equal if their texts are equal.
 */
public final class NamePattern {
  private final String text;
  private final List<String> parts;

  /** Parses a name as stored in the file. */
  public NamePattern(String text) {
    this.text = text;
    List<String> found = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("%b", at)) {
        found.add(part.toString());
        part.setLength(0);
        at += 2;
      } else if (text.startsWith("%%", at)) {
        part.append('%');
        at += 2;
      } else {
        part.append(text.charAt(at));
        at++;
      }
    }
    found.add(part.toString());
    this.parts = List.copyOf(found);
  }

  /** Returns whether the pattern names one source per block. */
  public boolean isPerBlock() {
    return parts.size() > 1;
  }

  /** Returns the name for a block; the same name for all blocks unless {@link #isPerBlock}. */
  public String name(long block) {
    return isPerBlock() ? String.join(Long.toString(block), parts) : parts.getFirst();
  }

  /** Returns the name as stored in the file. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamePattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
