package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.encoding.SelectionBounds;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.format.block.Widths;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Decodes the entries of {@link VirtualMappings} into {@link StoredMappings} in one pass. Checks
 * every name and selection, but creates no objects for them. Names and selection headers whose
 * bytes equal those of the preceding entry are compared but not decoded again.
 */
final class MappingDecoder {
  static final String STRUCTURE = "virtual mappings";
  private static final int SHARED_FILE = 1;
  private static final int SHARED_DATASET = 2;
  private static final int SAME_FILE = 4;
  private static final int MOST = Integer.MAX_VALUE - 8;

  /** The size of the smallest entry in bytes: 2 for names and flags, 16 for each selection. */
  private static final int SMALLEST = 34;

  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment body;
  private final Widths widths;
  private final NameTable.Builder names;
  private final SelectionBounds source;
  private final SelectionBounds virtual;
  private final MappingSummary summary = new MappingSummary();

  /**
   * The selections of the entries, copied without the names between them, which version 0 repeats
   * in each entry. Unused in version 1, whose selections are read from the heap object itself.
   */
  private MemorySegment selections = HeapBytes.allocate(0);

  private long copied;
  private long count;
  private int size;

  /** The offset of the flags and names of the preceding entry. */
  private long namesAt;

  /** The size in bytes of the flags and names of the preceding entry; 0 if there is none. */
  private long namesLength;

  private int[] files = {};
  private int[] datasets = {};
  private long[] offsets = {};

  /**
   * Creates a decoder.
   *
   * @param body the heap object without its checksum
   */
  MappingDecoder(MemorySegment body, Widths widths) {
    this.body = body;
    this.widths = widths;
    this.names = new NameTable.Builder(body, STRUCTURE);
    this.source = new SelectionBounds(body, STRUCTURE);
    this.virtual = new SelectionBounds(body, STRUCTURE);
  }

  /**
   * Decodes the object.
   *
   * @throws io.skerry.exception.FormatException if it is damaged
   */
  VirtualMappings decode() {
    ByteReader in = ByteReader.of(body, STRUCTURE);
    int version = in.u8();
    if (version > 1) {
      throw in.fault("version", "0 or 1", version);
    }
    count = widths.readLength(in, "number of entries");
    // A conservative limit: every entry occupies at least two bytes.
    long most = Math.min(MOST, in.remaining() / 2);
    if (count > most) {
      throw in.fault("number of entries", "at most " + most, count);
    }
    grow(Math.min(count, in.remaining() / SMALLEST));
    long at = in.position();
    while (size < count) {
      if (size == offsets.length) {
        grow(Math.min(count, Math.max(1, size * 2L)));
      }
      long past = names(version, at);
      long end = selections(past);
      if (version == 0) {
        keep(past, end);
      } else {
        offsets[size] = past;
      }
      size++;
      at = end;
    }
    grow(size);
    StoredMappings entries =
        new StoredMappings(names.build(), files, datasets, offsets, version == 0 ? kept() : body);
    return new VirtualMappings(entries, summary);
  }

  /** Makes space for the given number of entries, at least {@link #size}. */
  private void grow(long entries) {
    int length = (int) entries;
    if (length != offsets.length) {
      files = Arrays.copyOf(files, length);
      datasets = Arrays.copyOf(datasets, length);
      offsets = Arrays.copyOf(offsets, length);
    }
  }

  /** Reads the flags and names of an entry; returns the offset of their end. */
  private long names(int version, long at) {
    if (isRepeated(at)) {
      files[size] = files[size - 1];
      datasets[size] = datasets[size - 1];
      namesAt = at;
      return at + namesLength;
    }
    long past = version == 0 ? plain(at) : shared(at);
    namesAt = at;
    namesLength = past - at;
    return past;
  }

  /** Returns whether the flags and names of the preceding entry are repeated at an offset. */
  private boolean isRepeated(long at) {
    long length = namesLength;
    if (length < Long.BYTES || body.byteSize() - at < length) {
      return false;
    }
    long last = length - Long.BYTES;
    for (long i = 0; i < last; i += Long.BYTES) {
      if (body.get(U64, at + i) != body.get(U64, namesAt + i)) {
        return false;
      }
    }
    return body.get(U64, at + last) == body.get(U64, namesAt + last);
  }

  private long plain(long at) {
    files[size] = name(at, files);
    long next = past(at, files[size]);
    datasets[size] = name(next, datasets);
    return past(next, datasets[size]);
  }

  private long shared(long at) {
    int flags = at < body.byteSize() ? body.get(ValueLayout.JAVA_BYTE, at) & 0xff : reader(at).u8();
    if (flags > 7 || (flags & SHARED_FILE) != 0 && (flags & SAME_FILE) != 0) {
      throw reader(at).fault("flags of an entry", "0 to 7, not both bit 0 and bit 2", flags);
    }
    long next = at + 1;
    if ((flags & SAME_FILE) != 0) {
      files[size] = NameTable.SAME_FILE;
    } else if ((flags & SHARED_FILE) != 0) {
      files[size] = files[earlier(next)];
      next += widths.length();
    } else {
      files[size] = name(next, files);
      next = past(next, files[size]);
    }
    if ((flags & SHARED_DATASET) != 0) {
      datasets[size] = datasets[earlier(next)];
      return next + widths.length();
    }
    datasets[size] = name(next, datasets);
    return past(next, datasets[size]);
  }

  /** Returns the number of the name at an offset; checks the previous entry's name first. */
  private int name(long at, int[] numbers) {
    int before = size == 0 ? NameTable.SAME_FILE : numbers[size - 1];
    return before != NameTable.SAME_FILE && names.isAt(at, before) ? before : names.add(at);
  }

  /** Returns the offset after a name and its NUL. */
  private long past(long at, int name) {
    return at + names.length(name) + 1;
  }

  /** Reads the index of an earlier entry. */
  private int earlier(long at) {
    if (widths.length() == Long.BYTES && body.byteSize() - at >= Long.BYTES) {
      long index = body.get(U64, at);
      if (index >= 0 && index < size) {
        return (int) index;
      }
    }
    ByteReader in = reader(at);
    long index = widths.readLength(in, "entry of a shared name");
    if (index >= size) {
      throw in.fault("entry of a shared name", "below " + size, index);
    }
    return (int) index;
  }

  private ByteReader reader(long at) {
    ByteReader in = ByteReader.of(body, STRUCTURE);
    in.skip(at);
    return in;
  }

  /** Checks the two selections at an offset; returns the offset of their end. */
  private long selections(long at) {
    long end = virtual.read(source.read(at));
    boolean sourceGrows = source.kind() == SelectionBounds.Kind.UNLIMITED;
    boolean grows = virtual.kind() == SelectionBounds.Kind.UNLIMITED;
    if (grows || sourceGrows || names.hasPerBlock()) {
      checkGrowth(at, grows, sourceGrows);
    }
    summary.add(size, virtual);
    return end;
  }

  /** Copies the selections of an entry and records their offset in the copy. */
  private void keep(long at, long end) {
    long length = end - at;
    if (length > selections.byteSize() - copied) {
      enlarge(length, body.byteSize() - at);
    }
    MemorySegment.copy(body, at, selections, copied, length);
    offsets[size] = copied;
    copied += length;
  }

  /**
   * Makes space for the selections of the remaining entries, assuming that they have equal lengths;
   * never more than the remaining bytes of the heap object.
   *
   * @param length the size in bytes of the selections of the current entry
   * @param left the number of bytes from these selections to the end of the heap object
   */
  private void enlarge(long length, long left) {
    long entries = count - size;
    long expected = entries > left / length ? left : entries * length;
    // A minimum growth limits the number of copies if the lengths increase from entry to entry.
    long more = Math.min(left, Math.max(expected, copied / 2));
    MemorySegment larger = HeapBytes.allocate(copied + more);
    MemorySegment.copy(selections, 0, larger, 0, copied);
    selections = larger;
  }

  /**
   * Checks the rules for unlimited selections, which are those of {@code H5Pset_virtual}.
   *
   * @param at the offset of the selections
   * @param grows true if the virtual selection is unlimited
   * @param sourceGrows true if the source selection is unlimited
   */
  private void checkGrowth(long at, boolean grows, boolean sourceGrows) {
    boolean perBlock = names.isPerBlock(files[size]) || names.isPerBlock(datasets[size]);
    if (perBlock && (!grows || sourceGrows)) {
      throw reader(at)
          .fault(
              "selections of an entry with one source per block",
              "an unlimited virtual and a limited source selection",
              form(grows, sourceGrows));
    }
    if (!perBlock && grows != sourceGrows) {
      throw reader(at)
          .fault(
              "selections of an entry without %b in its names",
              "both limited or both unlimited", form(grows, sourceGrows));
    }
    if (perBlock) {
      checkBlocks(at);
    }
  }

  private static String form(boolean grows, boolean sourceGrows) {
    return (grows ? "an unlimited" : "a limited")
        + " virtual and "
        + (sourceGrows ? "an unlimited" : "a limited")
        + " source selection";
  }

  /** Rejects a single block of unlimited size. */
  private void checkBlocks(long at) {
    ByteReader in = reader(at);
    var unused = SelectionCodec.decodeSelection(in);
    if (SelectionCodec.decodeSelection(in) instanceof Hyperslab slab) {
      for (int d = 0; d < slab.dimensions(); d++) {
        if (slab.blockAt(d) == Shape.UNLIMITED) {
          throw in.fault(
              "block of an entry with one source per block", "a limited size", "unlimited");
        }
      }
    }
  }

  /**
   * Returns the copied selections; releases the unused memory if it is at least an eighth of the
   * total.
   */
  private MemorySegment kept() {
    MemorySegment used = selections.asSlice(0, copied);
    return copied > selections.byteSize() * 7 / 8 ? used : HeapBytes.copyOf(used);
  }
}
