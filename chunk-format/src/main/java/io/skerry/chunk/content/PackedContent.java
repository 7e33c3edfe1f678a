package io.skerry.chunk.content;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Values of a type with variable-length parts, complete in themselves: what a chunk format with a
 * content packing takes and returns.
 *
 * <pre>
 * 0                   count × type size
 * +------+------+-- … --+----------------+
 * | e[0] | e[1] |       | content        |  in each element, per part of variable length:
 * +------+------+-- … --+----------------+
 *
 * 0        4            10          size of the part
 * +--------+------------+-----------+
 * | length | place      | zeros     |  length in members; place is 0 if there is no content,
 * | u32    | u48        |           |  else one more than its offset in "content"
 * +--------+------------+-----------+
 * </pre>
 *
 * Content of parts inside other content is reached in the same way.
 *
 * @param elements the elements one behind the other
 * @param content what they lead to
 */
public record PackedContent(MemorySegment elements, MemorySegment content) {

  /**
   * Takes packed values apart.
   *
   * @param bytes of the elements
   * @throws IllegalArgumentException if there are less
   */
  public static PackedContent split(MemorySegment packed, long bytes) {
    if (packed.byteSize() < bytes) {
      throw new IllegalArgumentException(
          "packed values with content: expected=at least "
              + bytes
              + " actual="
              + packed.byteSize());
    }
    return new PackedContent(
        packed.asSlice(0, bytes), packed.asSlice(bytes, packed.byteSize() - bytes));
  }

  /** Both in one piece of memory. */
  public MemorySegment joined() {
    if (content.byteSize() == 0) {
      return elements;
    }
    MemorySegment packed = HeapBytes.allocate(elements.byteSize() + content.byteSize());
    MemorySegment.copy(elements, 0, packed, 0, elements.byteSize());
    MemorySegment.copy(content, 0, packed, elements.byteSize(), content.byteSize());
    return packed;
  }

  /** Whether a part has no content at all, which is not the same as content of no bytes. */
  public static boolean isNull(MemorySegment element, long at) {
    return ContentCopy.pointer(element, at) == 0;
  }

  /** Members of a part. */
  public static long length(MemorySegment element, long at) {
    return ContentCopy.length(element, at);
  }

  /**
   * The content of a part.
   *
   * @param element an element, or content with parts of its own
   * @param at where the part begins in it
   * @param memberSize bytes of a member
   * @throws FormatException if it leads out of the content
   */
  public MemorySegment content(MemorySegment element, long at, int memberSize) {
    return isNull(element, at)
        ? MemorySegment.ofArray(new byte[0])
        : ContentArea.places(content)
            .content(ContentCopy.pointer(element, at), length(element, at) * memberSize);
  }

  /** Collects content for elements that are made one by one. Not thread-safe. */
  public static final class Builder {
    private final ContentArea area = new ContentArea();

    /**
     * Fills a part and keeps a copy of its content.
     *
     * @param length members of it
     */
    public void put(MemorySegment part, long length, MemorySegment content) {
      ContentCopy.put(part, length, area.keep(content));
    }

    /** The elements, with what was kept. */
    public MemorySegment join(MemorySegment elements) {
      return new PackedContent(elements, area.written()).joined();
    }
  }
}
