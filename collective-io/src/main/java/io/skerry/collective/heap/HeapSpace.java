package io.skerry.collective.heap;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
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
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The global heap of a file that is being written: contents of variable length find a place before
 * the elements that lead to them travel, and lose it when nothing leads to them any more.
 *
 * <p>Each rank stores its own contents, in collections that its share of the free space holds, and
 * short ones in room that collections have. What is given up is told to the collection's home rank
 * by the next flush: it takes the objects out, and a collection without objects becomes free space.
 */
public final class HeapSpace {
  /** Bytes of a collection, if its objects are short. */
  private static final long COLLECTION = 4096;

  private final FileContext session;
  private final Commit commit;
  private final ByteSource source;
  private final Widths widths;
  private final TreeMap<Long, TreeSet<Integer>> released = new TreeMap<>();
  private long releasedBytes;
  private HeapFreeSpace rooms;
  private boolean stored;
  private long version;

  public HeapSpace(FileContext session, Commit commit, ByteSource source, Widths widths) {
    this.session = session;
    this.commit = commit;
    this.source = source;
    this.widths = widths;
    this.rooms = new HeapFreeSpace(session.ranks().rank(), session.ranks().size());
  }

  /**
   * Stores this rank's own contents. Collective; a failure of the encoder on one rank is one on
   * all.
   *
   * @param replaced bytes of older contents that these take the place of; more than are stored
   *     count as so many
   * @param encode adds the contents to a writer; called twice, since where collections go is known
   *     only when all ranks have measured theirs
   */
  public <T> T store(String subject, long replaced, Function<GlobalHeapWriter, T> encode) {
    LocalStatus status = new LocalStatus();
    List<Long> sizes = new ArrayList<>();
    Supplier<List<EditedCollection>> mine = () -> rooms.mine(source, widths);
    status.attempt(() -> {
      T unused = measure(mine, encode, sizes);
    });
    session.outcome().enter(Operation.WRITE, subject, "(content of variable length)", status);
    try {
      Optional<T> result = store(sizes, replaced, mine, encode, status);
      session.outcome().agree(status);
      return result.orElseThrow();
    } finally {
      session.outcome().leave();
    }
  }

  /**
   * Stores contents that are the same on all ranks, once. Collective.
   *
   * @param encode as for {@link #store}, and gives the elements that lead to the contents
   * @return the elements, the same on all ranks
   */
  public MemorySegment storeCommon(
      String subject, long replaced, Function<GlobalHeapWriter, MemorySegment> encode) {
    LocalStatus status = new LocalStatus();
    boolean first = session.ranks().rank() == 0;
    Function<GlobalHeapWriter, MemorySegment> here = first ? encode : _ -> MemorySegment.NULL;
    List<Long> sizes = new ArrayList<>();
    Supplier<List<EditedCollection>> any = () -> first ? rooms.any(source, widths) : List.of();
    status.attempt(() -> {
      MemorySegment unused = measure(any, here, sizes);
    });
    session.outcome().enter(Operation.WRITE, subject, "(content of variable length)", status);
    try {
      Optional<MemorySegment> result = store(sizes, first ? replaced : 0, any, here, status);
      session.outcome().agree(status);
      byte[] elements = result.orElseThrow().toArray(ValueLayout.JAVA_BYTE);
      return MemorySegment.ofArray(session.ranks().broadcast(elements, 0));
    } finally {
      session.outcome().leave();
    }
  }

  /**
   * Returns whether contents came since the last flush, or this rank has given some up. Chunks that
   * lead to them may have been overwritten in place, so that nothing else has to be flushed. Local.
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
    try (var _ = session.cache().holdStores()) {
      placed =
          Placement.of(
              session.ranks(),
              Use.HEAP,
              needed,
              Math.min(replaced, Arrays.stream(needed).sum()) + givenUp,
              session.space().allocator());
    }
    placed.unused().forEach(block -> session.space().free().free(Use.HEAP, block));
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
    session.changes().requireSync();
    stored = true;
    announceRooms(blocks, writer.map(GlobalHeapWriter::filled).orElse(List.of()), status);
    version++;
    return result;
  }

  /** Tells all ranks of new collections with room, and of what came to older ones. */
  private void announceRooms(
      List<BlockImage> fresh, List<EditedCollection> filled, LocalStatus status) {
    ByteWriter letter = ByteWriter.create();
    status.attempt(() -> {
      for (EditedCollection room : filled) {
        BlockImage image = room.image();
        place(letter, image.block(), room.free());
        letter.u32(image.bytes().byteSize()).bytes(image.bytes());
      }
      if (!fresh.isEmpty()) {
        // All but the one begun last are full.
        BlockImage last = fresh.getLast();
        place(letter, last.block(), EditedCollection.of(widths, last.block(), last.bytes()).free());
        letter.u32(0);
      }
    });
    learn(rooms, Exchange.allGatherSparse(session.ranks(), letter, "room in the heap"), status);
  }

  private static void place(ByteWriter letter, Block block, long free) {
    letter.u64(block.address()).u64(block.length()).u64(free);
  }

  private static void learn(HeapFreeSpace known, Exchange.Inbox letters, LocalStatus status) {
    for (ByteReader letter : letters) {
      status.attempt(() -> {
        while (letter.remaining() > 0) {
          Block block = new Block(letter.i64(), letter.i64());
          long free = letter.i64();
          MemorySegment image = letter.slice(letter.u32());
          known.put(
              new HeapFreeSpace.Room(
                  block, free, image.byteSize() > 0 ? Optional.of(image) : Optional.empty()));
        }
      });
    }
  }

  /**
   * Gives up objects to which nothing will lead after the next flush. Local; each rank has its own,
   * and an object that several name is given up once.
   *
   * @param bytes of all of them
   */
  public void release(Collection<Reference> objects, long bytes) {
    releasedBytes += bytes;
    for (Reference object : objects) {
      boolean unused =
          released.computeIfAbsent(object.collection(), k -> new TreeSet<>()).add(object.index());
    }
  }

  /** The file with the contents that are not written yet laid over it. Local. */
  public ByteSource source() {
    return rooms.over(source);
  }

  /** Rises whenever what stands at an address of the heap may have become something else. Local. */
  public long version() {
    return version;
  }

  /**
   * What a flush does to the heap; counts when the flush has succeeded.
   *
   * @param rooms those that there will be
   */
  public record Sweep(HeapFreeSpace rooms) {}

  /**
   * Takes out what was given up, on the home ranks of the collections. Collective.
   *
   * @param space of the file after the flush
   * @param free receives collections without objects
   * @param mine receives collections that changed
   */
  public Sweep sweep(
      SpaceAllocator space, FreeBlocks free, List<BlockImage> mine, LocalStatus status) {
    long[] any = {released.isEmpty() ? 0 : 1};
    boolean work = session.ranks().allReduce(any, Reduction.MAX)[0] != 0;
    HeapFreeSpace next = rooms.copy();
    if (!work && !rooms.isDirty()) {
      return new Sweep(next);
    }
    Exchange.Inbox letters = Exchange.deliver(session.ranks(), letters(), "objects given up");
    TreeMap<Long, EditedCollection> changed = new TreeMap<>();
    status.attempt(() -> {
      rooms.dirtyMine(widths).forEach(room -> changed.put(room.block().address(), room));
      given(letters)
          .forEach(
              (address, gone) -> takeOut(address, gone).ifPresent(c -> changed.put(address, c)));
    });
    ByteWriter letter = ByteWriter.create();
    status.attempt(() -> {
      for (EditedCollection collection : changed.values()) {
        if (!collection.isEmpty()) {
          mine.add(collection.image());
          place(letter, collection.block(), collection.free());
          letter.u32(0);
        } else if (space.isTaken(collection.block())) {
          free.free(Use.HEAP, collection.block());
          place(letter, collection.block(), 0);
          letter.u32(0);
        }
      }
    });
    learn(next, Exchange.allGatherSparse(session.ranks(), letter, "room in the heap"), status);
    next.stored();
    return new Sweep(next);
  }

  private Exchange.Outbox letters() {
    Exchange.Outbox out = new Exchange.Outbox();
    released.forEach((collection, indices) -> {
      ByteWriter letter = out.to(rooms.ownerOf(collection));
      letter.u64(collection).u32(indices.size());
      indices.forEach(letter::u16);
    });
    return out;
  }

  private static TreeMap<Long, TreeSet<Integer>> given(Exchange.Inbox letters) {
    TreeMap<Long, TreeSet<Integer>> all = new TreeMap<>();
    for (ByteReader letter : letters) {
      while (letter.remaining() > 0) {
        TreeSet<Integer> gone = all.computeIfAbsent(letter.i64(), k -> new TreeSet<>());
        for (long left = letter.u32(); left > 0; left--) {
          gone.add(letter.u16());
        }
      }
    }
    return all;
  }

  /** A collection without some objects; none if it had none of them, or cannot be read. */
  private Optional<EditedCollection> takeOut(long address, TreeSet<Integer> gone) {
    try {
      EditedCollection collection = rooms.open(address, source, widths);
      boolean changed = false;
      for (int index : gone) {
        changed |= collection.remove(index);
      }
      return changed ? Optional.of(collection) : Optional.empty();
    } catch (FormatException damaged) {
      // It belongs to a damaged element that was overwritten; its space is lost, no more.
      return Optional.empty();
    }
  }

  /**
   * The chunks of a dataset that this rank answers for: those whose record has its home here, as
   * they are stored, and those changed since that this rank owns. The ranks together visit every
   * version that the file or a rank has. Local.
   */
  public void forEachChunk(
      ChunkedDataset dataset, BiConsumer<ChunkCoordinates, MemoryChunk> visitor) {
    for (ChunkCoordinates point : session.directory().chunks(dataset)) {
      session
          .directory()
          .record(new ChunkKey(dataset.id(), point))
          .filter(record -> record.sections().size() > 0)
          .ifPresent(record -> {
            MemorySegment bytes = source.read(record.address(), record.sections().size());
            ChunkImage image = new ChunkImage(bytes, record.sections().checked());
            visitor.accept(point, dataset.format(point).decode(image));
          });
    }
    session
        .cache()
        .unstored()
        .forEach((key, chunk) -> {
          if (key.dataset() == dataset.id()) {
            visitor.accept(key.chunk(), chunk);
          }
        });
  }

  /** The flush has succeeded. */
  public void swept(Sweep sweep) {
    rooms = sweep.rooms();
    released.clear();
    stored = false;
    releasedBytes = 0;
    version++;
  }
}
