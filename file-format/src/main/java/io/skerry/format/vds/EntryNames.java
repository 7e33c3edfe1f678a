package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.format.block.Widths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The source file names or the source dataset names in the mapping entries of a virtual dataset.
 * Each distinct name is encoded once.
 */
final class EntryNames {
  private final Stored[] names;
  private final Widths widths;

  /**
   * A distinct name.
   *
   * @param text the name
   * @param bytes the name as stored, without its NUL
   * @param first the index of the first entry with this name
   */
  private record Stored(String text, byte[] bytes, int first) {}

  private EntryNames(Stored[] names, Widths widths) {
    this.names = names;
    this.widths = widths;
  }

  static EntryNames of(
      List<VirtualMapping> entries, Function<VirtualMapping, NamePattern> name, Widths widths) {
    Map<String, Stored> distinct = new HashMap<>();
    Stored[] names = new Stored[entries.size()];
    for (int i = 0; i < names.length; i++) {
      int entry = i;
      names[i] =
          distinct.computeIfAbsent(
              name.apply(entries.get(i)).text(),
              text -> new Stored(text, StoredText.encode(text), entry));
    }
    return new EntryNames(names, widths);
  }

  /** Returns whether an entry has the given name. */
  boolean is(int entry, String text) {
    return names[entry].text.equals(text);
  }

  /** Returns whether an entry refers to an earlier one instead of repeating a name. */
  boolean isShared(int entry) {
    return names[entry].first < entry && names[entry].bytes.length + 1 >= widths.length();
  }

  /** Returns the number of bytes that sharing saves in the stored name of an entry. */
  long saved(int entry) {
    return isShared(entry) ? names[entry].bytes.length + 1 - widths.length() : 0;
  }

  /** Appends the name of an entry and its NUL. */
  void writeInFull(int entry, ByteWriter out) {
    out.bytes(names[entry].bytes).u8(0);
  }

  /** Appends the name of an entry or, if shared, the index of the first entry with that name. */
  void write(int entry, ByteWriter out) {
    if (isShared(entry)) {
      widths.writeLength(out, names[entry].first);
    } else {
      writeInFull(entry, out);
    }
  }
}
