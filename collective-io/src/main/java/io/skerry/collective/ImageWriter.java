package io.skerry.collective;

import io.skerry.cache.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.space.GridPoint;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.owner.RecordLetter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.index.ChunkRecord;
import io.skerry.mpi.FileView;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes encoded chunks in one collective vector write. */
final class ImageWriter {
  private final Session session;

  ImageWriter(Session session) {
    this.session = session;
  }

  /** Writes images where they belong. Collective: ranks without any take part. */
  void write(TreeMap<Long, ChunkImage> byAddress, LocalStatus status) {
    try (Leases leases = new Leases(session.pool())) {
      FileView.Builder view = FileView.builder();
      long total = byAddress.values().stream().mapToLong(i -> i.bytes().byteSize()).sum();
      MemorySegment slab = status.attempt(() -> leases.take(total), MemorySegment.NULL);
      status.attempt(() -> {
        long at = 0;
        for (Map.Entry<Long, ChunkImage> chunk : byAddress.entrySet()) {
          MemorySegment bytes = chunk.getValue().bytes();
          MemorySegment.copy(bytes, 0, slab, at, bytes.byteSize());
          view.add(chunk.getKey(), bytes.byteSize());
          at += bytes.byteSize();
        }
      });
      session.file().writeAll(status, view.build(), slab);
    }
  }

  /**
   * Places and writes chunks that were not stored before, past owners and caches, and tells their
   * homes. They can be reached after the next flush. Collective.
   *
   * @throws CollectiveException on all ranks if one failed; no home knows of any of them then
   */
  void store(
      ChunkedDataset dataset,
      Map<GridPoint, ChunkImage> images,
      SpaceAllocator space,
      FreeBlocks free,
      LocalStatus status) {
    session.outcome().agree(status);
    TreeMap<GridPoint, ChunkImage> sorted = new TreeMap<>(images);
    long[] sizes = sorted.values().stream().mapToLong(i -> i.bytes().byteSize()).toArray();
    Placement placement = Placement.of(session.ranks(), Use.DATA, sizes, 0, space);
    placement.unused().forEach(block -> free.free(Use.DATA, block));
    TreeMap<Long, ChunkImage> byAddress = new TreeMap<>();
    Exchange.Outbox records = new Exchange.Outbox();
    int next = 0;
    for (Map.Entry<GridPoint, ChunkImage> chunk : sorted.entrySet()) {
      long address = placement.addresses()[next++];
      byAddress.put(address, chunk.getValue());
      ChunkKey key = new ChunkKey(dataset.id(), chunk.getKey());
      ByteWriter letter = records.to(session.directory().homeOf(key));
      key.encode(letter);
      RecordLetter.write(
          Optional.of(new ChunkRecord(address, chunk.getValue().sections())), letter);
    }
    write(byAddress, status);
    session.outcome().agree(status);
    for (ByteReader letter : Exchange.deliver(session.ranks(), records, "chunk records")) {
      status.attempt(() -> {
        while (letter.remaining() > 0) {
          ChunkKey key = ChunkKey.decode(letter);
          session.directory().update(key, RecordLetter.read(letter));
        }
      });
    }
  }
}
