package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * The external data files message (0x0007): the elements of a contiguous dataset are stored in
 * consecutive slots, which are ranges of other files. Source: HDF5 File Format Specification 3.0,
 * section IV.A.2.h, "The Data Storage - External Data Files Message".
 *
 * <pre>
 * 01 | reserved 3 | slots allocated u16 | slots used u16 | local heap O
 * | per slot: heap offset of the file name L | offset in the file L | size L, all ones: unlimited
 * | unused slots
 * </pre>
 *
 * @param heapAddress the address of the local heap with the file names
 * @param slots the slots in order of the elements
 */
public record ExternalFilesMessage(long heapAddress, List<Slot> slots) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0007;

  /** Value of the size field of a slot with unlimited size. */
  public static final long UNLIMITED = -1;

  /**
   * A range of another file.
   *
   * @param nameOffset the offset of the file name in the local heap
   * @param offset the offset of the first byte in the file
   * @param size the size in bytes, or {@link #UNLIMITED}
   */
  public record Slot(long nameOffset, long offset, long size) {}

  public ExternalFilesMessage {
    slots = List.copyOf(slots);
  }

  public static ExternalFilesMessage decode(ByteReader in, Widths widths) {
    in.expect("external files version", 1, in.u8());
    in.skip(3);
    int allocated = in.u16();
    int used = in.u16();
    if (used > allocated) {
      throw in.fault("external file slots used", "at most " + allocated, used);
    }
    long heap = widths.readDefinedAddress(in, "heap of external file names");
    long ones = widths.length() == 8 ? -1 : (1L << (8 * widths.length())) - 1;
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < used; i++) {
      long name = widths.readLength(in, "offset of an external file name");
      long offset = widths.readLength(in, "offset in an external file");
      long size = in.uint(widths.length());
      if (size != ones && size < 0) {
        throw in.fault("size of an external piece", "below 2^63", Long.toUnsignedString(size));
      }
      slots.add(new Slot(name, offset, size == ones ? UNLIMITED : size));
    }
    return new ExternalFilesMessage(heap, slots);
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(1).zeros(3).u16(slots.size()).u16(slots.size());
    widths.writeAddress(out, heapAddress);
    for (Slot slot : slots) {
      widths.writeLength(out, slot.nameOffset());
      widths.writeLength(out, slot.offset());
      widths.writeLength(out, slot.size());
    }
  }
}
