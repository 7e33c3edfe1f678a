package io.skerry.internal.value.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.exception.FormatException;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.internal.value.HeapSink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Heap objects in memory: variable-length content and the data of references, with addresses like
 * those of objects in the global heap. Local; not thread-safe while objects are added.
 */
public final class HeldObjects implements HeapSink {
  private static final int OBJECTS_PER_COLLECTION = 65535;

  private final List<MemorySegment> objects = new ArrayList<>();
  private long bytes;

  /**
   * Adds a copy of the given content.
   *
   * @throws io.skerry.exception.MemoryLimitException if all objects together exceed the {@linkplain
   *     MemoryLimit#heap limit} on the memory of a request
   */
  @Override
  public GlobalHeapWriter.Reference add(MemorySegment content) {
    // Elements of a damaged file may share content, and each of them would get a copy.
    MemoryLimit.require(bytes + content.byteSize(), 1, () -> "the contents of elements");
    return keep(MemorySegment.ofArray(content.toArray(ValueLayout.JAVA_BYTE)));
  }

  private GlobalHeapWriter.Reference keep(MemorySegment content) {
    int number = objects.size();
    objects.add(content);
    bytes += content.byteSize();
    return new GlobalHeapWriter.Reference(
        1 + number / OBJECTS_PER_COLLECTION, 1 + number % OBJECTS_PER_COLLECTION);
  }

  /**
   * Returns the content of the object at an address.
   *
   * @throws FormatException if there is no such object
   */
  public MemorySegment object(long collection, int index) {
    boolean known =
        collection >= 1
            && collection <= 1 + objects.size() / OBJECTS_PER_COLLECTION
            && index >= 1
            && index <= OBJECTS_PER_COLLECTION;
    long number = known ? (collection - 1) * OBJECTS_PER_COLLECTION + index - 1 : -1;
    if (number < 0 || number >= objects.size()) {
      throw new FormatException(
          "address of contents in memory",
          objects.size() + " objects",
          "collection " + collection + " index " + index);
    }
    return objects.get((int) number);
  }

  /** Returns the total number of bytes of all objects. */
  public long bytes() {
    return bytes;
  }

  /** Appends all objects to a message. */
  void encode(ByteWriter out) {
    out.u32(objects.size());
    objects.forEach(content -> out.u32(content.byteSize()).bytes(content));
  }

  /** Decodes the objects of a message; they are views of the message. */
  static HeldObjects decode(ByteReader in) {
    HeldObjects held = new HeldObjects();
    for (long left = in.u32(); left > 0; left--) {
      var unused = held.keep(in.slice(in.u32()));
    }
    return held;
  }
}
