package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.RecordOrder;
import io.skerry.format.btree.RecordType;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads the links of a group with dense link storage.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section IV.A.2.c, "The Link Info Message"; the
 * indexes have record types 5 and 6. Local, thread-safe.
 */
public final class DenseLinks {
  /**
   * Number of low bits of a sort key that contain the index of the record; the other bits contain
   * the heap position.
   */
  private static final int INDEX_BITS = 24;

  static final DenseIndexes.Kind BY_NAME =
      new DenseIndexes.Kind(RecordType.LINK_BY_NAME, LinkNameRecord.SIZE);
  static final DenseIndexes.Kind BY_ORDER =
      new DenseIndexes.Kind(RecordType.LINK_BY_ORDER, LinkOrderRecord.SIZE);

  private final Widths widths;
  private final DenseStorage stored;

  private DenseLinks(Widths widths, DenseStorage stored) {
    this.widths = widths;
    this.stored = stored;
  }

  /**
   * Opens the heap and the indexes; reads only their headers.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param info the link info message of a group with dense links
   * @throws FormatException if the heap or an index is damaged or missing
   */
  public static DenseLinks open(ByteSource source, Widths widths, LinkInfoMessage info) {
    DenseStorage.Places at =
        new DenseStorage.Places(
            "dense links", info.heapAddress(), info.nameIndexAddress(), info.orderIndexAddress());
    return new DenseLinks(widths, DenseStorage.open(source, widths, at, BY_NAME, BY_ORDER));
  }

  DenseStorage stored() {
    return stored;
  }

  /** Returns the number of links. */
  public long size() {
    return stored.names().size();
  }

  /**
   * Returns all links in the order of the name index, which is sorted by the hash of the name.
   *
   * @throws FormatException if a structure is damaged, or the total size of the links exceeds the
   *     maximum for a file of this size
   */
  public List<LinkMessage> all() {
    return read(Order.OF_NAME_INDEX);
  }

  /**
   * Returns all links, approximately in the order in which the heap stores them. If an offset in
   * the heap is 2^39 or more, or the group has more than 2^24 links, returns them in the order of
   * the name index.
   *
   * @throws FormatException in the same cases as {@link #all}
   */
  public List<LinkMessage> asStored() {
    return read(Order.OF_HEAP);
  }

  /** Order of the returned links. */
  private enum Order {
    OF_NAME_INDEX,
    OF_HEAP
  }

  /**
   * Reads all links, in heap order if {@link #inHeapOrder} can determine it, since reading in index
   * order would read the same heap blocks repeatedly. If the given order is {@link Order#OF_HEAP},
   * returns the links in the order in which they were read.
   */
  private List<LinkMessage> read(Order order) {
    ByteWriter records = ByteWriter.create();
    for (MemorySegment record : stored.names()) {
      records.bytes(record);
    }
    int[] inHeap = inHeapOrder(records.written());
    LinkMessage[] links = new LinkMessage[inHeap.length];
    ReadBudget budget = stored.budget("links of a group");
    for (int i = 0; i < inHeap.length; i++) {
      LinkNameRecord entry = entry(records.written(), inHeap[i]);
      LinkMessage link = link(budget.charge(stored.heap().object(entry.heapId().segment())));
      stored.checkHash("link", link.name(), entry.hash());
      links[order == Order.OF_HEAP ? i : inHeap[i]] = link;
    }
    return List.of(links);
  }

  /**
   * Decodes one index record on demand, since a decoded record occupies several times the memory of
   * an encoded one.
   */
  private static LinkNameRecord entry(MemorySegment records, int index) {
    return LinkNameRecord.decode(
        records.asSlice((long) index * LinkNameRecord.SIZE, LinkNameRecord.SIZE));
  }

  private int[] inHeapOrder(MemorySegment records) {
    long[] keys = new long[Math.toIntExact(records.byteSize() / LinkNameRecord.SIZE)];
    for (int i = 0; i < keys.length; i++) {
      long position = stored.heap().position(entry(records, i).heapId().segment());
      if (position < 0 || position > Long.MAX_VALUE >> INDEX_BITS || i >> INDEX_BITS != 0) {
        // A sort key cannot hold this position or index, so keep the index order. Heap order only
        // makes reading faster, and damage is detected when the objects are read.
        return IntStream.range(0, keys.length).toArray();
      }
      keys[i] = position << INDEX_BITS | i;
    }
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) (key & (1L << INDEX_BITS) - 1)).toArray();
  }

  /**
   * Returns all links in creation order; empty if creation order is not indexed.
   *
   * @throws FormatException in the same cases as {@link #all}
   */
  public Optional<List<LinkMessage>> inCreationOrder() {
    return stored
        .orders()
        .map(index -> {
          List<LinkMessage> links = new ArrayList<>();
          ReadBudget budget = stored.budget("links of a group");
          for (MemorySegment record : index) {
            Bytes id = LinkOrderRecord.decode(record).heapId();
            links.add(link(budget.charge(stored.heap().object(id.segment()))));
          }
          return links;
        });
  }

  /**
   * Returns the link with the given name; empty if there is none. Reads at most one node per index
   * level, and only links with the same hash.
   *
   * @throws FormatException if a structure on the path to the link is damaged
   */
  public Optional<LinkMessage> find(String name) {
    return stored.names().find(order(name)).map(record -> link(object(record)));
  }

  /** Returns the search key of a name. */
  private RecordOrder order(String name) {
    return NameHash.of(name)
        .order(LinkNameRecord::hash, record -> NameHash.of(link(object(record)).name()).name());
  }

  private MemorySegment object(MemorySegment record) {
    return stored.heap().object(LinkNameRecord.decode(record).heapId().segment());
  }

  private LinkMessage link(MemorySegment body) {
    try {
      return LinkMessage.decode(ByteReader.of(body, "dense link"), widths);
    } catch (FormatException e) {
      throw e.inFile(stored.source().name());
    }
  }

  /** Returns all file space that the heap and the indexes occupy. */
  public List<Block> blocks() {
    return stored.blocks();
  }
}
