package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.bytes.SegmentPool;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.alloc.UnpublishedChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.owner.FlushedRecords;
import io.skerry.collective.owner.GridArea;
import io.skerry.collective.view.AgreedFile;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.FileOptions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Loads and stores chunks for the cache of one rank. Short chunks at nearly adjacent addresses are
 * read together. In a file that a single rank has open, evicted dirty chunks are written to free
 * space, and nothing in the file refers to them until the next flush. However, a stored chunk of
 * fixed size that may be updated in place is overwritten.
 *
 * <p>In a file that several ranks have open, chunks are loaded for independent reads only, in the
 * state of the last flush. The cache stores no chunk, because all ranks must agree on the
 * addresses.
 */
public final class FileChunkStore implements ChunkStore {
  /** The number of bytes below which a chunk may be read together with the chunks before it. */
  private static final long SHORT = 64 << 10;

  /** The maximum number of bytes that are read together, including gaps between chunks. */
  private static final long AT_ONCE = 1 << 20;

  /** The maximum number of unneeded bytes between two chunks that are read together. */
  private static final long GAP = 4 << 10;

  private final RankPolicy policy;
  private final AgreedFile file;
  private final ChunkImageReader images;
  private final ChunkDirectory directory;
  private final FlushedRecords flushed;
  private final UnpublishedChunks unpublished;
  private final Map<ChunkKey, Optional<ChunkRecord>> stored;
  private final SegmentPool pool;
  private final FileOptions.Overwriting overwriting;
  private final FileSpace space;
  private final UnflushedChanges changes;

  FileChunkStore(
      RankPolicy policy,
      AgreedFile file,
      ChunkImageReader images,
      ChunkDirectory directory,
      FlushedRecords flushed,
      UnpublishedChunks unpublished,
      Map<ChunkKey, Optional<ChunkRecord>> stored,
      SegmentPool pool,
      FileOptions.Overwriting overwriting,
      FileSpace space,
      UnflushedChanges changes) {
    this.policy = policy;
    this.file = file;
    this.images = images;
    this.directory = directory;
    this.flushed = flushed;
    this.unpublished = unpublished;
    this.stored = stored;
    this.pool = pool;
    this.overwriting = overwriting;
    this.space = space;
    this.changes = changes;
  }

  /** Returns the record of a stored chunk according to {@link RankPolicy#record}. Local. */
  public Optional<ChunkRecord> record(ChunkKey key) {
    return policy.record(key);
  }

  /** Returns the coordinates of the stored chunks in an area, as of the last flush. Local. */
  List<ChunkCoordinates> storedChunks(GridArea area) {
    return flushed.chunks(area);
  }

  /** Returns the format of a stored chunk according to {@link RankPolicy#format}. Local. */
  public ChunkFormat format(ChunkKey key) {
    return policy.format(key);
  }

  /**
   * Drops the records as of the previous flush, after a flush has stored new indexes. No
   * independent read may be running during this call.
   */
  public void flushed() {
    flushed.forget();
  }

  /**
   * Drops the records of a dataset that is deleted or no longer in use. No thread may read the
   * dataset during this call.
   */
  public void forget(long dataset) {
    flushed.forget(dataset);
  }

  /**
   * A chunk to read.
   *
   * @param index the position of the key in the request
   */
  private record Wanted(int index, ChunkKey key, ChunkRecord record) {
    long end() {
      return record.address() + record.sections().size();
    }
  }

  @Override
  public String name() {
    return file.path();
  }

  @Override
  public void load(List<ChunkKey> keys, WorkerPool.Crew crew, Arrival arrival) {
    List<Wanted> wanted = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      ChunkKey key = keys.get(i);
      Optional<ChunkRecord> record = record(key);
      if (record.isPresent()) {
        wanted.add(new Wanted(i, key, record.get()));
      } else {
        arrival.loaded(i, directory.dataset(key.dataset()).format().newChunk());
      }
    }
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (List<Wanted> group : groups(wanted)) {
      tasks.add(() -> {
        fetch(group, arrival);
        return true;
      });
    }
    var unused = crew.runAll(tasks);
  }

  /**
   * Groups chunks at adjacent or nearly adjacent addresses. A chunk joins the preceding group only
   * if it is short.
   */
  private static List<List<Wanted>> groups(List<Wanted> wanted) {
    wanted.sort(Comparator.comparingLong(one -> one.record().address()));
    List<List<Wanted>> groups = new ArrayList<>();
    long start = 0;
    long end = Long.MIN_VALUE;
    for (Wanted one : wanted) {
      boolean joins =
          end != Long.MIN_VALUE
              && one.record().sections().size() < SHORT
              && one.record().address() >= end
              && one.record().address() - end <= GAP
              && one.end() - start <= AT_ONCE;
      if (!joins) {
        groups.add(new ArrayList<>());
        start = one.record().address();
      }
      groups.getLast().add(one);
      end = one.end();
    }
    return groups;
  }

  private void fetch(List<Wanted> group, Arrival arrival) {
    try (Leases leases = new Leases(pool)) {
      if (group.size() == 1) {
        Wanted one = group.getFirst();
        arrive(one, fetchOne(one, leases), arrival);
        return;
      }
      for (Wanted one : group) {
        check(one.key(), one.record());
      }
      long start = group.getFirst().record().address();
      MemorySegment bytes = leases.take(group.getLast().end() - start);
      access("fetch", group.stream().map(Wanted::key).toList(), () -> file.read(start, bytes));
      for (Wanted one : group) {
        long size = one.record().sections().size();
        MemorySegment image = bytes.asSlice(one.record().address() - start, size);
        arrive(one, new ChunkImage(image, one.record().sections()), arrival);
      }
    }
  }

  private ChunkImage fetchOne(Wanted one, Leases leases) {
    return named(
        one.key(),
        () ->
            ChunkAccessException.naming(
                "fetch", () -> fields(one.key()), () -> images.readAlone(one.record(), leases)));
  }

  /** Checks that a chunk is within the file. */
  private void check(ChunkKey key, ChunkRecord record) {
    boolean unused =
        named(
            key,
            () -> {
              images.check(record);
              return true;
            });
  }

  private void arrive(Wanted one, ChunkImage image, Arrival arrival) {
    boolean unused =
        named(
            one.key(),
            () -> {
              arrival.loaded(one.index(), format(one.key()).decode(image));
              return true;
            });
  }

  /** Runs an action on a chunk so that a report of damage names the dataset and the chunk. */
  private <T> T named(ChunkKey key, Supplier<T> action) {
    try {
      return action.get();
    } catch (FormatException e) {
      throw e.inObject(name(key));
    }
  }

  private String name(ChunkKey key) {
    return directory.dataset(key.dataset()).name() + " chunk " + key.chunk();
  }

  @Override
  public Optional<RunSet> locate(ChunkKey key) {
    ChunkFormat format = format(key);
    if (format.definedness() == ChunkFormat.Definedness.ALL) {
      return Optional.of(RunSet.range(0, format.elements()));
    }
    Optional<ChunkRecord> record = record(key);
    if (record.isEmpty()) {
      return Optional.of(RunSet.empty());
    }
    try (Leases leases = new Leases(pool)) {
      images.check(record.get());
      var sections = record.get().sections();
      MemorySegment section = leases.take(sections.length(0));
      long start = record.get().address() + sections.start(0);
      access("locate", List.of(key), () -> file.read(start, section));
      return format.locations(section, sections).map(ChunkFormat.StoredLocations::defined);
    } catch (FormatException e) {
      throw e.inObject(name(key));
    }
  }

  @Override
  public Optional<ChunkImage> encode(ChunkKey key, MemoryChunk chunk) {
    ChunkedDataset dataset = directory.dataset(key.dataset());
    boolean gone = !dataset.isInside(key.chunk()) && !dataset.hasFixedChunks();
    return gone
        ? Optional.empty()
        : ChunkAccessException.naming(
            "encode", () -> fields(key), () -> dataset.format(key.chunk()).encode(chunk));
  }

  @Override
  public boolean storesAnyTime(long dataset) {
    return policy.storesAnyTime(directory.dataset(dataset));
  }

  @Override
  public void store(List<Image> encoded) {
    SpaceAllocator allocator = space.allocator();
    TreeMap<Long, Image> byAddress = new TreeMap<>();
    Map<ChunkKey, Optional<ChunkRecord>> places = new TreeMap<>();
    List<Block> taken = new ArrayList<>();
    boolean written = false;
    try {
      for (Image one : encoded) {
        Optional<ChunkRecord> old = overwritable(one);
        if (old.isPresent()) {
          byAddress.put(old.get().address(), one);
          continue;
        }
        // The record is looked up before anything is written, since the lookup may have to read the
        // index.
        stored.computeIfAbsent(one.key(), directory::record);
        places.put(
            one.key(),
            one.image()
                .map(image -> {
                  Block block = allocator.allocateData(image.bytes().byteSize());
                  taken.add(block);
                  byAddress.put(block.address(), one);
                  return new ChunkRecord(block.address(), image.sections());
                }));
      }
      // Even if the write fails, some chunks may have been overwritten in place.
      changes.requireSync();
      write(byAddress);
      written = true;
    } finally {
      if (!written) {
        taken.forEach(block -> allocator.free(Use.DATA, block));
      }
    }
    places.forEach((key, now) -> {
      space.release(key);
      unpublished.put(key, now);
    });
  }

  /** Returns the record of the stored chunk that an image may overwrite; empty if there is none. */
  private Optional<ChunkRecord> overwritable(Image one) {
    boolean inPlace = directory.dataset(one.key().dataset()).supportsInPlaceUpdate();
    if (overwriting == FileOptions.Overwriting.BY_FLUSH || !inPlace || one.image().isEmpty()) {
      return Optional.empty();
    }
    long bytes = one.image().get().bytes().byteSize();
    Optional<ChunkRecord> found =
        record(one.key()).filter(record -> record.sections().size() == bytes);
    found.ifPresent(record -> check(one.key(), record));
    return found;
  }

  /** Writes images to their addresses. Images at contiguous addresses are written in one call. */
  private void write(TreeMap<Long, Image> byAddress) {
    List<Image> together = new ArrayList<>();
    long start = 0;
    long end = -1;
    for (Map.Entry<Long, Image> image : byAddress.entrySet()) {
      if (image.getKey() != end) {
        write(start, end - start, together);
        together.clear();
        start = image.getKey();
      }
      together.add(image.getValue());
      end = image.getKey() + bytes(image.getValue()).byteSize();
    }
    write(start, end - start, together);
  }

  private static MemorySegment bytes(Image one) {
    return one.image().orElseThrow().bytes();
  }

  private void write(long address, long length, List<Image> together) {
    if (!together.isEmpty()) {
      MemorySegment slab =
          together.size() == 1 ? bytes(together.getFirst()) : joined(length, together);
      access("store", together.stream().map(Image::key).toList(), () -> file.write(address, slab));
    }
  }

  private static MemorySegment joined(long length, List<Image> together) {
    MemorySegment slab = HeapBytes.allocate(length);
    long at = 0;
    for (Image image : together) {
      MemorySegment bytes = bytes(image);
      MemorySegment.copy(bytes, 0, slab, at, bytes.byteSize());
      at += bytes.byteSize();
    }
    return slab;
  }

  /** Accesses the file on behalf of the given chunks. An exception names the first of them. */
  private void access(String doing, List<ChunkKey> keys, Runnable body) {
    var unused =
        ChunkAccessException.naming(
            doing,
            () -> fields(keys.getFirst()) + (keys.size() > 1 ? " chunks=" + keys.size() : ""),
            () -> {
              body.run();
              return true;
            });
  }

  private String fields(ChunkKey key) {
    return "dataset=" + directory.dataset(key.dataset()).name() + " chunk=" + key.chunk();
  }
}
