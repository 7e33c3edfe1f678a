package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.read.SliceSource.Absent;
import io.skerry.collective.read.SliceSource.Available;
import io.skerry.collective.read.SliceSource.Fetched;
import io.skerry.collective.read.SliceSource.InFile;
import io.skerry.collective.read.SliceSource.Resident;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.exception.FormatException;

/** Decodes the chunks of one dataset that a collective read has located. Called by workers. */
final class SourceDecoder {
  private final FileContext context;
  private final ChunkImageReader images;
  private final ChunkedDataset dataset;

  SourceDecoder(FileContext context, ChunkImageReader images, ChunkedDataset dataset) {
    this.context = context;
    this.images = images;
    this.dataset = dataset;
  }

  /** Reads the image of a chunk that is only in the file. Returns other sources unchanged. */
  Available available(SliceSource source, Leases memory) {
    return switch (source) {
      case InFile(ChunkKey key, var record) -> new Fetched(key, images.readAlone(record, memory));
      case Available available -> available;
    };
  }

  /** Returns the chunk of a source. A chunk that this method decodes is added to the cache. */
  MemoryChunk chunk(Available source) {
    return switch (source) {
      case Resident(MemoryChunk resident) -> resident;
      case Fetched(ChunkKey key, ChunkImage image) -> {
        MemoryChunk decoded = dataset.decode(key.chunk(), image);
        context.chunks().putStored(key, decoded);
        yield decoded;
      }
      case Absent _ -> dataset.format().newChunk();
    };
  }

  /** Returns the defined elements of a slice. */
  RunSet defined(ChunkSlice slice, Available source) {
    return switch (source) {
      case Resident(MemoryChunk resident) -> dataset.format().defined(resident, slice.elements());
      case Fetched(ChunkKey key, ChunkImage image) ->
          decodeDefined(key, image).intersect(slice.elements());
      case Absent _ ->
          switch (dataset.format().definedness()) {
            case ALL -> slice.elements();
            case WRITTEN -> RunSet.empty();
          };
    };
  }

  private RunSet decodeDefined(ChunkKey key, ChunkImage image) {
    try {
      return dataset.format(key.chunk()).decodeDefined(image);
    } catch (FormatException e) {
      throw e.inObject(dataset.name() + " chunk " + key.chunk());
    }
  }
}
