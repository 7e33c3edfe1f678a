package io.skerry.collective.view;

import io.skerry.chunk.ChunkImage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Images that stand in a caller's native memory one behind the other as they will in the file, so
 * that one call writes them.
 *
 * @param address in the file
 * @param bytes of the images
 */
public record ContiguousImages(long address, MemorySegment bytes) {

  /**
   * Puts images together as far as they stand so.
   *
   * @param byAddress ascending
   * @param memory of the callers; an image that is not in it stays alone
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
   * The part of a caller's memory that is these bytes, one behind the other.
   *
   * @param parts at least one
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
