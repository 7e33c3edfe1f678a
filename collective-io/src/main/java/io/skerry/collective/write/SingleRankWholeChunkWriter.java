package io.skerry.collective.write;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ContiguousImages;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stores whole chunks in a file that a single rank has open. A chunk whose encoded size is known in
 * advance is written by the worker that encodes it, while the image is still in the processor
 * cache, unless the caller's memory already holds the image. The chunks of a round whose sizes are
 * not known in advance are all encoded before the first chunk is written, since the addresses
 * depend on these sizes.
 */
final class SingleRankWholeChunkWriter extends WholeChunkWriter {
  /**
   * Serializes the writes. Many file systems admit only one writing thread per file at a time, and
   * make the others spin. A thread that waits for this lock yields its processor to a thread that
   * encodes.
   */
  private final ReentrantLock writing = new ReentrantLock();

  SingleRankWholeChunkWriter(FileContext context) {
    super(context);
  }

  @Override
  void writeRounds(List<List<Target>> rounds, long agreed, Stored stored, LocalStatus status) {
    for (List<Target> round : rounds) {
      status.attempt(() -> write(round, stored));
      context().outcome().agree(status);
    }
  }

  /**
   * Returns 0 if the size of the image is known in advance or the image is in the caller's memory,
   * since such an image is not kept until the end of the round; otherwise the number of bytes of
   * the values.
   */
  @Override
  long memoryBytes(Target target) {
    boolean free = encoder().hasKnownSize(target) || encoder().callersImage(target).isPresent();
    return free ? 0 : target.piece().valueBytes();
  }

  /** Frees the space that an unpublished write has allocated. Local. */
  void giveBack(Stored stored) {
    for (ChunkRecord record : stored.records().values()) {
      context()
          .space()
          .allocator()
          .free(Use.DATA, new Block(record.address(), record.sections().size()));
    }
  }

  private void write(List<Target> targets, Stored stored) {
    List<Target> known = new ArrayList<>();
    List<Target> unknown = new ArrayList<>();
    targets.forEach(target -> (encoder().hasKnownSize(target) ? known : unknown).add(target));
    List<ChunkImage> images = encoder().begin(unknown).results();
    long[] sizes = new long[targets.size()];
    for (int i = 0; i < known.size(); i++) {
      EncodedSize.Exactly size = (EncodedSize.Exactly) encoder().format(known.get(i)).encodedSize();
      sizes[i] = size.bytes();
    }
    for (int i = 0; i < images.size(); i++) {
      sizes[known.size() + i] = images.get(i).bytes().byteSize();
    }
    long[] addresses = place(targets, sizes, stored);
    Map<Long, ChunkImage> callers = new TreeMap<>();
    List<Callable<ChunkRecord>> tasks = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      Target target = known.get(i);
      long address = addresses[i];
      if (encoder().callersImage(target).isPresent()) {
        ChunkImage image = encoder().encode(target, HeapBytes::allocate);
        callers.put(address, image);
        tasks.add(() -> new ChunkRecord(address, image.sections()));
      } else {
        tasks.add(() -> {
          try (Leases leases = new Leases(context().pool())) {
            return store(address, encoder().encode(target, leases::take));
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
    writeCallersImages(callers, WholeChunkEncoder.memory(targets));
    List<ChunkRecord> records =
        context().workers().runAll(WholeChunkEncoder.memory(targets), tasks);
    for (int i = 0; i < known.size(); i++) {
      stored.records().put(known.get(i).piece().key(), records.get(i));
    }
  }

  /** Allocates space for images, some of which are not encoded yet. */
  private long[] place(List<Target> targets, long[] sizes, Stored stored) {
    Placement placement =
        Placement.of(context().ranks(), Use.DATA, sizes, replacedBytes(targets), stored.space());
    stored.unused().addAll(placement.unused());
    return placement.addresses();
  }

  /**
   * Writes images from the caller's memory. Images that are contiguous both in memory and in the
   * file are written in one call.
   */
  private void writeCallersImages(Map<Long, ChunkImage> byAddress, List<MemorySegment> memory) {
    for (ContiguousImages span : ContiguousImages.of(byAddress, memory)) {
      store(span.address(), span.bytes());
    }
  }

  private void store(long address, MemorySegment bytes) {
    writing.lock();
    try {
      context().file().write(address, bytes);
    } finally {
      writing.unlock();
    }
  }

  private ChunkRecord store(long address, ChunkImage image) {
    store(address, image.bytes());
    return new ChunkRecord(address, image.sections());
  }
}
