package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.core.ChunkImageWriter;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ContiguousImages;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.CollectiveException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stores the chunks of a large write that one rank alone writes, and wholly: they need no other
 * rank, no older image and no place in memory until the flush. Their images go to free space at
 * once; nothing in the file refers to them before the next flush, which only has to tell the homes.
 *
 * <p>A chunk that was stored so since the last flush is not stored so again, but kept in memory: a
 * file that is written over and over without a flush does not grow with every write.
 */
final class WholeChunkWriter {
  private final FileContext session;

  /**
   * A file system lets one thread write to a file at a time. Who waits here does not keep the
   * processor busy, as waiting there does, while another encodes.
   */
  private final ReentrantLock writing = new ReentrantLock();

  WholeChunkWriter(FileContext session) {
    this.session = session;
  }

  /**
   * A piece that is a chunk.
   *
   * @param piece the only piece of that chunk in this write
   * @param old where the chunk is stored, if it is
   */
  record Target(Piece piece, Optional<ChunkRecord> old) {
    long oldBytes() {
      return old.map(record -> record.sections().size()).orElse(0L);
    }
  }

  /** Which of the chunks owned here are stored so; none if they are not worth it. Local. */
  SortedMap<ChunkKey, Target> choose(WritePlan plan, SortedMap<ChunkKey, Assignment> work) {
    SortedMap<ChunkKey, Target> chosen = new TreeMap<>();
    work.forEach((key, chunk) -> target(plan, chunk).ifPresent(target -> chosen.put(key, target)));
    long bytes = chosen.values().stream().mapToLong(target -> target.piece().valueBytes()).sum();
    return bytes < session.options().aheadLimit() ? new TreeMap<>() : chosen;
  }

  private Optional<Target> target(WritePlan plan, Assignment chunk) {
    ChunkKey key = chunk.key();
    boolean aloneHere =
        chunk.writers().size() == 1 && chunk.writers().getFirst().rank() == session.ranks().rank();
    List<Piece> pieces = plan.chunks().getOrDefault(key, List.of());
    boolean whole =
        aloneHere
            && pieces.size() == 1
            && pieces.getFirst().slice().coversWholeChunk()
            && pieces.getFirst().replacesElements();
    // Who wants to be told of old values needs the old chunk.
    boolean told = session.directory().dataset(key.dataset()).overwritten().isPresent();
    boolean held = session.cache().unstored(key).isPresent() || session.ahead().has(key);
    return whole && !told && !held && !session.directory().dataset(key.dataset()).hasFixedChunks()
        ? Optional.of(new Target(pieces.getFirst(), chunk.record()))
        : Optional.empty();
  }

  /**
   * Stores the targets of all ranks. Collective.
   *
   * @return where those of this rank are now; nothing of it counts before {@link #take} and {@link
   *     #publish}
   * @throws CollectiveException on all ranks if one failed; nothing has changed then
   */
  Stored write(SortedMap<ChunkKey, Target> targets, LocalStatus status) {
    List<List<Target>> rounds =
        status.attempt(() -> rounds(List.copyOf(targets.values())), List.of());
    long agreed = session.outcome().agree(status, rounds.size())[0];
    Stored stored =
        new Stored(session.space().allocator().copy(), new ArrayList<>(), new TreeMap<>());
    if (session.ranks().size() == 1) {
      for (List<Target> round : rounds) {
        status.attempt(() -> writeAlone(round, stored));
        session.outcome().agree(status);
      }
    } else {
      writeTogether(rounds, agreed, stored, status);
    }
    return stored;
  }

  /** While one round is written helpers encode the next. */
  private void writeTogether(
      List<List<Target>> rounds, long agreed, Stored stored, LocalStatus status) {
    WorkerPool.Begun<ChunkImage> begun = begin(round(rounds, 0), status);
    try {
      for (int round = 0; round < agreed; round++) {
        List<ChunkImage> images = status.attempt(begun::results, List.of());
        begun.close();
        begun = begin(round(rounds, round + 1), status);
        write(round(rounds, round), images, stored, status);
        session.outcome().agree(status);
      }
    } finally {
      begun.close();
    }
  }

  private WorkerPool.Begun<ChunkImage> begin(List<Target> targets, LocalStatus status) {
    return status.attempt(() -> encoding(targets), session.workers().begin(List.of(), List.of()));
  }

  private static List<Target> round(List<List<Target>> rounds, int number) {
    return number < rounds.size() ? rounds.get(number) : List.of();
  }

  /**
   * What a write has stored.
   *
   * @param space the file's space afterwards
   * @param unused what this rank took of it in vain
   * @param records where the chunks are
   */
  record Stored(
      SpaceAllocator space, List<Block> unused, SortedMap<ChunkKey, ChunkRecord> records) {}

  /** Takes the space that it needs, if it is to be published later. Local; all ranks do. */
  void take(Stored stored) {
    session.space().take(stored.space(), stored.unused());
  }

  /** Gives space back that was taken in vain. For a rank that is alone. */
  void giveBack(Stored stored) {
    for (ChunkRecord record : stored.records().values()) {
      session
          .space()
          .allocator()
          .free(Use.DATA, new Block(record.address(), record.sections().size()));
    }
  }

  /** Lets what was taken count. Local; all ranks do. */
  void publish(Stored stored, SortedMap<ChunkKey, Target> targets) {
    session.ahead().putAll(stored.records());
    targets.forEach((key, target) -> {
      session.stored().putIfAbsent(key, target.old());
      session.cache().forgetStored(key);
    });
  }

  /**
   * What is written from where it stands takes no memory, nor do images whose sizes are known of a
   * rank that is alone: one round is enough.
   */
  private List<List<Target>> rounds(List<Target> targets) {
    boolean alone = session.ranks().size() == 1;
    return Rounds.split(
        targets,
        target -> {
          boolean free = alone && hasKnownSize(target) || standing(target).isPresent();
          return free ? 0 : target.piece().valueBytes();
        },
        session.options().roundLimit());
  }

  private ChunkFormat format(Target target) {
    ChunkKey key = target.piece().key();
    return session.directory().dataset(key.dataset()).format(key.chunk());
  }

  private boolean hasKnownSize(Target target) {
    return format(target).encodedSize() instanceof EncodedSize.Exactly;
  }

  /** Without other ranks each worker writes its chunk, while it is in the nearest cache. */
  private void writeAlone(List<Target> targets, Stored stored) {
    List<Target> known = new ArrayList<>();
    List<Target> unknown = new ArrayList<>();
    targets.forEach(target -> (hasKnownSize(target) ? known : unknown).add(target));
    List<ChunkImage> images = encoded(unknown);
    long[] sizes = new long[targets.size()];
    for (int i = 0; i < known.size(); i++) {
      EncodedSize.Exactly size = (EncodedSize.Exactly) format(known.get(i)).encodedSize();
      sizes[i] = size.bytes();
    }
    for (int i = 0; i < images.size(); i++) {
      sizes[known.size() + i] = images.get(i).bytes().byteSize();
    }
    long[] addresses = place(targets, sizes, stored);
    Map<Long, ChunkImage> standing = new TreeMap<>();
    List<Callable<ChunkRecord>> tasks = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      Target target = known.get(i);
      long address = addresses[i];
      if (standing(target).isPresent()) {
        ChunkImage image = encode(target, HeapBytes::allocate);
        standing.put(address, image);
        tasks.add(() -> new ChunkRecord(address, image.sections()));
      } else {
        tasks.add(() -> {
          try (Leases leases = new Leases(session.pool())) {
            return store(address, encode(target, leases::take));
          }
        });
      }
    }
    for (int i = 0; i < images.size(); i++) {
      ChunkImage image = images.get(i);
      long address = addresses[known.size() + i];
      tasks.add(() -> store(address, image));
    }
    known.addAll(unknown);
    writeStanding(standing, memory(targets));
    note(known, session.workers().runAll(memory(targets), tasks), stored);
  }

  /** Writes the callers' memory, in one call what stands there as it will in the file. */
  private void writeStanding(Map<Long, ChunkImage> byAddress, List<MemorySegment> memory) {
    for (ContiguousImages span : ContiguousImages.of(byAddress, memory)) {
      store(span.address(), span.bytes());
    }
  }

  private void store(long address, MemorySegment bytes) {
    writing.lock();
    try {
      session.file().write(address, bytes);
    } finally {
      writing.unlock();
    }
  }

  private ChunkRecord store(long address, ChunkImage image) {
    store(address, image.bytes());
    return new ChunkRecord(address, image.sections());
  }

  private void write(
      List<Target> targets, List<ChunkImage> images, Stored stored, LocalStatus status) {
    long[] sizes = images.stream().mapToLong(image -> image.bytes().byteSize()).toArray();
    long[] addresses = place(targets, sizes, stored);
    TreeMap<Long, ChunkImage> byAddress = new TreeMap<>();
    List<ChunkRecord> records = new ArrayList<>();
    for (int i = 0; i < images.size(); i++) {
      byAddress.put(addresses[i], images.get(i));
      records.add(new ChunkRecord(addresses[i], images.get(i).sections()));
    }
    new ChunkImageWriter(session).write(byAddress, memory(targets), status);
    if (status.isGood()) {
      note(targets, records, stored);
    }
  }

  private List<ChunkImage> encoded(List<Target> targets) {
    return encoding(targets).results();
  }

  private WorkerPool.Begun<ChunkImage> encoding(List<Target> targets) {
    List<Callable<ChunkImage>> tasks = new ArrayList<>();
    targets.forEach(target -> tasks.add(() -> encode(target, HeapBytes::allocate)));
    return session.workers().begin(memory(targets), tasks);
  }

  /** What the callers gave. */
  private static List<MemorySegment> memory(List<Target> targets) {
    Set<MemorySegment> found = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Target target : targets) {
      if (target.piece().change() instanceof WriteRequest.Values(MemorySegment packed, _)) {
        found.add(packed);
      }
    }
    return List.copyOf(found);
  }

  /** Gives memory; it need not be zeroed. */
  @FunctionalInterface
  private interface Room {
    MemorySegment take(long bytes);
  }

  private ChunkImage encode(Target target, Room room) {
    Piece piece = target.piece();
    ChunkFormat format = format(target);
    return format
        .encodeWritten(piece.slice().elements(), values(piece, format, room))
        .orElseThrow(() -> new IllegalStateException("a chunk of values without an image"));
  }

  /** The caller's own memory, if it can be written from as it is; else a copy. */
  private static MemorySegment values(Piece piece, ChunkFormat format, Room room) {
    Optional<MemorySegment> standing =
        format.storedAt(0).isPresent() ? callersOwn(piece) : Optional.empty();
    if (standing.isPresent()) {
      return standing.get();
    }
    MemorySegment values = room.take(piece.valueBytes());
    piece.pack(values);
    return values;
  }

  /** Memory of the caller that is the image of the chunk. */
  private Optional<MemorySegment> standing(Target target) {
    boolean plain = hasKnownSize(target) && format(target).storedAt(0).isPresent();
    return plain ? callersOwn(target.piece()) : Optional.empty();
  }

  private static Optional<MemorySegment> callersOwn(Piece piece) {
    ChunkSlice slice = piece.slice();
    if (piece.change() instanceof WriteRequest.Values(var packed, var conversion)
        && conversion.isIdentity()
        && packed.isNative()
        && slice.contiguousPlace().isPresent()) {
      long at = slice.contiguousPlace().getAsLong() * piece.elementSize();
      return Optional.of(packed.asSlice(at, piece.valueBytes()));
    }
    return Optional.empty();
  }

  /** Collective: takes space for the images of all ranks. */
  private long[] place(List<Target> targets, long[] sizes, Stored stored) {
    long replaced =
        targets.stream().mapToLong(Target::oldBytes).sum() + session.space().free().bytes(Use.DATA);
    Placement placement = Placement.of(session.ranks(), Use.DATA, sizes, replaced, stored.space());
    session.meter().allocates(Arrays.stream(sizes).sum());
    stored.unused().addAll(placement.unused());
    return placement.addresses();
  }

  private static void note(List<Target> targets, List<ChunkRecord> records, Stored stored) {
    for (int i = 0; i < targets.size(); i++) {
      stored.records().put(targets.get(i).piece().key(), records.get(i));
    }
  }
}
