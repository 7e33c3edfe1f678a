package io.skerry.collective.core;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.Leases;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ContiguousImages;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes encoded chunks to their addresses, with one collective vector write per round. */
public final class ChunkImageWriter {
  private final FileContext context;

  public ChunkImageWriter(FileContext context) {
    this.context = context;
  }

  /**
   * Writes images to their addresses. Collective: ranks without images take part. The status
   * records a failure of the write.
   *
   * @throws CollectiveException on all ranks if at least one of them failed before the write
   */
  public void write(TreeMap<Long, ChunkImage> byAddress, LocalStatus status) {
    write(byAddress, Optional.empty(), status);
  }

  /**
   * Writes images that may be slices of the caller's memory. If the images are contiguous in that
   * memory, in the order of their file addresses, they are written from it without a copy.
   * Otherwise, the images of each round are first copied into one buffer. Collective: ranks without
   * images take part. The status records a failure of the write.
   *
   * @param memory the caller's memory segments
   * @throws CollectiveException on all ranks if at least one of them failed before the write
   */
  public void write(
      TreeMap<Long, ChunkImage> byAddress, List<MemorySegment> memory, LocalStatus status) {
    Optional<MemorySegment> callers =
        status.attempt(() -> callersPart(byAddress.values(), memory), Optional.empty());
    List<TreeMap<Long, ChunkImage>> rounds =
        callers.isPresent() ? List.of(byAddress) : rounds(byAddress);
    long agreed = context.outcome().agree(status, rounds.size())[0];
    for (int i = 0; i < agreed; i++) {
      write(i < rounds.size() ? rounds.get(i) : new TreeMap<>(), callers, status);
    }
  }

  private List<TreeMap<Long, ChunkImage>> rounds(TreeMap<Long, ChunkImage> byAddress) {
    return Rounds.split(
            byAddress.entrySet(),
            image -> image.getValue().bytes().byteSize(),
            context.options().roundLimit())
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
      TreeMap<Long, ChunkImage> byAddress, Optional<MemorySegment> callers, LocalStatus status) {
    FileView view = status.attempt(() -> view(byAddress), FileView.EMPTY);
    long total = byAddress.values().stream().mapToLong(i -> i.bytes().byteSize()).sum();
    try (Leases leases = new Leases(context.pool())) {
      MemorySegment slab =
          status.attempt(
              () -> callers.orElseGet(() -> together(byAddress.values(), leases.take(total))),
              MemorySegment.NULL);
      context.file().writeAll(status, view, slab);
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

  /**
   * Returns the slice of the caller's memory that consists of these images in order; empty if there
   * is none.
   */
  private static Optional<MemorySegment> callersPart(
      Collection<ChunkImage> images, List<MemorySegment> memory) {
    return images.isEmpty()
        ? Optional.empty()
        : ContiguousImages.joined(images.stream().map(ChunkImage::bytes).toList(), memory);
  }
}
