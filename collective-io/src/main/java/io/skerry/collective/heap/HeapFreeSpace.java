package io.skerry.collective.heap;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
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
 * Collections of the global heap in which this session knows room, the same on all ranks. What was
 * put into them since the last flush is kept here, by all, and reaches the file with the next one:
 * a collection that the last commit knows is replaced like any block of metadata. There are few of
 * them, since only short contents come here. Not thread-safe but for {@link #over}.
 */
final class HeapFreeSpace {
  private static final int MOST = 64;
  private static final long LEAST_FREE = 64;
  private static final int TRIED = 4;

  /** Larger collections hold one large object, and nothing comes to it. */
  private static final long LARGEST = 16 << 10;

  private final int rank;
  private final int ranks;
  private final TreeMap<Long, Room> rooms;

  /**
   * A collection.
   *
   * @param block where it is
   * @param free bytes behind its last object
   * @param image its bytes, if they differ from the file
   */
  record Room(Block block, long free, Optional<MemorySegment> image) {}

  HeapFreeSpace(int rank, int ranks) {
    this(rank, ranks, new TreeMap<>());
  }

  private HeapFreeSpace(int rank, int ranks, TreeMap<Long, Room> rooms) {
    this.rank = rank;
    this.ranks = ranks;
    this.rooms = rooms;
  }

  synchronized HeapFreeSpace copy() {
    return new HeapFreeSpace(rank, ranks, new TreeMap<>(rooms));
  }

  /** The rank that changes a collection. */
  int ownerOf(long collection) {
    return (int) Long.remainderUnsigned(collection >>> 12, ranks);
  }

  /** Notes a collection, or that its room has changed. */
  synchronized void put(Room room) {
    if (room.block().length() > LARGEST) {
      return;
    }
    if (room.free() < LEAST_FREE && room.image().isEmpty()) {
      rooms.remove(room.block().address());
    } else {
      rooms.put(room.block().address(), room);
    }
  }

  /** Returns whether anything differs from the file. */
  synchronized boolean isDirty() {
    return rooms.values().stream().anyMatch(room -> room.image().isPresent());
  }

  /** The bytes of a collection that differs from the file. */
  private synchronized Optional<Room> changed(long address) {
    return Optional.ofNullable(rooms.floorEntry(address))
        .map(Map.Entry::getValue)
        .filter(room -> room.image().isPresent() && address < room.block().end());
  }

  /** A collection as it is now. */
  EditedCollection open(long collection, ByteSource source, Widths widths) {
    Optional<Room> room = changed(collection).filter(r -> r.block().address() == collection);
    return room.isPresent()
        ? EditedCollection.of(widths, room.get().block(), room.get().image().orElseThrow())
        : EditedCollection.read(source, widths, collection);
  }

  /** A few collections with room that this rank may fill while others fill theirs. */
  List<EditedCollection> mine(ByteSource source, Widths widths) {
    return largest(source, widths, room -> ownerOf(room.block().address()) == rank);
  }

  /** A few collections with room for a rank that fills alone. */
  List<EditedCollection> any(ByteSource source, Widths widths) {
    return largest(source, widths, _ -> true);
  }

  private List<EditedCollection> largest(
      ByteSource source, Widths widths, Predicate<Room> allowed) {
    return byFree().stream()
        .filter(room -> room.free() >= LEAST_FREE && allowed.test(room))
        .limit(TRIED)
        .map(room -> open(room.block().address(), source, widths))
        .toList();
  }

  private synchronized List<Room> byFree() {
    return rooms.values().stream()
        .sorted(Comparator.comparingLong((Room room) -> -room.free()).thenComparing(Room::block))
        .toList();
  }

  /** The changed collections of which this rank is the home, to be written. */
  synchronized List<EditedCollection> dirtyMine(Widths widths) {
    return rooms.values().stream()
        .filter(room -> room.image().isPresent() && ownerOf(room.block().address()) == rank)
        .map(room -> EditedCollection.of(widths, room.block(), room.image().get()))
        .toList();
  }

  /** The flush has written what differed; of many rooms the largest stay. */
  synchronized void stored() {
    List<Room> kept = byFree().stream().limit(MOST).toList();
    rooms.clear();
    kept.forEach(room -> put(new Room(room.block(), room.free(), Optional.empty())));
  }

  /** Keeps the bytes of a collection that was filled. */
  void fill(BlockImage image, long free) {
    put(new Room(image.block(), free, Optional.of(image.bytes())));
  }

  /** The file as it will be after the next flush, as far as it is known here. */
  ByteSource over(ByteSource file) {
    return new Laid(this, file);
  }

  /** The file with what is not written yet laid over it. */
  private record Laid(HeapFreeSpace rooms, ByteSource file) implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      Optional<Room> room = rooms.changed(address);
      if (room.isEmpty()) {
        return file.read(address, length);
      }
      Block block = room.get().block();
      if (length < 0 || length > block.end() - address) {
        throw new FormatException(
            "bytes of a heap collection", "at most " + (block.end() - address), length);
      }
      return room.get().image().orElseThrow().asSlice(address - block.address(), length);
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
