package io.skerry.collective.view;

import io.skerry.chunk.ChunkImage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run of chunk images that are contiguous both in the native memory of a caller and in the file,
 * so that one call writes them.
 *
 * @param address the address of the first byte in the file
 * @param bytes the bytes of the images in memory
 */
public record ContiguousImages(long address, MemorySegment bytes) {

  /**
   * Joins images into runs that are as long as possible.
   *
   * @param byAddress the images by their address in the file, ascending
   * @param memory the native memory of callers; an image outside this memory forms a separate run
   */
  public static List<ContiguousImages> of(
      Map<Long, ChunkImage> byAddress, List<MemorySegment> memory) {
    List<ContiguousImages> spans = new ArrayList<>();
    for (Map.Entry<Long, ChunkImage> image : byAddress.entrySet()) {
      ContiguousImages next = new ContiguousImages(image.getKey(), image.getValue().bytes());
      Optional<ContiguousImages> joined =
          spans.isEmpty() ? Optional.empty() : spans.getLast().joined(next, memory);
      if (joined.isPresent()) {
        spans.removeLast();
      }
      spans.add(joined.orElse(next));
    }
    return spans;
  }

  private Optional<ContiguousImages> joined(ContiguousImages next, List<MemorySegment> memory) {
    return address + bytes.byteSize() == next.address
        ? joined(List.of(bytes, next.bytes), memory)
            .map(both -> new ContiguousImages(address, both))
        : Optional.empty();
  }

  /**
   * Returns the slice of a caller's memory that consists of these parts in order; empty if the
   * parts are not contiguous, or not in that memory.
   *
   * @param parts the parts, at least one
   * @param memory the native memory of callers
   */
  public static Optional<MemorySegment> joined(
      List<MemorySegment> parts, List<MemorySegment> memory) {
    long start = parts.getFirst().address();
    long next = start;
    for (MemorySegment part : parts) {
      if (!part.isNative() || part.address() != next) {
        return Optional.empty();
      }
      next += part.byteSize();
    }
    for (MemorySegment whole : memory) {
      long offset = start - whole.address();
      if (whole.isNative() && offset >= 0 && offset <= whole.byteSize() - (next - start)) {
        return Optional.of(whole.asSlice(offset, next - start));
      }
    }
    return Optional.empty();
  }
}
