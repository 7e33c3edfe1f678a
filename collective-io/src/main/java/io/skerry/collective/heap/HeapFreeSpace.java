package io.skerry.collective.heap;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.EditedCollection;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The global heap collections that are known to have free space; equal on all ranks. Objects that
 * were added to a collection since the last flush are kept in memory on all ranks, and the next
 * flush writes them. Each method is thread-safe, so that reads through {@link #over} may run while
 * the collections change; a method that opens a collection does not prevent later changes to it.
 */
final class HeapFreeSpace {
  private static final int MOST = 64;
  private static final long LEAST_FREE = 64;
  private static final int TRIED = 4;

  /**
   * The size in bytes above which a collection is assumed to hold a single large object, so that
   * nothing is added to it.
   */
  private static final long LARGEST = 16 << 10;

  private final int rank;
  private final int ranks;
  private final TreeMap<Long, OpenCollection> collections;

  /**
   * A collection with free space.
   *
   * @param block the block of the collection in the file
   * @param free the number of free bytes after the last object
   * @param image the bytes of the collection if they differ from the file; otherwise empty
   */
  record OpenCollection(Block block, long free, Optional<MemorySegment> image) {}

  HeapFreeSpace(int rank, int ranks) {
    this(rank, ranks, new TreeMap<>());
  }

  private HeapFreeSpace(int rank, int ranks, TreeMap<Long, OpenCollection> collections) {
    this.rank = rank;
    this.ranks = ranks;
    this.collections = collections;
  }

  synchronized HeapFreeSpace copy() {
    return new HeapFreeSpace(rank, ranks, new TreeMap<>(collections));
  }

  /**
   * Returns the owner of a collection: the rank that writes the changed collection and removes
   * released objects from it.
   */
  int ownerOf(long collection) {
    return (int) Long.remainderUnsigned(collection >>> 12, ranks);
  }

  /**
   * Adds or replaces a collection, unless it is assumed to hold a single large object. A collection
   * that does not differ from the file and has too little free space is removed.
   */
  synchronized void put(OpenCollection collection) {
    if (collection.block().length() > LARGEST) {
      return;
    }
    if (collection.free() < LEAST_FREE && collection.image().isEmpty()) {
      collections.remove(collection.block().address());
    } else {
      collections.put(collection.block().address(), collection);
    }
  }

  /** Returns whether any collection differs from the file. */
  synchronized boolean isDirty() {
    return collections.values().stream().anyMatch(each -> each.image().isPresent());
  }

  /**
   * Returns the collection that contains an address, if it differs from the file; otherwise empty.
   */
  private synchronized Optional<OpenCollection> changed(long address) {
    return Optional.ofNullable(collections.floorEntry(address))
        .map(Map.Entry::getValue)
        .filter(each -> each.image().isPresent() && address < each.block().end());
  }

  /** Opens the current version of a collection, from memory or from the file. */
  EditedCollection open(long collection, ByteSource source, Widths widths) {
    Optional<OpenCollection> found =
        changed(collection).filter(r -> r.block().address() == collection);
    return found.isPresent()
        ? EditedCollection.of(widths, found.get().block(), found.get().image().orElseThrow())
        : EditedCollection.read(source, widths, collection);
  }

  /**
   * Returns up to four collections: those with the most free space among the collections that this
   * rank owns. Other ranks may fill their own collections at the same time.
   */
  List<EditedCollection> mine(ByteSource source, Widths widths) {
    return largest(source, widths, each -> ownerOf(each.block().address()) == rank);
  }

  /**
   * Returns up to four collections: those with the most free space among the collections of all
   * ranks. No other rank may fill collections at the same time.
   */
  List<EditedCollection> any(ByteSource source, Widths widths) {
    return largest(source, widths, _ -> true);
  }

  private List<EditedCollection> largest(
      ByteSource source, Widths widths, Predicate<OpenCollection> allowed) {
    return byFree().stream()
        .filter(each -> each.free() >= LEAST_FREE && allowed.test(each))
        .limit(TRIED)
        .map(each -> open(each.block().address(), source, widths))
        .toList();
  }

  private synchronized List<OpenCollection> byFree() {
    return collections.values().stream()
        .sorted(
            Comparator.comparingLong((OpenCollection each) -> -each.free())
                .thenComparing(OpenCollection::block))
        .toList();
  }

  /** Returns the changed collections that this rank must write. */
  synchronized List<EditedCollection> dirtyMine(Widths widths) {
    return collections.values().stream()
        .filter(each -> each.image().isPresent() && ownerOf(each.block().address()) == rank)
        .map(each -> EditedCollection.of(widths, each.block(), each.image().get()))
        .toList();
  }

  /** Ends a flush that has written all changes. Keeps the collections with the most free space. */
  synchronized void stored() {
    List<OpenCollection> kept = byFree().stream().limit(MOST).toList();
    collections.clear();
    kept.forEach(each -> put(new OpenCollection(each.block(), each.free(), Optional.empty())));
  }

  /**
   * Returns the bytes of the file, overlaid with changed collections that have not been written
   * yet.
   */
  ByteSource over(ByteSource file) {
    return new Overlay(this, file);
  }

  /** The file, overlaid with changed collections. */
  private record Overlay(HeapFreeSpace collections, ByteSource file) implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      Optional<OpenCollection> found = collections.changed(address);
      if (found.isEmpty()) {
        return file.read(address, length);
      }
      Block block = found.get().block();
      if (length < 0 || length > block.end() - address) {
        throw new FormatException(
            "bytes of a heap collection", "at most " + (block.end() - address), length);
      }
      return found.get().image().orElseThrow().asSlice(address - block.address(), length);
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public String name() {
      return file.name();
    }
  }
}
