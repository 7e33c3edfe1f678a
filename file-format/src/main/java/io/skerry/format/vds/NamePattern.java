package io.skerry.format.vds;

import java.util.ArrayList;
import java.util.List;

/**
 * The name of a source file or dataset, in which {@code %b} stands for the number of a block and
 * {@code %%} for a percent sign. Equal if the text is.
 */
public final class NamePattern {
  private final String text;
  private final List<String> parts;

  /** Reads a name as it is in the file. */
  public NamePattern(String text) {
    this.text = text;
    List<String> found = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
      if (text.charAt(i) != '%' || next != 'b' && next != '%') {
        part.append(text.charAt(i));
        continue;
      }
      if (next == 'b') {
        found.add(part.toString());
        part.setLength(0);
      } else {
        part.append('%');
      }
      i++;
    }
    found.add(part.toString());
    this.parts = List.copyOf(found);
  }

  /** Whether it names one source per block. */
  public boolean isPerBlock() {
    return parts.size() > 1;
  }

  /** The name for a block; the same for all unless {@link #isPerBlock}. */
  public String name(long block) {
    return String.join(Long.toString(block), parts);
  }

  /** The name as it is in the file. */
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
