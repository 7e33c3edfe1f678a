package io.skerry.format.dense;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.Block;
import io.skerry.format.ByteSource;
import io.skerry.format.Bytes;
import io.skerry.format.FileAddress;
import io.skerry.format.Widths;
import io.skerry.format.heap.FractalHeap;
import io.skerry.format.object.LinkInfoMessage;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.tree.BTree2;
import io.skerry.format.tree.RecordOrder;
import io.skerry.format.tree.RecordType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The links of a group with dense storage, as they stand in the file.
 *
 * <p>Source: format specification, "Groups: dense storage"; the indexes are of types 5 and 6.
 * Local; any thread may call.
 */
public final class DenseLinks {
  /** Of a key to sort by, for the number of the entry; the others are for its position. */
  private static final int INDEX_BITS = 24;

  private final ByteSource source;
  private final Widths widths;
  private final FractalHeap heap;
  private final BTree2 names;
  private final Optional<BTree2> orders;

  private DenseLinks(
      ByteSource source, Widths widths, FractalHeap heap, BTree2 names, Optional<BTree2> orders) {
    this.source = source;
    this.widths = widths;
    this.heap = heap;
    this.names = names;
    this.orders = orders;
  }

  /**
   * Opens heap and indexes; reads their headers only.
   *
   * @param info of a group with dense storage
   * @throws FormatException if one of them is damaged or missing
   */
  public static DenseLinks open(ByteSource source, Widths widths, LinkInfoMessage info) {
    if (!info.isDense() || !FileAddress.isDefined(info.nameIndexAddress())) {
      throw new FormatException("dense links", "a fractal heap and a name index", info)
          .inFile(source.name());
    }
    Optional<BTree2> orders = Optional.empty();
    if (info.orderIndexAddress().isPresent()
        && FileAddress.isDefined(info.orderIndexAddress().getAsLong())) {
      orders =
          Optional.of(
              BTree2.open(source, widths, info.orderIndexAddress().getAsLong())
                  .require(RecordType.LINK_BY_ORDER, LinkOrderRecord.SIZE));
    }
    return new DenseLinks(
        source,
        widths,
        FractalHeap.open(source, widths, info.heapAddress()),
        BTree2.open(source, widths, info.nameIndexAddress())
            .require(RecordType.LINK_BY_NAME, LinkNameRecord.SIZE),
        orders);
  }

  BTree2 names() {
    return names;
  }

  Optional<BTree2> orders() {
    return orders;
  }

  FractalHeap heap() {
    return heap;
  }

  /** Number of links. */
  public long size() {
    return names.size();
  }

  /**
   * All links, in the order in which the heap holds them. The name index has them in that of
   * hashes, which would read the heap's blocks again and again, and give names that are hard to
   * sort.
   *
   * @throws FormatException if a structure is damaged, or the links together are longer than they
   *     can be in this file
   */
  public List<LinkMessage> all() {
    List<LinkMessage> links = new ArrayList<>();
    Budget budget = new Budget(heap.mostBytes(), "links of a group", source.name());
    for (LinkNameRecord entry : inHeapOrder()) {
      LinkMessage link = link(budget.spend(heap.object(entry.heapId().segment())));
      int hash = NameHash.of(link.name()).hash();
      if (hash != entry.hash()) {
        throw new FormatException(
                "hash of link " + link.name(),
                String.format("0x%08x", hash),
                String.format("0x%08x", entry.hash()))
            .inFile(source.name());
      }
      links.add(link);
    }
    return links;
  }

  private List<LinkNameRecord> inHeapOrder() {
    List<LinkNameRecord> entries = new ArrayList<>();
    for (MemorySegment record : names) {
      entries.add(LinkNameRecord.decode(record));
    }
    long[] keys = new long[entries.size()];
    for (int i = 0; i < keys.length; i++) {
      long position = heap.position(entries.get(i).heapId().segment());
      if (position < 0 || position > Long.MAX_VALUE >> INDEX_BITS || i >> INDEX_BITS != 0) {
        return entries; // An order is only a help; what is damaged here is found later.
      }
      keys[i] = position << INDEX_BITS | i;
    }
    Arrays.sort(keys);
    List<LinkNameRecord> sorted = new ArrayList<>(keys.length);
    for (long key : keys) {
      sorted.add(entries.get((int) (key & (1L << INDEX_BITS) - 1)));
    }
    return sorted;
  }

  /**
   * All links in creation order, if that is indexed.
   *
   * @throws FormatException as {@link #all}
   */
  public Optional<List<LinkMessage>> inCreationOrder() {
    return orders.map(index -> {
      List<LinkMessage> links = new ArrayList<>();
      Budget budget = new Budget(heap.mostBytes(), "links of a group", source.name());
      for (MemorySegment record : index) {
        Bytes id = LinkOrderRecord.decode(record).heapId();
        links.add(link(budget.spend(heap.object(id.segment()))));
      }
      return links;
    });
  }

  /** The link of a name; reads one node of each level of the index and the link. */
  public Optional<LinkMessage> find(String name) {
    return names.find(order(name)).map(record -> link(object(record)));
  }

  /** Where records stand relative to a name. */
  RecordOrder order(String name) {
    NameHash sought = NameHash.of(name);
    return record -> {
      int byHash = sought.compareHash(LinkNameRecord.hash(record));
      return byHash != 0 ? byHash : sought.compareName(NameHash.of(nameOf(record)).name());
    };
  }

  private String nameOf(MemorySegment record) {
    return link(object(record)).name();
  }

  private MemorySegment object(MemorySegment record) {
    return heap.object(LinkNameRecord.decode(record).heapId().segment());
  }

  private LinkMessage link(MemorySegment body) {
    try {
      return LinkMessage.decode(ByteReader.of(body, "dense link"), widths);
    } catch (FormatException e) {
      throw e.inFile(source.name());
    }
  }

  /** All the space of heap and indexes. */
  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>(heap.blocks());
    blocks.addAll(names.blocks());
    orders.ifPresent(index -> blocks.addAll(index.blocks()));
    return blocks;
  }
}
