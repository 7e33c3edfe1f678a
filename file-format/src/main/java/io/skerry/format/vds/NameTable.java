package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.StoredText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The distinct names of the sources of mappings, numbered from 0. The bytes of all names are in one
 * array; the pattern of a name is created at its first use and cached. Thread-safe.
 */
final class NameTable {
  /** The number of the name {@link VirtualMapping#SAME_FILE} if it is not stored as text. */
  static final int SAME_FILE = -1;

  private static final NamePattern SAME = new NamePattern(VirtualMapping.SAME_FILE);

  private final byte[] text;
  private final int[] ends;
  private final AtomicReferenceArray<NamePattern> patterns;

  private NameTable(byte[] text, int[] ends) {
    this.text = text;
    this.ends = ends;
    this.patterns = new AtomicReferenceArray<>(ends.length);
  }

  /** Returns the pattern of a name. */
  NamePattern pattern(int number) {
    if (number == SAME_FILE) {
      return SAME;
    }
    NamePattern known = patterns.get(number);
    if (known != null) {
      return known;
    }
    int start = number == 0 ? 0 : ends[number - 1];
    NamePattern made =
        new NamePattern(StoredText.decode(Arrays.copyOfRange(text, start, ends[number])));
    return patterns.compareAndSet(number, null, made) ? made : patterns.get(number);
  }

  /** Returns the number of distinct names. */
  int size() {
    return ends.length;
  }

  /**
   * Collects distinct names. Finds known names in a hash table that is discarded with the builder;
   * {@link #isAt} lets the caller avoid the lookup for a repeated name.
   */
  static final class Builder {
    private static final int MOST = Integer.MAX_VALUE - 8;

    private final MemorySegment bytes;
    private final String structure;
    private byte[] text = new byte[256];
    private int[] ends = new int[16];
    private int size;

    /** The names that contain a %b. */
    private final BitSet perBlock = new BitSet();

    /** Slots of an open-addressing hash table: a name's number plus 1, or 0 if the slot is free. */
    private int[] slots = new int[64];

    /**
     * Creates a builder.
     *
     * @param bytes the bytes that contain the names
     * @param structure the name of the structure that the bytes hold, for error messages
     */
    Builder(MemorySegment bytes, String structure) {
      this.bytes = bytes;
      this.structure = structure;
    }

    /** Returns whether the bytes at an offset are the given name and a NUL. */
    boolean isAt(long at, int number) {
      int start = start(number);
      int length = ends[number] - start;
      return bytes.byteSize() - at > length
          && bytes.get(ValueLayout.JAVA_BYTE, at + length) == 0
          && matches(at, start, length);
    }

    private boolean matches(long at, int start, int length) {
      for (int i = 0; i < length; i++) {
        if (bytes.get(ValueLayout.JAVA_BYTE, at + i) != text[start + i]) {
          return false;
        }
      }
      return true;
    }

    /** Returns the length in bytes of a name. */
    int length(int number) {
      return ends[number] - start(number);
    }

    private int start(int number) {
      return number == 0 ? 0 : ends[number - 1];
    }

    /**
     * Returns the number of the name that begins at an offset and ends at a NUL; adds the name if
     * it is not in the table yet.
     *
     * @throws io.skerry.exception.FormatException if no NUL follows, or if an array cannot hold the
     *     bytes of all distinct names
     */
    int add(long at) {
      int hash = 0;
      long end = at;
      while (end < bytes.byteSize() && bytes.get(ValueLayout.JAVA_BYTE, end) != 0) {
        hash = hash * 31 + bytes.get(ValueLayout.JAVA_BYTE, end);
        end++;
      }
      if (end == bytes.byteSize()) {
        throw reader().fault("unterminated text", "a NUL", "the end of the structure");
      }
      int slot = spread(hash) & slots.length - 1;
      while (slots[slot] != 0) {
        if (isAt(at, slots[slot] - 1)) {
          return slots[slot] - 1;
        }
        slot = slot + 1 & slots.length - 1;
      }
      append(at, end - at);
      slots[slot] = size;
      if (size > slots.length / 2) {
        rehash();
      }
      return size - 1;
    }

    private void append(long at, long length) {
      int used = size == 0 ? 0 : ends[size - 1];
      if (length > MOST - used) {
        throw reader().fault("bytes of distinct names", "at most " + MOST, used + length);
      }
      int needed = used + (int) length;
      if (needed > text.length) {
        text = Arrays.copyOf(text, (int) Math.min(MOST, Math.max(needed, text.length * 2L)));
      }
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, text, used, (int) length);
      if (size == ends.length) {
        ends = Arrays.copyOf(ends, size * 2);
      }
      ends[size] = needed;
      if (hasBlockNumber(used, needed)) {
        perBlock.set(size);
      }
      size++;
    }

    private boolean hasBlockNumber(int start, int end) {
      int at = start;
      while (at + 1 < end) {
        if (text[at] == '%' && text[at + 1] == 'b') {
          return true;
        }
        at += text[at] == '%' && text[at + 1] == '%' ? 2 : 1;
      }
      return false;
    }

    /** Returns whether a name contains a %b. */
    boolean isPerBlock(int number) {
      return number != SAME_FILE && perBlock.get(number);
    }

    /** Returns whether any name contains a %b. */
    boolean hasPerBlock() {
      return !perBlock.isEmpty();
    }

    private void rehash() {
      slots = new int[slots.length * 4];
      for (int number = 0; number < size; number++) {
        int hash = 0;
        for (int i = start(number); i < ends[number]; i++) {
          hash = hash * 31 + text[i];
        }
        int slot = spread(hash) & slots.length - 1;
        while (slots[slot] != 0) {
          slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = number + 1;
      }
    }

    /** Mixes the upper bits of a hash into the lower ones. */
    private static int spread(int hash) {
      int mixed = hash * 0x9e3779b9;
      return mixed ^ mixed >>> 15;
    }

    private ByteReader reader() {
      return ByteReader.of(bytes, structure);
    }

    NameTable build() {
      int used = size == 0 ? 0 : ends[size - 1];
      return new NameTable(Arrays.copyOf(text, used), Arrays.copyOf(ends, size));
    }
  }
}
