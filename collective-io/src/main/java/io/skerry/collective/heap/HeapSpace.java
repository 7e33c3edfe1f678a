package io.skerry.collective.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.EditedCollection;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.heap.GlobalHeapWriter.Reference;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The global heap of an open file. Variable-length data, such as strings and sequences, is stored
 * before the elements that refer to it are sent to chunk owners, and is removed when no element
 * refers to it any longer.
 *
 * <p>Each rank stores its own data in new collections, and short values in the free space of
 * existing collections. The next flush sends the references to released objects to the rank that
 * owns their collection. That rank removes the objects, and a collection without objects becomes
 * free space.
 */
public final class HeapSpace {
  /** The size of a collection of short objects, in bytes. */
  private static final long COLLECTION = 4096;

  private final FileContext context;
  private final Commit commit;
  private final ByteSource source;
  private final Widths widths;
  private final TreeMap<Long, TreeSet<Integer>> released = new TreeMap<>();
  private long releasedBytes;
  private HeapFreeSpace collections;
  private boolean stored;
  private long version;

  public HeapSpace(FileContext context, Commit commit, ByteSource source, Widths widths) {
    this.context = context;
    this.commit = commit;
    this.source = source;
    this.widths = widths;
    this.collections = new HeapFreeSpace(context.ranks().rank(), context.ranks().size());
  }

  /**
   * Stores the variable-length data of this rank. Collective; if the encoder fails on one rank, the
   * call fails on all ranks.
   *
   * @param subject the path of the dataset, for messages
   * @param replaced a supplier of the number of bytes of older data that the new data replaces;
   *     counted only up to the total size of this rank's new collections; called once
   * @param encode the action that adds the data to a writer. It is called twice, since the
   *     addresses of collections are known only after all ranks have measured their data.
   * @return the result of the second call
   */
  public <T> T store(String subject, LongSupplier replaced, Function<GlobalHeapWriter, T> encode) {
    LocalStatus status = new LocalStatus();
    long replacedBytes = status.attempt(replaced::getAsLong, 0L);
    List<Long> sizes = new ArrayList<>();
    Supplier<List<EditedCollection>> mine = () -> collections.mine(source, widths);
    status.attempt(() -> {
      T unused = measure(mine, encode, sizes);
    });
    context.outcome().enter(Operation.WRITE, subject, "(content of variable length)", status);
    try {
      Optional<T> result = store(sizes, replacedBytes, mine, encode, status);
      context.outcome().agree(status);
      return result.orElseThrow();
    } finally {
      context.outcome().leave();
    }
  }

  /**
   * Stores a single copy of data that is equal on all ranks. Collective.
   *
   * @param encode the function that adds the data, as for {@link #store}, and returns the elements
   *     that refer to it; called on rank 0 only
   * @return the elements, equal on all ranks
   */
  public MemorySegment storeCommon(
      String subject, long replaced, Function<GlobalHeapWriter, MemorySegment> encode) {
    LocalStatus status = new LocalStatus();
    boolean first = context.ranks().rank() == 0;
    Function<GlobalHeapWriter, MemorySegment> here = first ? encode : _ -> MemorySegment.NULL;
    List<Long> sizes = new ArrayList<>();
    Supplier<List<EditedCollection>> any =
        () -> first ? collections.any(source, widths) : List.of();
    status.attempt(() -> {
      MemorySegment unused = measure(any, here, sizes);
    });
    context.outcome().enter(Operation.WRITE, subject, "(content of variable length)", status);
    try {
      Optional<MemorySegment> result = store(sizes, first ? replaced : 0, any, here, status);
      context.outcome().agree(status);
      byte[] elements = result.orElseThrow().toArray(ValueLayout.JAVA_BYTE);
      return MemorySegment.ofArray(context.ranks().broadcast(elements, 0));
    } finally {
      context.outcome().leave();
    }
  }

  /**
   * Returns whether this rank has released data, or taken part in storing data, since the last
   * flush. The heap may be dirty even if no chunk is. Local.
   */
  public boolean isDirty() {
    return stored || !released.isEmpty();
  }

  private <T> T measure(
      Supplier<List<EditedCollection>> filling,
      Function<GlobalHeapWriter, T> encode,
      List<Long> sizes) {
    return encode.apply(
        GlobalHeapWriter.create(
            widths,
            filling.get(),
            bytes -> {
              sizes.add(bytes);
              return 0;
            }));
  }

  private <T> Optional<T> store(
      List<Long> sizes,
      long replaced,
      Supplier<List<EditedCollection>> filling,
      Function<GlobalHeapWriter, T> encode,
      LocalStatus status) {
    long[] needed = sizes.stream().mapToLong(Long::longValue).toArray();
    long givenUp = Math.max(releasedBytes, released.size() * COLLECTION);
    Placement placed;
    try (var _ = context.cache().holdStores()) {
      placed =
          Placement.of(
              context.ranks(),
              Use.HEAP,
              needed,
              Math.min(replaced, Arrays.stream(needed).sum()) + givenUp,
              context.space().allocator());
    }
    placed.unused().forEach(block -> context.space().free().free(Use.HEAP, block));
    Optional<GlobalHeapWriter> writer =
        status.attempt(
            () -> {
              Iterator<Long> next = Arrays.stream(placed.addresses()).iterator();
              return Optional.of(GlobalHeapWriter.create(widths, filling.get(), _ -> next.next()));
            },
            Optional.empty());
    Optional<T> result = status.attempt(() -> writer.map(encode), Optional.empty());
    List<BlockImage> blocks =
        status.attempt(() -> writer.map(GlobalHeapWriter::commit).orElse(List.of()), List.of());
    commit.write(blocks, status);
    context.changes().requireSync();
    stored = true;
    boolean written = false;
    try {
      context.outcome().agree(status);
      written = true;
    } finally {
      if (!written) {
        giveBack(placed.addresses(), needed);
      }
    }
    announceCollections(blocks, writer.map(GlobalHeapWriter::filled).orElse(List.of()), status);
    version++;
    return result;
  }

  /**
   * Releases the blocks of collections that were not written; the next flush makes them reusable.
   */
  private void giveBack(long[] addresses, long[] lengths) {
    try (var _ = context.cache().holdStores()) {
      for (int i = 0; i < lengths.length; i++) {
        context.space().free().free(Use.HEAP, new Block(addresses[i], lengths[i]));
      }
    }
  }

  /**
   * Announces new collections with free space, and additions to existing collections, to all ranks.
   */
  private void announceCollections(
      List<BlockImage> fresh, List<EditedCollection> filled, LocalStatus status) {
    ByteWriter message = ByteWriter.create();
    status.attempt(() -> {
      for (EditedCollection each : filled) {
        BlockImage image = each.image();
        putBlock(message, image.block(), each.free());
        message.u32(image.bytes().byteSize()).bytes(image.bytes());
      }
      if (!fresh.isEmpty()) {
        // Only the last new collection is announced. Each of the others was closed because a
        // value did not fit into it, or was created for a single large value.
        BlockImage last = fresh.getLast();
        putBlock(
            message, last.block(), EditedCollection.of(widths, last.block(), last.bytes()).free());
        message.u32(0);
      }
    });
    putAll(
        collections,
        Exchange.allGatherSparse(context.ranks(), message, "free space in the global heap"),
        status);
  }

  private static void putBlock(ByteWriter message, Block block, long free) {
    message.u64(block.address()).u64(block.length()).u64(free);
  }

  private static void putAll(HeapFreeSpace known, Exchange.Inbox messages, LocalStatus status) {
    for (ByteReader message : messages) {
      status.attempt(() -> {
        while (message.remaining() > 0) {
          Block block = new Block(message.i64(), message.i64());
          long free = message.i64();
          MemorySegment image = message.slice(message.u32());
          known.put(
              new HeapFreeSpace.OpenCollection(
                  block, free, image.byteSize() > 0 ? Optional.of(image) : Optional.empty()));
        }
      });
    }
  }

  /**
   * Releases objects to which no element will refer after the next flush. Local; each rank releases
   * the objects of its own elements, and an object that several ranks release is removed once.
   *
   * @param bytes the total number of bytes of the objects
   */
  public void release(Collection<Reference> objects, long bytes) {
    releasedBytes += bytes;
    for (Reference object : objects) {
      boolean unused =
          released.computeIfAbsent(object.collection(), k -> new TreeSet<>()).add(object.index());
    }
  }

  /**
   * Returns the bytes of the file, overlaid with heap data that has not been written yet. Local.
   */
  public ByteSource source() {
    return collections.over(source);
  }

  /**
   * Returns a version number that increases whenever any object in the heap may have changed.
   * Local.
   */
  public long version() {
    return version;
  }

  /**
   * The changes that a flush makes to the heap, which take effect when the flush has succeeded.
   *
   * @param collections the collections with free space, as they are after the flush
   */
  public record Sweep(HeapFreeSpace collections) {}

  /**
   * Removes released objects, on the ranks that own the collections. Collective.
   *
   * @param space the allocator after the flush
   * @param free the set to which the blocks of collections without objects are added
   * @param mine the list to which the changed collections that this rank writes are added
   */
  public Sweep sweep(
      SpaceAllocator space, FreeBlocks free, List<BlockImage> mine, LocalStatus status) {
    long[] any = {released.isEmpty() ? 0 : 1};
    boolean work = context.ranks().allReduce(any, Reduction.MAX)[0] != 0;
    HeapFreeSpace next = collections.copy();
    if (!work && !collections.isDirty()) {
      return new Sweep(next);
    }
    Exchange.Inbox messages =
        Exchange.deliver(context.ranks(), releaseMessages(), "released heap objects");
    TreeMap<Long, EditedCollection> changed = new TreeMap<>();
    status.attempt(() -> {
      collections.dirtyMine(widths).forEach(each -> changed.put(each.block().address(), each));
      decodeReleased(messages)
          .forEach((address, removed) ->
              takeOut(address, removed).ifPresent(c -> changed.put(address, c)));
    });
    ByteWriter message = ByteWriter.create();
    status.attempt(() -> {
      for (EditedCollection collection : changed.values()) {
        if (!collection.isEmpty()) {
          mine.add(collection.image());
          putBlock(message, collection.block(), collection.free());
          message.u32(0);
        } else if (space.isTaken(collection.block())) {
          free.free(Use.HEAP, collection.block());
          putBlock(message, collection.block(), 0);
          message.u32(0);
        }
      }
    });
    putAll(
        next,
        Exchange.allGatherSparse(context.ranks(), message, "free space in the global heap"),
        status);
    next.stored();
    return new Sweep(next);
  }

  private Exchange.Outbox releaseMessages() {
    Exchange.Outbox out = new Exchange.Outbox();
    released.forEach((collection, indices) -> {
      ByteWriter message = out.to(collections.ownerOf(collection));
      message.u64(collection).u32(indices.size());
      indices.forEach(message::u16);
    });
    return out;
  }

  private static TreeMap<Long, TreeSet<Integer>> decodeReleased(Exchange.Inbox messages) {
    TreeMap<Long, TreeSet<Integer>> all = new TreeMap<>();
    for (ByteReader message : messages) {
      while (message.remaining() > 0) {
        TreeSet<Integer> removed = all.computeIfAbsent(message.i64(), k -> new TreeSet<>());
        for (long left = message.u32(); left > 0; left--) {
          removed.add(message.u16());
        }
      }
    }
    return all;
  }

  /**
   * Opens a collection and removes objects. Returns empty if the collection has none of these
   * objects or cannot be read.
   */
  private Optional<EditedCollection> takeOut(long address, TreeSet<Integer> removed) {
    try {
      EditedCollection collection = collections.open(address, source, widths);
      boolean changed = false;
      for (int index : removed) {
        changed |= collection.remove(index);
      }
      return changed ? Optional.of(collection) : Optional.empty();
    } catch (FormatException damaged) {
      // The collection is damaged, or the reference came from a damaged element that was
      // overwritten. Only the space of the objects is lost.
      return Optional.empty();
    }
  }

  /** Applies the changes of a successful flush to the state in memory. Local. */
  public void swept(Sweep sweep) {
    collections = sweep.collections();
    released.clear();
    stored = false;
    releasedBytes = 0;
    version++;
  }
}
