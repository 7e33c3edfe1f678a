package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.encoding.SelectionBounds;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.format.block.Widths;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decodes the entries of {@link VirtualMappings} to their compact form. Checks every name and
 * selection, but creates no objects for them.
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
  private final SelectionBounds bounds;

  /**
   * The selections of the entries, copied without the names between them, which version 0 repeats
   * in each entry. Empty in version 1, whose selections are read from the heap object itself.
   */
  private Optional<MemorySegment> selections = Optional.empty();

  private final MappingSummary summary = new MappingSummary();
  private long copied;
  private int size;
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
    this.bounds = new SelectionBounds(body, STRUCTURE);
  }

  /** Allocates memory, possibly more than 2^31 bytes. */
  private static MemorySegment memory(long bytes) {
    return MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(bytes, Long.BYTES))]);
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
    long count = widths.readLength(in, "number of entries");
    // A conservative limit: every entry occupies at least two bytes.
    long most = Math.min(MOST, in.remaining() / 2);
    if (count > most) {
      throw in.fault("number of entries", "at most " + most, count);
    }
    grow(Math.min(count, in.remaining() / SMALLEST));
    if (version == 0) {
      selections = Optional.of(memory(body.byteSize()));
    }
    long at = in.position();
    while (size < count) {
      if (size == offsets.length) {
        grow(Math.min(count, size * 2L));
      }
      at = version == 0 ? plain(at) : shared(at);
      at = selections(at);
      size++;
    }
    StoredMappings entries =
        new StoredMappings(
            names.build(),
            Arrays.copyOf(files, size),
            Arrays.copyOf(datasets, size),
            Arrays.copyOf(offsets, size),
            kept());
    return new VirtualMappings(entries, summary);
  }

  private void grow(long entries) {
    int length = (int) Math.max(1, entries);
    files = Arrays.copyOf(files, length);
    datasets = Arrays.copyOf(datasets, length);
    offsets = Arrays.copyOf(offsets, length);
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

  /** Checks and records the two selections at an offset; returns the offset of their end. */
  private long selections(long at) {
    long middle = bounds.read(at);
    boolean sourceGrows = bounds.kind() == SelectionBounds.Kind.UNLIMITED;
    long end = bounds.read(middle);
    boolean grows = bounds.kind() == SelectionBounds.Kind.UNLIMITED;
    if (grows || sourceGrows || names.hasPerBlock()) {
      checkGrowth(at, grows, sourceGrows);
    }
    summary.add(size, bounds);
    if (selections.isEmpty()) {
      offsets[size] = at;
    } else {
      MemorySegment.copy(body, at, selections.get(), copied, end - at);
      offsets[size] = copied;
      copied += end - at;
    }
    return end;
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

  /** Returns the selections; releases the memory that they do not need. */
  private MemorySegment kept() {
    if (selections.isEmpty()) {
      return body;
    }
    MemorySegment used = selections.get().asSlice(0, copied);
    if (copied > selections.get().byteSize() * 7 / 8) {
      return used;
    }
    MemorySegment smaller = memory(copied).asSlice(0, copied);
    return smaller.copyFrom(used);
  }
}
