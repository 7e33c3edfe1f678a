package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ContiguousImages;
import io.skerry.collective.wire.Exchange;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes encoded chunks in one collective vector write. */
public final class ChunkImageWriter {
  private final FileContext session;

  public ChunkImageWriter(FileContext session) {
    this.session = session;
  }

  /** Writes images where they belong. Collective: ranks without any take part. */
  public void write(TreeMap<Long, ChunkImage> byAddress, LocalStatus status) {
    write(byAddress, Optional.empty(), status);
  }

  /**
   * The same for images that may be slices of a caller's memory. If they stand there one behind the
   * other as they will in the file, they are written from there; else they are put together first,
   * as many at a time as one round may hold.
   *
   * @param memory the callers'
   * @throws CollectiveException on all ranks if one has failed before
   */
  public void write(
      TreeMap<Long, ChunkImage> byAddress, List<MemorySegment> memory, LocalStatus status) {
    Optional<MemorySegment> standing =
        status.attempt(() -> standing(byAddress.values(), memory), Optional.empty());
    List<TreeMap<Long, ChunkImage>> rounds =
        standing.isPresent() ? List.of(byAddress) : rounds(byAddress);
    long agreed = session.outcome().agree(status, rounds.size())[0];
    for (int i = 0; i < agreed; i++) {
      write(i < rounds.size() ? rounds.get(i) : new TreeMap<>(), standing, status);
    }
  }

  private List<TreeMap<Long, ChunkImage>> rounds(TreeMap<Long, ChunkImage> byAddress) {
    return Rounds.split(
            byAddress.entrySet(),
            image -> image.getValue().bytes().byteSize(),
            session.options().roundLimit())
        .stream()
        .map(ChunkImageWriter::byAddress)
        .toList();
  }

  private static TreeMap<Long, ChunkImage> byAddress(List<Map.Entry<Long, ChunkImage>> round) {
    TreeMap<Long, ChunkImage> images = new TreeMap<>();
    round.forEach(image -> images.put(image.getKey(), image.getValue()));
    return images;
  }

  private void write(
      TreeMap<Long, ChunkImage> byAddress, Optional<MemorySegment> standing, LocalStatus status) {
    FileView view = status.attempt(() -> view(byAddress), FileView.EMPTY);
    long total = byAddress.values().stream().mapToLong(i -> i.bytes().byteSize()).sum();
    try (Leases leases = new Leases(session.pool())) {
      MemorySegment slab =
          status.attempt(
              () -> standing.orElseGet(() -> together(byAddress.values(), leases.take(total))),
              MemorySegment.NULL);
      session.file().writeAll(status, view, slab);
    }
  }

  private static FileView view(TreeMap<Long, ChunkImage> byAddress) {
    FileView.Builder view = FileView.builder();
    byAddress.forEach((address, image) -> view.add(address, image.bytes().byteSize()));
    return view.build();
  }

  private static MemorySegment together(Collection<ChunkImage> images, MemorySegment slab) {
    long at = 0;
    for (ChunkImage image : images) {
      MemorySegment.copy(image.bytes(), 0, slab, at, image.bytes().byteSize());
      at += image.bytes().byteSize();
    }
    return slab;
  }

  /** The part of a caller's memory that is these images, one behind the other. */
  private static Optional<MemorySegment> standing(
      Collection<ChunkImage> images, List<MemorySegment> memory) {
    return images.isEmpty()
        ? Optional.empty()
        : ContiguousImages.joined(images.stream().map(ChunkImage::bytes).toList(), memory);
  }

  /**
   * Places and writes chunks that were not stored before, past owners and caches, and tells their
   * homes. They can be reached after the next flush. Collective.
   *
   * @throws CollectiveException on all ranks if one failed; no home knows of any of them then
   */
  public void store(
      ChunkedDataset dataset,
      Map<ChunkCoordinates, ChunkImage> images,
      SpaceAllocator space,
      FreeBlocks free,
      LocalStatus status) {
    session.outcome().agree(status);
    TreeMap<ChunkCoordinates, ChunkImage> sorted = new TreeMap<>(images);
    long[] sizes = sorted.values().stream().mapToLong(i -> i.bytes().byteSize()).toArray();
    Placement placement = Placement.of(session.ranks(), Use.DATA, sizes, 0, space);
    placement.unused().forEach(block -> free.free(Use.DATA, block));
    TreeMap<Long, ChunkImage> byAddress = new TreeMap<>();
    Exchange.Outbox records = new Exchange.Outbox();
    int next = 0;
    for (Map.Entry<ChunkCoordinates, ChunkImage> chunk : sorted.entrySet()) {
      long address = placement.addresses()[next++];
      byAddress.put(address, chunk.getValue());
      ChunkKey key = new ChunkKey(dataset.id(), chunk.getKey());
      ByteWriter letter = records.to(session.directory().indexOwnerOf(key));
      key.encode(letter);
      RecordMessage.write(
          Optional.of(new ChunkRecord(address, chunk.getValue().sections())), letter);
    }
    write(byAddress, status);
    session.outcome().agree(status);
    for (ByteReader letter : Exchange.deliver(session.ranks(), records, "chunk records")) {
      status.attempt(() -> {
        while (letter.remaining() > 0) {
          ChunkKey key = ChunkKey.decode(letter);
          session.directory().update(key, RecordMessage.read(letter));
        }
      });
    }
  }
}
