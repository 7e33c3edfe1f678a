package io.skerry.chunk.content;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Values of a type with variable-length parts, together with all of their content. A chunk format
 * that has a {@link ContentPacking} accepts and returns values in this form.
 *
 * <pre>
 * 0                   count × type size
 * +------+------+-- … --+----------------+
 * | e[0] | e[1] |       | content        |  in each element, per variable-length part:
 * +------+------+-- … --+----------------+
 *
 * 0        4            10          size of the part
 * +--------+------------+-----------+
 * | length | pointer    | zeros     |  length in elements of the base type; the pointer is 0
 * | u32    | u48        |           |  for null, else the offset in "content" plus one
 * +--------+------------+-----------+
 * </pre>
 *
 * Content that has variable-length parts contains the same descriptors.
 *
 * @param elements the elements, without gaps
 * @param content the content of their variable-length parts
 */
public record PackedContent(MemorySegment elements, MemorySegment content) {

  /**
   * Splits packed values into elements and content.
   *
   * @param packed the elements followed by their content
   * @param bytes size of the elements in bytes
   * @throws IllegalArgumentException if {@code packed} is shorter than {@code bytes}
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

  /**
   * Returns the elements followed by their content, in a new segment; {@code elements} itself if
   * there is no content.
   */
  public MemorySegment joined() {
    if (content.byteSize() == 0) {
      return elements;
    }
    MemorySegment packed = HeapBytes.allocate(elements.byteSize() + content.byteSize());
    MemorySegment.copy(elements, 0, packed, 0, elements.byteSize());
    MemorySegment.copy(content, 0, packed, elements.byteSize(), content.byteSize());
    return packed;
  }

  /**
   * Returns whether a part is null. A part with zero bytes of content is not null.
   *
   * @param at offset of the part in {@code element}, in bytes
   */
  public static boolean isNull(MemorySegment element, long at) {
    return ContentCopy.pointer(element, at) == 0;
  }

  /**
   * Returns the length of a part, in elements of its base type.
   *
   * @param at offset of the part in {@code element}, in bytes
   */
  public static long length(MemorySegment element, long at) {
    return ContentCopy.length(element, at);
  }

  /**
   * Returns the content of a part; empty if the part is null.
   *
   * @param element an element, or content that contains parts itself
   * @param at offset of the part in {@code element}, in bytes
   * @param baseSize size of an element of the base type in bytes; 1 for text
   * @throws FormatException if the content is not within {@link #content()}
   */
  public MemorySegment content(MemorySegment element, long at, int baseSize) {
    return isNull(element, at)
        ? MemorySegment.ofArray(new byte[0])
        : ContentArea.places(content)
            .content(ContentCopy.pointer(element, at), length(element, at) * baseSize);
  }

  /** Collects content for elements that are built one at a time. Not thread-safe. */
  public static final class Builder {
    private final ContentArea area = new ContentArea();

    /**
     * Writes the descriptor of a part and stores a copy of its content.
     *
     * @param part the part, to which the descriptor is written
     * @param length number of elements of the base type
     * @param content the content
     */
    public void put(MemorySegment part, long length, MemorySegment content) {
      ContentCopy.put(part, length, area.keep(content));
    }

    /**
     * Returns the elements followed by the collected content, in a new segment; {@code elements}
     * itself if no content was collected.
     */
    public MemorySegment join(MemorySegment elements) {
      return new PackedContent(elements, area.written()).joined();
    }
  }
}
