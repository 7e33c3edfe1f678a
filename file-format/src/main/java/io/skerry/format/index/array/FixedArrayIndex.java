package io.skerry.format.index.array;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkLinearizer;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.GridIndex;
import io.skerry.format.index.api.IndexCommit;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.RecordFormat;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.IndexInfo;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The fixed array index: one element per chunk of the maximum extent. The spine consists of the
 * header and, in a paged array, the prefix of the data block. The leaves are the pages; without
 * pages, the data block is the only leaf.
 *
 * <pre>
 * header:     "FAHD" | version u8 | client id u8 | element size u8 | page bits u8 | elements L
 *             | data block O | checksum
 * data block: "FADB" | version u8 | client id u8 | header O | elements | checksum
 * paged:      "FADB" | version u8 | client id u8 | header O | page bitmap | checksum | pages
 * page:       elements | checksum
 * </pre>
 *
 * <p>The data block is paged if there are more than 2^(page bits) elements. A page whose bit is
 * clear was never written, and its bytes are undefined. Sources: HDF5 File Format Specification
 * 3.0, section VII.C, "The Fixed Array Index"; for structured chunks, the HDF5 branch {@code
 * feature/sparse_data} (2026).
 */
public final class FixedArrayIndex extends GridIndex {
  private final IndexInfo.FixedArray info;
  private final ArrayBlocks blocks;
  private final FixedArrayGeometry geometry;
  private final long dataAddress;
  private final BitSet written;

  private FixedArrayIndex(
      ChunkedLayout layout,
      IndexInfo.FixedArray info,
      ArrayBlocks blocks,
      ChunkLinearizer grid,
      FixedArrayGeometry geometry,
      long dataAddress,
      BitSet written) {
    super(ChunkIndexKind.FIXED_ARRAY, layout, blocks.records(), grid);
    this.info = info;
    this.blocks = blocks;
    this.geometry = geometry;
    this.dataAddress = dataAddress;
    this.written = written;
  }

  public static FixedArrayIndex create(
      ChunkedLayout layout, IndexInfo.FixedArray info, ArrayBlocks blocks, ChunkLinearizer grid) {
    // A dataset with an empty maximum extent has no chunks, so its array is never created.
    // Nevertheless, the geometry requires at least one element.
    long elements = info.isAllocated() ? grid.count() : Math.max(1, grid.count());
    FixedArrayGeometry geometry =
        new FixedArrayGeometry(
            elements, info.pageBits(), blocks.records().size(), blocks.startSize());
    return new FixedArrayIndex(
        layout, info, blocks, grid, geometry, FileAddress.UNDEFINED, new BitSet());
  }

  /**
   * Reads the spine of an array whose header is in the file.
   *
   * @param empty the index without blocks, as returned by {@link #create} for the layout of the
   *     array
   * @param source the file
   * @throws io.skerry.exception.FormatException if the spine is damaged or contradicts the layout
   */
  public static FixedArrayIndex open(FixedArrayIndex empty, ByteSource source) {
    Block header = new Block(empty.info.address(), empty.headerSize());
    FixedArrayIndex index =
        ArrayBlocks.load(source, header, "fixed array header", in -> empty.readHeader(in));
    if (!FileAddress.isDefined(index.dataAddress)) {
      return index;
    }
    if (!index.geometry.isPaged()) {
      index.written.set(0);
      return index;
    }
    Block prefix = new Block(index.dataAddress, index.geometry.prefixSize());
    return ArrayBlocks.load(source, prefix, "fixed array data block", in -> index.readPrefix(in));
  }

  private long headerSize() {
    Widths widths = blocks.widths();
    return 8L + widths.length() + widths.offset() + ArrayBlocks.CHECKSUM;
  }

  private FixedArrayIndex readHeader(ByteReader in) {
    RecordFormat records = blocks.records();
    Widths widths = blocks.widths();
    ArrayBlocks found = ArrayBlocks.readStart(in, "FAHD", records, widths);
    in.expect("element size", records.size(), in.u8());
    in.expect("page bits", info.pageBits(), in.u8());
    in.expect("number of elements", geometry.elements(), widths.readLength(in, "elements"));
    long data = widths.readAddress(in, "data block address");
    return new FixedArrayIndex(layout(), info, found, grid(), geometry, data, new BitSet());
  }

  private FixedArrayIndex readPrefix(ByteReader in) {
    blocks.readStart(in, "FADB", info.address());
    BitSet pages = PageBits.read(in, geometry.bitmapSize());
    if (pages.length() > geometry.pages()) {
      throw in.fault("page bitmap", "bits for " + geometry.pages() + " pages", pages.length());
    }
    return new FixedArrayIndex(layout(), info, blocks, grid(), geometry, dataAddress, pages);
  }

  @Override
  public LeafId leafOf(long position) {
    return new LeafId(position >> geometry.pageBits() << geometry.pageBits());
  }

  @Override
  public int slot(long position) {
    return (int) (position - leafOf(position).first());
  }

  @Override
  public void requireMemory() {
    // Memory for five bitmaps: one for the stored bits; two for the bits that a commit stores,
    // because a growing set temporarily needs twice its size; one for their encoded bytes; and one
    // in reserve, since a garbage collector rarely makes the whole heap available to large arrays.
    MemoryLimit.require(
        5,
        geometry.bitmapSize(),
        () -> "the page bits of a chunk index: chunks=" + geometry.elements());
  }

  @Override
  public BlockKind leafKind() {
    return BlockKind.FIXED_ARRAY_DATA_BLOCK;
  }

  @Override
  public int slots(LeafId leaf) {
    return geometry.slots(page(leaf));
  }

  private int page(LeafId leaf) {
    if (leaf.first() < 0
        || leaf.first() >= geometry.elements()
        || !leafOf(leaf.first()).equals(leaf)) {
      throw new IllegalArgumentException("not a leaf of this index: leaf=" + leaf);
    }
    return (int) (leaf.first() >> geometry.pageBits());
  }

  @Override
  public Optional<Block> stored(LeafId leaf) {
    int page = page(leaf);
    return written.get(page) ? Optional.of(geometry.page(page, dataAddress)) : Optional.empty();
  }

  @Override
  public List<LeafId> storedLeaves() {
    return written.stream().mapToObj(p -> new LeafId((long) p << geometry.pageBits())).toList();
  }

  @Override
  public List<LeafId> storedLeaves(long first, long last) {
    List<LeafId> leaves = new ArrayList<>();
    int end = page(leafOf(last));
    for (int page = written.nextSetBit(page(leafOf(first)));
        page >= 0 && page <= end;
        page = written.nextSetBit(page + 1)) {
      leaves.add(new LeafId((long) page << geometry.pageBits()));
    }
    return leaves;
  }

  @Override
  public List<Optional<ChunkRecord>> decodeLeaf(LeafId leaf, MemorySegment block) {
    int slots = slots(leaf);
    if (geometry.isPaged()) {
      return blocks.readPage(block, slots, "fixed array page");
    }
    String what = "fixed array data block";
    ByteReader in = ByteReader.of(Checksums.verified(block, what), what);
    blocks.readStart(in, "FADB", info.address());
    return blocks.readElements(in, slots);
  }

  @Override
  public MemorySegment encodeLeaf(LeafId leaf, List<Optional<ChunkRecord>> records) {
    blocks.checkSlots(slots(leaf), records);
    if (geometry.isPaged()) {
      return blocks.page(records);
    }
    ByteWriter out = ByteWriter.withCapacity(Math.toIntExact(geometry.prefixSize()));
    blocks.writeStart(out, "FADB", info.address());
    blocks.writeElements(out, records);
    return out.checksumFrom(0).written();
  }

  @Override
  public IndexCommit commit(SortedSet<LeafId> touched, long maxIndexSet, SpaceAllocator allocator) {
    if (touched.isEmpty()) {
      return new IndexCommit(this, new TreeMap<>(), List.of());
    }
    requireMemory();
    boolean fresh = !FileAddress.isDefined(dataAddress);
    FixedArrayIndex next = fresh ? allocated(allocator) : this;
    BitSet pages = (BitSet) written.clone();
    touched.forEach(leaf -> pages.set(page(leaf)));
    next =
        new FixedArrayIndex(
            next.layout(), next.info, blocks, grid(), geometry, next.dataAddress, pages);
    List<BlockImage> spine = new ArrayList<>();
    if (fresh) {
      spine.add(next.header());
    }
    if (geometry.isPaged() && (fresh || !pages.equals(written))) {
      spine.add(next.prefix());
    }
    SortedMap<LeafId, Block> leaves = new TreeMap<>();
    for (LeafId leaf : touched) {
      leaves.put(leaf, geometry.page(page(leaf), next.dataAddress));
    }
    return new IndexCommit(next, leaves, spine);
  }

  private FixedArrayIndex allocated(SpaceAllocator allocator) {
    long header = info.isAllocated() ? info.address() : allocator.allocate(headerSize());
    long data = allocator.allocate(geometry.dataBlockSize());
    IndexInfo.FixedArray at = new IndexInfo.FixedArray(info.pageBits(), header);
    return new FixedArrayIndex(
        layout().withIndex(at), at, blocks, grid(), geometry, data, new BitSet());
  }

  private BlockImage header() {
    ByteWriter out = ByteWriter.create();
    blocks.writeHeaderStart(out, "FAHD");
    out.u8(info.pageBits());
    blocks.widths().writeLength(out, geometry.elements());
    blocks.widths().writeAddress(out, dataAddress);
    return new BlockImage(
        info.address(), BlockKind.FIXED_ARRAY_HEADER, out.checksumFrom(0).written());
  }

  private BlockImage prefix() {
    ByteWriter out = ByteWriter.withCapacity(Math.toIntExact(geometry.prefixSize()));
    blocks.writeStart(out, "FADB", info.address());
    PageBits.write(out, written, geometry.bitmapSize());
    return new BlockImage(
        dataAddress, BlockKind.FIXED_ARRAY_DATA_BLOCK, out.checksumFrom(0).written());
  }

  @Override
  public List<Block> blocks(ByteSource source) {
    List<Block> all = new ArrayList<>();
    if (info.isAllocated()) {
      all.add(new Block(info.address(), headerSize()));
    }
    if (FileAddress.isDefined(dataAddress)) {
      all.add(new Block(dataAddress, geometry.dataBlockSize()));
    }
    all.sort(null);
    return all;
  }
}
