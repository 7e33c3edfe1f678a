package io.skerry.format.index.array;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.index.api.IndexCommit;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.array.ExtensibleArrayGeometry.Place;
import io.skerry.format.layout.IndexInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes the changes that one commit makes to the spine of an extensible array. Processes the
 * leaves in ascending order.
 */
final class ExtensibleArrayCommit {
  private static final LeafId INDEX_BLOCK = new LeafId(0);

  private final ExtensibleArrayIndex before;
  private final ExtensibleArrayGeometry geometry;
  private final SpaceAllocator allocator;
  private final SortedMap<Integer, ExtensibleArraySuperBlock> superBlocks;
  private final SortedSet<Integer> changed = new TreeSet<>();
  private final SortedMap<Long, Place> newPagedBlocks = new TreeMap<>();
  private ExtensibleArrayHeader header;

  /**
   * True if the index block changed because it now contains the addresses of new data blocks or
   * super blocks, or because it is new.
   */
  private boolean indexBlockChanged;

  ExtensibleArrayCommit(ExtensibleArrayIndex before, SpaceAllocator allocator) {
    this.before = before;
    this.geometry = before.geometry();
    this.allocator = allocator;
    this.superBlocks = new TreeMap<>(before.superBlocks());
    this.header = before.header();
  }

  IndexCommit commit(SortedSet<LeafId> touched, long maxIndexSet) {
    if (touched.isEmpty()) {
      return new IndexCommit(before, new TreeMap<>(), List.of());
    }
    IndexInfo.ExtensibleArray info = before.info();
    if (!info.isAllocated()) {
      long address = allocator.allocate(geometry.headerSize());
      info = new IndexInfo.ExtensibleArray(info.parameters(), address);
    }
    if (!FileAddress.isDefined(header.indexBlock())) {
      long address = allocator.allocate(geometry.indexBlockSize());
      header = header.withIndexBlock(address, info.parameters().indexBlockElements());
      indexBlockChanged = true;
    }
    for (LeafId leaf : touched) {
      Place place = before.place(leaf);
      if (place.superBlock() >= 0) {
        touch(place);
      }
    }
    header = header.withMaxIndexSet(maxIndexSet);
    ExtensibleArrayIndex after =
        new ExtensibleArrayIndex(
            before.layout().withIndex(info),
            info,
            before.arrayBlocks(),
            before.grid(),
            header,
            superBlocks);
    return new IndexCommit(after, leaves(touched, after), spine(after));
  }

  private void touch(Place place) {
    int number = place.superBlock();
    ExtensibleArraySuperBlock owner = superBlocks.get(number);
    if (owner == null) {
      owner = create(number);
      superBlocks.put(number, owner);
      changed.add(number);
    }
    int slot = (int) place.dataBlock();
    boolean missing = !FileAddress.isDefined(owner.dataBlocks()[slot]);
    boolean unmarked = geometry.isPaged(number) && !owner.pages().get(geometry.pageBit(place));
    if (!missing && !unmarked) {
      return;
    }
    if (changed.add(number)) {
      owner = owner.copy();
      superBlocks.put(number, owner);
    }
    if (missing) {
      createDataBlock(owner, place);
    }
    if (unmarked) {
      owner.pages().set(geometry.pageBit(place));
    }
  }

  private ExtensibleArraySuperBlock create(int number) {
    long address = FileAddress.UNDEFINED;
    if (number >= geometry.directSuperBlocks()) {
      long size = geometry.superBlockSize(number);
      address = allocator.allocate(size);
      header = header.withSuperBlock(size);
      indexBlockChanged = true;
    }
    long[] dataBlocks = new long[(int) geometry.dataBlocks(number)];
    Arrays.fill(dataBlocks, FileAddress.UNDEFINED);
    return new ExtensibleArraySuperBlock(number, address, dataBlocks, new BitSet());
  }

  private void createDataBlock(ExtensibleArraySuperBlock owner, Place place) {
    int number = owner.number();
    long size = geometry.dataBlockSize(number);
    long address = allocator.allocate(size);
    owner.dataBlocks()[(int) place.dataBlock()] = address;
    header = header.withDataBlock(size, geometry.dataBlockElements(number));
    indexBlockChanged |= number < geometry.directSuperBlocks();
    if (geometry.isPaged(number)) {
      newPagedBlocks.put(address, place);
    }
  }

  private SortedMap<LeafId, Block> leaves(SortedSet<LeafId> touched, ExtensibleArrayIndex after) {
    SortedSet<LeafId> all = new TreeSet<>(touched);
    if (indexBlockChanged) {
      all.add(INDEX_BLOCK);
    }
    SortedMap<LeafId, Block> leaves = new TreeMap<>();
    for (LeafId leaf : all) {
      leaves.put(leaf, after.stored(leaf).orElseThrow());
    }
    return leaves;
  }

  private List<BlockImage> spine(ExtensibleArrayIndex after) {
    List<BlockImage> spine = new ArrayList<>();
    if (!header.equals(before.header())) {
      spine.add(ExtensibleArrayWriter.header(after));
    }
    for (ExtensibleArraySuperBlock block : superBlocks.values()) {
      if (changed.contains(block.number()) && FileAddress.isDefined(block.address())) {
        spine.add(ExtensibleArrayWriter.superBlock(after, block));
      }
    }
    for (Map.Entry<Long, Place> fresh : newPagedBlocks.entrySet()) {
      spine.add(ExtensibleArrayWriter.dataBlockPrefix(after, fresh.getValue(), fresh.getKey()));
    }
    return spine;
  }
}
