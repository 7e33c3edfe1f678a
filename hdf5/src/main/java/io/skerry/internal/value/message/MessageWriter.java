package io.skerry.internal.value.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Widths;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.StoredContents;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Encodes elements with the heap objects (variable-length content and the data of references) and
 * the paths of the HDF5 objects to which they refer. Local, not thread-safe.
 *
 * <pre>
 * message   elements, in the file datatype | heap objects u32 | per object: bytes u32 | content
 *           | addresses u32 | per address: address u64 | flags u8: bit 0 the object can be read,
 *           bit 1 it has a path | [path bytes u32 | path]
 * </pre>
 *
 * <p>The pointers in the elements and in the heap objects refer to the heap objects of the message.
 * The addresses are those of the HDF5 objects to which references refer.
 */
public final class MessageWriter {
  /**
   * The maximum number of bytes of elements and heap objects in a message; several messages are
   * joined in a buffer.
   */
  private static final long MOST = 1 << 30;

  private final StoredContents from;
  private final Datatype type;

  /**
   * The widths of the file, without its mapping of addresses: the addresses in a message are
   * already mapped.
   */
  private final Widths widths;

  private final Map<Long, ReferredObject> referred = new HashMap<>();

  /**
   * Creates a writer for elements of one file.
   *
   * @param from the access to the file
   * @param type the datatype of the elements
   */
  public MessageWriter(StoredContents from, Datatype type) {
    this.from = from;
    this.type = type;
    this.widths = new Widths(from.widths().offset(), from.widths().length());
  }

  /**
   * Appends elements.
   *
   * @param packed the elements
   * @throws io.skerry.exception.FormatException if an element or a heap object is damaged
   * @throws UnsupportedFeatureException if the elements and the heap objects exceed 1 GiB
   */
  public void write(MemorySegment packed, ByteWriter out) {
    HeldObjects objects = new HeldObjects();
    SortedSet<Long> addresses = new TreeSet<>();
    ElementTransfer transfer =
        new ElementTransfer(
            from,
            widths,
            objects,
            address -> {
              addresses.add(address);
              return address;
            });
    MemorySegment elements = transfer.transfer(type, packed, packed.byteSize() / type.size());
    if (elements.byteSize() + objects.bytes() > MOST) {
      throw new UnsupportedFeatureException(
              "more than 1 GiB of contents in a message to another rank: bytes="
                  + (elements.byteSize() + objects.bytes()),
              "elements of one chunk; read fewer elements at a time")
          .inFile(from.fileName());
    }
    out.bytes(elements);
    objects.encode(out);
    out.u32(addresses.size());
    for (long address : addresses) {
      referred.computeIfAbsent(address, at -> ReferredObject.at(at, from)).encode(out.u64(address));
    }
  }
}
