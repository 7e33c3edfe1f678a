package io.skerry.internal.value.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.Datatype;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Access to the heap objects and the HDF5 objects to which the elements of a message refer. {@link
 * MessageWriter} documents the message. Local.
 */
public final class MessageContents extends HeldContents {
  private final Map<Long, ReferredObject> referred;

  private MessageContents(
      ElementFile file, HeldObjects objects, Map<Long, ReferredObject> referred) {
    super(file, objects);
    this.referred = referred;
  }

  /**
   * Decodes a message. The elements and the heap objects are views of the message.
   *
   * @param type the datatype of the elements
   * @param count the number of elements
   * @param file the file that contains the elements
   * @throws io.skerry.exception.FormatException if the message is shorter or longer than its
   *     content
   */
  public static StoredElements read(ByteReader in, Datatype type, long count, ElementFile file) {
    MemorySegment elements = in.slice(Math.multiplyExact(count, type.size()));
    HeldObjects objects = HeldObjects.decode(in);
    Map<Long, ReferredObject> referred = new HashMap<>();
    for (long left = in.u32(); left > 0; left--) {
      referred.put(in.i64(), ReferredObject.decode(in));
    }
    in.expect("bytes after the last address", 0, in.remaining());
    return new StoredElements(elements, new MessageContents(file, objects, referred));
  }

  @Override
  public Optional<String> pathOf(long address) {
    return Optional.ofNullable(referred.get(address)).flatMap(ReferredObject::path);
  }

  @Override
  public boolean isObject(long address) {
    return Optional.ofNullable(referred.get(address)).filter(ReferredObject::isObject).isPresent();
  }
}
