package io.skerry.format.vds;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.encoding.SelectionBounds;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * Mappings with their selections as stored in the file. A mapping is decoded on each access; it
 * occupies 16 bytes in addition to its two selections, and each distinct name is held once.
 * Immutable.
 */
final class StoredMappings extends AbstractList<VirtualMapping> implements RandomAccess {
  private final NameTable names;
  private final int[] files;
  private final int[] datasets;
  private final long[] selections;
  private final MemorySegment bytes;

  /**
   * Creates a list of mappings. Takes ownership of the arrays.
   *
   * @param files for each mapping, the number of its file name
   * @param datasets for each mapping, the number of its dataset name
   * @param selections for each mapping, the offset of its source selection, which is followed by
   *     its virtual selection
   * @param bytes the selections, which have been checked
   */
  StoredMappings(
      NameTable names, int[] files, int[] datasets, long[] selections, MemorySegment bytes) {
    this.names = names;
    this.files = files;
    this.datasets = datasets;
    this.selections = selections;
    this.bytes = bytes;
  }

  @Override
  public VirtualMapping get(int index) {
    long at = selections[Objects.checkIndex(index, selections.length)];
    ByteReader in = ByteReader.of(bytes.asSlice(at), MappingDecoder.STRUCTURE);
    Selection source = SelectionCodec.decodeSelection(in);
    return new VirtualMapping(
        names.pattern(files[index]),
        names.pattern(datasets[index]),
        source,
        SelectionCodec.decodeSelection(in));
  }

  @Override
  public int size() {
    return selections.length;
  }

  /** Returns a cursor over the virtual selections of the mappings. */
  VirtualBounds bounds() {
    SelectionBounds source = new SelectionBounds(bytes, MappingDecoder.STRUCTURE);
    SelectionBounds virtual = new SelectionBounds(bytes, MappingDecoder.STRUCTURE);
    return new VirtualBounds(
        virtual,
        index -> {
          var unused = virtual.read(source.read(selections[index]));
        });
  }
}
