package io.skerry.format.index.array;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.FileAddress;
import io.skerry.format.index.api.ChunkLinearizer;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.GridIndex;
import io.skerry.format.index.api.IndexCommit;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.array.ExtensibleArrayGeometry.Place;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.IndexInfo;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The extensible array index, for datasets with one unlimited dimension. The spine consists of the
 * header, the super blocks and the prefixes of paged data blocks. The leaves are the index block,
 * the data blocks without pages, and the pages. The index block also contains addresses of data
 * blocks and super blocks. Even if only these addresses change, {@link #commit} returns the index
 * block, which is the leaf that begins at element 0, among the leaves to write.
 *
 * <pre>
 * header:      "EAHD" | version u8 | client id u8 | element size u8 | bits of the largest index u8
 *              | index block elements u8 | min. data block elements u8
 *              | min. data block addresses u8 | page bits u8
 *              | super blocks L | their size L | data blocks L | their size L
 *              | largest index set + 1 L | elements L | index block O | checksum
 * index block: "EAIB" | version u8 | client id u8 | header O | elements
 *              | data block addresses O each | super block addresses O each | checksum
 * super block: "EASB" | version u8 | client id u8 | header O | block offset
 *              | page bitmaps | data block addresses O each | checksum
 * data block:  "EADB" | version u8 | client id u8 | header O | block offset | elements | checksum
 * paged:       "EADB" | version u8 | client id u8 | header O | block offset | checksum | pages
 * page:        elements | checksum
 * </pre>
 *
 * <p>A block offset is the number of elements before the block, not counting those in the index
 * block; it occupies (bits of the largest index + 7) / 8 bytes. In all data blocks whose address is
 * in the index block, except the first, HDF5 stores a larger number, and so does this class.
 * Sources: HDF5 File Format Specification 3.0, section VII.D, "The Extensible Array Index"; for
 * structured chunks, the HDF5 branch {@code feature/sparse_data} (2026).
 */
public final class ExtensibleArrayIndex extends GridIndex {
  private final IndexInfo.ExtensibleArray info;
  private final ArrayBlocks blocks;
  private final ExtensibleArrayGeometry geometry;
  private final ExtensibleArrayHeader header;
  private final SortedMap<Integer, ExtensibleArraySuperBlock> superBlocks;

  ExtensibleArrayIndex(
      ChunkedLayout layout,
      IndexInfo.ExtensibleArray info,
      ArrayBlocks blocks,
      ChunkLinearizer grid,
      ExtensibleArrayHeader header,
      SortedMap<Integer, ExtensibleArraySuperBlock> superBlocks) {
    super(ChunkIndexKind.EXTENSIBLE_ARRAY, layout, blocks.records(), grid);
    this.info = info;
    this.blocks = blocks;
    this.geometry =
        new ExtensibleArrayGeometry(
                info.parameters(), blocks.records().size(), blocks.startSize(), blocks.widths())
            .checked();
    this.header = header;
    this.superBlocks = superBlocks;
  }

  public static ExtensibleArrayIndex create(
      ChunkedLayout layout,
      IndexInfo.ExtensibleArray info,
      ArrayBlocks blocks,
      ChunkLinearizer grid) {
    return new ExtensibleArrayIndex(
        layout, info, blocks, grid, ExtensibleArrayHeader.EMPTY, new TreeMap<>());
  }

  /**
   * Reads the spine of an array whose header is in the file.
   *
   * @param empty the index without blocks, as returned by {@link #create} for the layout of the
   *     array
   * @param source the file
   * @throws io.skerry.exception.FormatException if the spine is damaged or contradicts the layout
   */
  public static ExtensibleArrayIndex open(ExtensibleArrayIndex empty, ByteSource source) {
    return new ExtensibleArrayReader(source, empty.geometry, empty.info, empty.blocks)
        .read(empty.layout(), empty.grid());
  }

  ArrayBlocks arrayBlocks() {
    return blocks;
  }

  IndexInfo.ExtensibleArray info() {
    return info;
  }

  ExtensibleArrayGeometry geometry() {
    return geometry;
  }

  ExtensibleArrayHeader header() {
    return header;
  }

  SortedMap<Integer, ExtensibleArraySuperBlock> superBlocks() {
    return superBlocks;
  }

  @Override
  public LeafId leafOf(long position) {
    return new LeafId(geometry.locate(position).first());
  }

  @Override
  public int slot(long position) {
    return (int) (position - geometry.locate(position).first());
  }

  @Override
  public BlockKind leafKind() {
    return BlockKind.EXTENSIBLE_ARRAY_DATA_BLOCK;
  }

  @Override
  public int slots(LeafId leaf) {
    return geometry.slots(place(leaf));
  }

  /**
   * Returns the location of a leaf.
   *
   * @throws IllegalArgumentException if the element number is not that of the first element of a
   *     leaf
   */
  Place place(LeafId leaf) {
    Place place = geometry.locate(leaf.first());
    if (place.first() != leaf.first()) {
      throw new IllegalArgumentException("not a leaf of this index: leaf=" + leaf);
    }
    return place;
  }

  @Override
  public Optional<Block> stored(LeafId leaf) {
    Place place = place(leaf);
    if (place.superBlock() < 0) {
      return FileAddress.isDefined(header.indexBlock())
          ? Optional.of(new Block(header.indexBlock(), geometry.indexBlockSize()))
          : Optional.empty();
    }
    ExtensibleArraySuperBlock owner = superBlocks.get(place.superBlock());
    if (owner == null) {
      return Optional.empty();
    }
    long address = owner.dataBlocks()[(int) place.dataBlock()];
    if (!FileAddress.isDefined(address)) {
      return Optional.empty();
    }
    boolean written =
        !geometry.isPaged(place.superBlock()) || owner.pages().get(geometry.pageBit(place));
    return written ? Optional.of(geometry.leafBlock(place, address)) : Optional.empty();
  }

  @Override
  public List<LeafId> storedLeaves() {
    List<LeafId> leaves = new ArrayList<>();
    if (FileAddress.isDefined(header.indexBlock())) {
      leaves.add(new LeafId(0));
    }
    for (ExtensibleArraySuperBlock owner : superBlocks.values()) {
      for (int block = 0; block < owner.dataBlocks().length; block++) {
        if (FileAddress.isDefined(owner.dataBlocks()[block])) {
          addLeaves(owner, block, leaves);
        }
      }
    }
    return leaves;
  }

  private void addLeaves(ExtensibleArraySuperBlock owner, int block, List<LeafId> leaves) {
    int number = owner.number();
    long first = info.parameters().indexBlockElements() + geometry.startElement(number, block);
    if (!geometry.isPaged(number)) {
      leaves.add(new LeafId(first));
      return;
    }
    for (int page = 0; page < geometry.pages(number); page++) {
      Place place = new Place(number, block, page, first + (long) page * geometry.pageElements());
      if (owner.pages().get(geometry.pageBit(place))) {
        leaves.add(new LeafId(place.first()));
      }
    }
  }

  @Override
  public List<Optional<ChunkRecord>> decodeLeaf(LeafId leaf, MemorySegment block) {
    Place place = place(leaf);
    int slots = geometry.slots(place);
    if (place.superBlock() < 0) {
      return blocks.readElements(read(block, "EAIB", "extensible array index block"), slots);
    }
    if (geometry.isPaged(place.superBlock())) {
      return blocks.readPage(block, slots, "extensible array page");
    }
    ByteReader in = read(block, "EADB", "extensible array data block");
    checkOffset(in, place);
    return blocks.readElements(in, slots);
  }

  private void checkOffset(ByteReader in, Place place) {
    long stored = in.uint(geometry.offsetSize());
    // The specification requires the start element; HDF5 stores a different number in some blocks.
    if (stored != geometry.storedOffset(place.superBlock(), place.dataBlock())) {
      in.expect(
          "block offset", geometry.startElement(place.superBlock(), place.dataBlock()), stored);
    }
  }

  private ByteReader read(MemorySegment block, String signature, String what) {
    ByteReader in = ByteReader.of(Checksums.verified(block, what), what);
    blocks.readStart(in, signature, info.address());
    return in;
  }

  @Override
  public MemorySegment encodeLeaf(LeafId leaf, List<Optional<ChunkRecord>> records) {
    Place place = place(leaf);
    blocks.checkSlots(geometry.slots(place), records);
    if (place.superBlock() < 0) {
      return ExtensibleArrayWriter.indexBlock(this, records);
    }
    if (geometry.isPaged(place.superBlock())) {
      return blocks.page(records);
    }
    ByteWriter out = ByteWriter.create();
    ExtensibleArrayWriter.dataBlockStart(this, place, out);
    blocks.writeElements(out, records);
    return out.checksumFrom(0).written();
  }

  @Override
  public IndexCommit commit(SortedSet<LeafId> touched, long maxIndexSet, SpaceAllocator allocator) {
    return new ExtensibleArrayCommit(this, allocator).commit(touched, maxIndexSet);
  }

  @Override
  public List<Block> blocks(ByteSource source) {
    List<Block> all = new ArrayList<>();
    if (info.isAllocated()) {
      all.add(new Block(info.address(), geometry.headerSize()));
    }
    if (FileAddress.isDefined(header.indexBlock())) {
      all.add(new Block(header.indexBlock(), geometry.indexBlockSize()));
    }
    for (Map.Entry<Integer, ExtensibleArraySuperBlock> entry : superBlocks.entrySet()) {
      int number = entry.getKey();
      if (FileAddress.isDefined(entry.getValue().address())) {
        all.add(new Block(entry.getValue().address(), geometry.superBlockSize(number)));
      }
      for (long address : entry.getValue().dataBlocks()) {
        if (FileAddress.isDefined(address)) {
          all.add(new Block(address, geometry.dataBlockSize(number)));
        }
      }
    }
    all.sort(null);
    return all;
  }
}
