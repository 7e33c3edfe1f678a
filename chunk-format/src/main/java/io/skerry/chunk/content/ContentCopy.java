package io.skerry.chunk.content;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Copies elements and the content of their variable-length parts from a source to a sink. Each
 * source pointer is replaced by a pointer to the copy in the sink. Inner content is copied before
 * the content that contains it. Descriptors have the same fields in every source and sink:
 *
 * <pre>
 * 0        4            10          type size
 * +--------+------------+-----------+
 * | length | pointer    | zeros     |
 * | u32    | u48        |           |
 * +--------+------------+-----------+
 *
 *   length   number of elements of the base type
 *   pointer  0 if the part is null, which differs from content of zero bytes
 * </pre>
 */
public final class ContentCopy {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Size of a descriptor without the zeros, in bytes. */
  public static final int DESCRIPTOR = 10;

  /** Number of recent copies remembered; the low bits of a source pointer select the entry. */
  private static final int RECENT = 64;

  private final ContentSource from;
  private final ContentSink to;

  /** Recent copies; empty if copies are not shared. */
  private final Optional<Copied[]> recent;

  private record Copied(VariableLengthParts.Part part, long pointer, long length, long copy) {}

  private ContentCopy(ContentSource from, ContentSink to, Optional<Copied[]> recent) {
    this.from = from;
    this.to = to;
    this.recent = recent;
  }

  /**
   * Creates a copier that stores a separate copy of the content for every part that is not null.
   */
  public ContentCopy(ContentSource from, ContentSink to) {
    this(from, to, Optional.empty());
  }

  /**
   * Creates a copier that remembers recent copies. Parts that share content in the source, such as
   * parts with the fill value, share it in the sink if the copy is still remembered.
   */
  static ContentCopy sharing(ContentSource from, ContentSink to) {
    return new ContentCopy(from, to, Optional.of(new Copied[RECENT]));
  }

  /**
   * Copies elements and their content.
   *
   * @param parts locations of the variable-length parts in an element
   * @param size size of an element in bytes
   * @param in the elements to copy, at least as many as {@code out} holds
   * @param out the destination of the elements; the descriptors written to it hold pointers into
   *     the sink
   * @throws FormatException if a descriptor is invalid, or if the source lacks the content to which
   *     a descriptor points
   * @throws io.skerry.exception.UnsupportedFeatureException if the sink has no room for the content
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
        pointer == 0 ? 0 : copyContent(part, pointer, length));
  }

  private long copyContent(VariableLengthParts.Part part, long pointer, long length) {
    if (recent.isEmpty()) {
      return keep(part, pointer, length);
    }
    int slot = (int) (pointer & RECENT - 1);
    Optional<Copied> before =
        Optional.ofNullable(recent.get()[slot])
            .filter(c -> c.part.equals(part) && c.pointer == pointer && c.length == length);
    if (before.isPresent()) {
      return before.get().copy;
    }
    long copy = keep(part, pointer, length);
    recent.get()[slot] = new Copied(part, pointer, length, copy);
    return copy;
  }

  private long keep(VariableLengthParts.Part part, long pointer, long length) {
    MemorySegment content = from.content(pointer, length * part.baseSize());
    if (!part.inner().isNone() && length > 0) {
      MemorySegment copied = HeapBytes.allocate(content.byteSize());
      copy(part.inner(), part.baseSize(), content, copied);
      content = copied;
    }
    return to.keep(content);
  }

  /**
   * Returns the length that a descriptor records, in elements of the base type.
   *
   * @param at offset of the descriptor in {@code elements}, in bytes
   */
  static long length(MemorySegment elements, long at) {
    return elements.get(U32, at) & 0xffffffffL;
  }

  /**
   * Returns the pointer in a descriptor.
   *
   * @param at offset of the descriptor in {@code elements}, in bytes
   */
  static long pointer(MemorySegment elements, long at) {
    return elements.get(U32, at + 4) & 0xffffffffL | (elements.get(U16, at + 8) & 0xffffL) << 32;
  }

  /** Writes a descriptor. */
  static void put(MemorySegment descriptor, long length, long pointer) {
    descriptor.fill((byte) 0);
    descriptor.set(U32, 0, (int) length);
    descriptor.set(U32, 4, (int) pointer);
    descriptor.set(U16, 8, (short) (pointer >>> 32));
  }
}
