package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.CollectiveException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Stores encoded chunks in free space and publishes their records, in three stages: {@link #place}
 * allocates addresses, {@link #write} writes the images, and {@link #notifyIndexOwners} sends the
 * records to the index owners. All stages are collective: ranks without chunks take part.
 */
public final class ChunkPublication {
  private final FileContext context;

  public ChunkPublication(FileContext context) {
    this.context = context;
  }

  /** Returns the length of a stored chunk in bytes. */
  public static long bytes(ChunkRecord record) {
    return record.sections().size();
  }

  /**
   * Images with their addresses.
   *
   * @param images the images by address
   * @param records the records of the chunks, in the iteration order of the images that were placed
   * @param unused the blocks that this rank allocated but did not use
   */
  public record Placed(
      TreeMap<Long, ChunkImage> images, Map<ChunkKey, ChunkRecord> records, List<Block> unused) {
    /** Returns the total size of the images in bytes. */
    public long bytes() {
      return images.values().stream().mapToLong(image -> image.bytes().byteSize()).sum();
    }
  }

  /**
   * Allocates addresses for the images of all ranks. Collective.
   *
   * @param images the images of this rank, each of at least one byte
   * @param replacedBytes the number of bytes that become free on this rank when these images are
   *     published
   * @param space the allocator, which this call changes. Its state is equal on all ranks before and
   *     after the call, except for holes that are recorded on only one rank
   */
  public Placed place(Map<ChunkKey, ChunkImage> images, long replacedBytes, SpaceAllocator space) {
    long[] sizes = images.values().stream().mapToLong(image -> image.bytes().byteSize()).toArray();
    Placement placement = Placement.of(context.ranks(), Use.DATA, sizes, replacedBytes, space);
    TreeMap<Long, ChunkImage> byAddress = new TreeMap<>();
    Map<ChunkKey, ChunkRecord> records = new LinkedHashMap<>();
    images.forEach((key, image) -> {
      long address = placement.addresses()[records.size()];
      byAddress.put(address, image);
      records.put(key, new ChunkRecord(address, image.sections()));
    });
    return new Placed(byAddress, records, new ArrayList<>(placement.unused()));
  }

  /**
   * Writes the images of all ranks. Collective; the status records a failure of the write on this
   * rank, and the caller must make all ranks agree on it.
   *
   * @throws CollectiveException on all ranks if at least one of them failed before the write
   */
  public void write(Placed placed, LocalStatus status) {
    new ChunkImageWriter(context).write(placed.images(), status);
  }

  /**
   * Sends records to the index owners, which update their shares of the indexes. Collective; the
   * status records a failure of this rank, and the caller must make all ranks agree on it.
   *
   * @param records the new record of each chunk; an empty record means that the chunk is deleted
   * @param beforeUpdate the action that is called on the index owner with each chunk before the
   *     record of the chunk is updated
   */
  public void notifyIndexOwners(
      Map<ChunkKey, Optional<ChunkRecord>> records,
      Consumer<ChunkKey> beforeUpdate,
      LocalStatus status) {
    Exchange.Outbox messages = new Exchange.Outbox();
    records.forEach((key, record) -> {
      ByteWriter message = messages.to(context.directory().indexOwnerOf(key));
      key.encode(message);
      RecordMessage.write(record, message);
    });
    for (ByteReader message : Exchange.deliver(context.ranks(), messages, "chunk records")) {
      status.attempt(() -> {
        while (message.remaining() > 0) {
          ChunkKey key = ChunkKey.decode(message);
          beforeUpdate.accept(key);
          context.directory().update(key, RecordMessage.read(message));
        }
      });
    }
  }

  /**
   * Stores and publishes new chunks, bypassing chunk owners and caches. The chunks can be found in
   * the file after the next flush that rebuilds their index. Collective; the status records a
   * failure of this rank while the records are sent, and the caller must make all ranks agree on
   * it.
   *
   * @throws CollectiveException on all ranks if at least one of them failed before the records were
   *     sent; in this case, no index owner has a record of any of the chunks
   */
  public void publishNew(
      ChunkedDataset dataset, Map<ChunkCoordinates, ChunkImage> images, LocalStatus status) {
    context.outcome().agree(status);
    Map<ChunkKey, ChunkImage> byKey = new LinkedHashMap<>();
    new TreeMap<>(images)
        .forEach((chunk, image) -> byKey.put(new ChunkKey(dataset.id(), chunk), image));
    Placed placed = place(byKey, 0, context.space().allocator());
    placed.unused().forEach(block -> context.space().free().free(Use.DATA, block));
    boolean written = false;
    try {
      write(placed, status);
      context.outcome().agree(status);
      written = true;
    } finally {
      if (!written) {
        // No record refers to the images, so the next flush frees their blocks.
        placed
            .images()
            .forEach((address, image) ->
                context
                    .space()
                    .free()
                    .free(Use.DATA, new Block(address, image.bytes().byteSize())));
      }
    }
    Map<ChunkKey, Optional<ChunkRecord>> records = new LinkedHashMap<>();
    placed.records().forEach((key, record) -> records.put(key, Optional.of(record)));
    notifyIndexOwners(records, _ -> {}, status);
  }
}
