package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The mappings of a virtual dataset, stored as one object of the global heap.
 *
 * <pre>
 * version 0: 00 | entries L | per entry: file name NUL | dataset name NUL
 *            | source selection | virtual selection | checksum u32
 * version 1: 01 | entries L | per entry: flags u8 | file name NUL, or entry L, or nothing
 *            | dataset name NUL, or entry L | source selection | virtual selection | checksum u32
 *   flags: bit 0 file name of an earlier entry, bit 1 dataset name of an earlier entry,
 *          bit 2 the source is in the same file
 * </pre>
 *
 * <p>Sources: HDF5 File Format Specification 3.0, section III.F, "Global Heap Block for Virtual
 * Datasets"; for version 1, files written by HDF5 2.0.0.
 *
 * @param entries the mappings in stored order
 */
public record VirtualMappings(List<VirtualMapping> entries) {
  private static final int SHARED_FILE = 1;
  private static final int SHARED_DATASET = 2;
  private static final int SAME_FILE = 4;

  public VirtualMappings {
    entries = List.copyOf(entries);
  }

  /** Returns an empty list of mappings; without mappings, every element has the fill value. */
  public static VirtualMappings none() {
    return new VirtualMappings(List.of());
  }

  /**
   * Decodes the heap object.
   *
   * @throws io.skerry.exception.FormatException if it is damaged
   */
  public static VirtualMappings decode(MemorySegment object, Widths widths) {
    ByteReader in =
        ByteReader.of(Checksums.verified(object, "virtual mappings"), "virtual mappings");
    int version = in.u8();
    if (version > 1) {
      throw in.fault("version", "0 or 1", version);
    }
    long count = widths.readLength(in, "number of entries");
    // An entry contains two selections, so it occupies at least two bytes.
    if (count > in.remaining() / 2) {
      throw in.fault("number of entries", "at most " + in.remaining() / 2, count);
    }
    List<VirtualMapping> entries = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      entries.add(version == 0 ? plain(in) : shared(in, widths, entries));
    }
    return new VirtualMappings(entries);
  }

  private static VirtualMapping plain(ByteReader in) {
    NamePattern file = new NamePattern(in.textToNul());
    return selections(in, file, new NamePattern(in.textToNul()));
  }

  private static VirtualMapping shared(ByteReader in, Widths widths, List<VirtualMapping> before) {
    int flags = in.u8();
    if (flags > 7 || (flags & SHARED_FILE) != 0 && (flags & SAME_FILE) != 0) {
      throw in.fault("flags of an entry", "0 to 7, not both bit 0 and bit 2", flags);
    }
    NamePattern file;
    if ((flags & SAME_FILE) != 0) {
      file = new NamePattern(VirtualMapping.SAME_FILE);
    } else if ((flags & SHARED_FILE) != 0) {
      file = earlier(in, widths, before).file();
    } else {
      file = new NamePattern(in.textToNul());
    }
    NamePattern dataset =
        (flags & SHARED_DATASET) != 0
            ? earlier(in, widths, before).dataset()
            : new NamePattern(in.textToNul());
    return selections(in, file, dataset);
  }

  private static VirtualMapping earlier(ByteReader in, Widths widths, List<VirtualMapping> before) {
    long index = widths.readLength(in, "entry of a shared name");
    if (index >= before.size()) {
      throw in.fault("entry of a shared name", "below " + before.size(), index);
    }
    return before.get((int) index);
  }

  private static VirtualMapping selections(ByteReader in, NamePattern file, NamePattern dataset) {
    Selection source = SelectionCodec.decodeSelection(in);
    return new VirtualMapping(file, dataset, source, SelectionCodec.decodeSelection(in));
  }
}
