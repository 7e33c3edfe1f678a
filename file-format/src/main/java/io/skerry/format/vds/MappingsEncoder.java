package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.Widths;
import io.skerry.selection.PointList;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Encodes the mappings of a virtual dataset as one object of the global heap, byte for byte as HDF5
 * 2.0.0 does. {@link VirtualMappings} decodes it.
 *
 * <pre>
 * version 0: 00 | entries L | per entry: file name NUL | dataset name NUL
 *            | source selection | virtual selection | checksum u32
 * version 1: 01 | entries L | per entry: flags u8 | file name NUL, or entry L, or nothing
 *            | dataset name NUL, or entry L | source selection | virtual selection | checksum u32
 *   flags: bit 0 file name of an earlier entry, bit 1 dataset name of an earlier entry,
 *          bit 2 the source is in the same file
 *   entry: 0-based index of the first entry with that name
 * </pre>
 *
 * <p>Version 1 is written with {@link FormatBounds#V200} if it is not larger than version 0. In
 * version 1, a repeated name is replaced by the index of an entry if the name and its NUL are at
 * least as long as that index.
 *
 * <p>Sources: "Shared Strings in Virtual Dataset Layout Encoding in HDF5", The HDF Group; files
 * written by HDF5 2.0.0.
 */
public final class MappingsEncoder {
  private static final int SHARED_FILE = 1;
  private static final int SHARED_DATASET = 2;
  private static final int SAME_FILE = 4;

  private final List<VirtualMapping> entries;
  private final Widths widths;
  private final SelectionEncoding selections;
  private final EntryNames files;
  private final EntryNames datasets;
  private final ByteWriter out;

  private MappingsEncoder(
      List<VirtualMapping> entries, SelectionEncoding selections, Widths widths) {
    this.entries = entries;
    this.widths = widths;
    this.selections = selections;
    this.files = EntryNames.of(entries, VirtualMapping::file, widths);
    this.datasets = EntryNames.of(entries, VirtualMapping::dataset, widths);
    this.out = ByteWriter.withCapacity(64 * Math.min(entries.size(), 1 << 20));
  }

  /**
   * Returns the bytes of the heap object.
   *
   * @param bounds the version bounds of the file, which determine the versions of the object and of
   *     its selections
   * @throws UnsupportedFeatureException if a selection is a list of points or cannot be encoded
   *     within the version bounds, or if the number of entries does not fit into a length field of
   *     the file
   */
  public static MemorySegment encode(VirtualMappings mappings, FormatBounds bounds, Widths widths) {
    MappingsEncoder encoder = new MappingsEncoder(mappings.entries(), selections(bounds), widths);
    if (bounds == FormatBounds.V200 && encoder.saved() >= 0) {
      encoder.versionOne();
    } else {
      encoder.versionZero();
    }
    return encoder.out.checksumFrom(0).written();
  }

  private static SelectionEncoding selections(FormatBounds bounds) {
    return switch (bounds) {
      case EARLIEST -> SelectionEncoding.LIBRARY_EARLIEST;
      case V110 -> SelectionEncoding.LIBRARY_V110;
      case V200 -> SelectionEncoding.LIBRARY_V112;
    };
  }

  /** Returns the number of bytes by which version 1 is smaller than version 0. */
  private long saved() {
    long saved = 0;
    for (int i = 0; i < entries.size(); i++) {
      long file = isSameFile(i) ? VirtualMapping.SAME_FILE.length() + 1 : files.saved(i);
      saved += file + datasets.saved(i) - 1;
    }
    return saved;
  }

  private boolean isSameFile(int entry) {
    return files.is(entry, VirtualMapping.SAME_FILE);
  }

  private void versionZero() {
    out.u8(0);
    widths.writeLength(out, entries.size());
    for (int i = 0; i < entries.size(); i++) {
      files.writeInFull(i, out);
      datasets.writeInFull(i, out);
      selections(entries.get(i));
    }
  }

  private void versionOne() {
    out.u8(1);
    widths.writeLength(out, entries.size());
    for (int i = 0; i < entries.size(); i++) {
      boolean same = isSameFile(i);
      int file = files.isShared(i) ? SHARED_FILE : 0;
      out.u8((same ? SAME_FILE : file) | (datasets.isShared(i) ? SHARED_DATASET : 0));
      if (!same) {
        files.write(i, out);
      }
      datasets.write(i, out);
      selections(entries.get(i));
    }
  }

  private void selections(VirtualMapping entry) {
    for (Selection selection : List.of(entry.source(), entry.virtual())) {
      if (selection instanceof PointList) {
        throw new UnsupportedFeatureException(
            "list of points " + selection, "a selection of a virtual mapping");
      }
      SelectionCodec.encodeSelection(selection, selections, out);
    }
  }
}
