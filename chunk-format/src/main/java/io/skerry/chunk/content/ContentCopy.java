package io.skerry.chunk.content;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Takes elements from one place to another with the content of their variable-length parts: what
 * one side finds by its pointers, the other keeps under pointers of its own. Inner content goes
 * before the outer. All forms of a descriptor have the same fields:
 *
 * <pre>
 * 0        4            10          type size
 * +--------+------------+-----------+
 * | length | pointer    | zeros     |
 * | u32    | u48        |           |
 * +--------+------------+-----------+
 *
 *   length   members of the content
 *   pointer  0: no content at all, which is not the same as content of no bytes
 * </pre>
 */
public final class ContentCopy {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Bytes of a descriptor without the zeros. */
  public static final int DESCRIPTOR = 10;

  /** Contents that are remembered, by the last bits of their pointers. */
  private static final int LATELY = 64;

  private final ContentSource from;
  private final ContentSink to;

  /** What was carried lately: part, pointer, length and new pointer; empty if none is shared. */
  private final Optional<Carried[]> lately;

  private record Carried(VariableLengthParts.Part part, long pointer, long length, long there) {}

  private ContentCopy(ContentSource from, ContentSink to, Optional<Carried[]> lately) {
    this.from = from;
    this.to = to;
    this.lately = lately;
  }

  /** Every part gets content of its own. */
  public ContentCopy(ContentSource from, ContentSink to) {
    this(from, to, Optional.empty());
  }

  /**
   * Parts that share content, as those that have the fill value do, mostly share it afterwards too.
   */
  static ContentCopy sharing(ContentSource from, ContentSink to) {
    return new ContentCopy(from, to, Optional.of(new Carried[LATELY]));
  }

  /**
   * Copies elements.
   *
   * @param size bytes per element
   * @param in as many elements as {@code out} holds
   * @throws FormatException if a descriptor leads nowhere
   */
  public void copy(VariableLengthParts parts, int size, MemorySegment in, MemorySegment out) {
    MemorySegment.copy(in, 0, out, 0, out.byteSize());
    for (long at = 0; at < out.byteSize(); at += size) {
      parts.forEach(at, (part, where) -> part(part, out, where));
    }
  }

  private void part(VariableLengthParts.Part part, MemorySegment out, long at) {
    long length = length(out, at);
    long pointer = pointer(out, at);
    if (pointer == 0 && length != 0) {
      throw new FormatException("length of a value without content", 0, length);
    }
    put(
        out.asSlice(at, part.type().size()),
        length,
        pointer == 0 ? 0 : carry(part, pointer, length));
  }

  private long carry(VariableLengthParts.Part part, long pointer, long length) {
    if (lately.isEmpty()) {
      return keep(part, pointer, length);
    }
    int slot = (int) (pointer & LATELY - 1);
    Optional<Carried> before =
        Optional.ofNullable(lately.get()[slot])
            .filter(c -> c.part.equals(part) && c.pointer == pointer && c.length == length);
    if (before.isPresent()) {
      return before.get().there;
    }
    long there = keep(part, pointer, length);
    lately.get()[slot] = new Carried(part, pointer, length, there);
    return there;
  }

  private long keep(VariableLengthParts.Part part, long pointer, long length) {
    MemorySegment content = from.content(pointer, length * part.memberSize());
    if (!part.inner().isNone() && length > 0) {
      MemorySegment carried = HeapBytes.allocate(content.byteSize());
      copy(part.inner(), part.memberSize(), content, carried);
      content = carried;
    }
    return to.keep(content);
  }

  /** Members of the content of the descriptor at a byte. */
  static long length(MemorySegment elements, long at) {
    return elements.get(U32, at) & 0xffffffffL;
  }

  /** The pointer of the descriptor at a byte. */
  static long pointer(MemorySegment elements, long at) {
    return elements.get(U32, at + 4) & 0xffffffffL | (elements.get(U16, at + 8) & 0xffffL) << 32;
  }

  /** Fills a descriptor. */
  static void put(MemorySegment descriptor, long length, long pointer) {
    descriptor.fill((byte) 0);
    descriptor.set(U32, 0, (int) length);
    descriptor.set(U32, 4, (int) pointer);
    descriptor.set(U16, 8, (short) (pointer >>> 32));
  }
}
