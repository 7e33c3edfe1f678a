package io.skerry;

import io.skerry.chunk.type.Datatype;
import io.skerry.collective.Operation;
import io.skerry.value.Contents;
import io.skerry.value.ElementTransfer;
import io.skerry.value.HeapSink;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/**
 * Carries the elements of one dataset over to its copy, with what they keep in the global heap.
 * Elements that hold no addresses stay as they are.
 */
final class HeapTransfer {
  private final String path;
  private final Contents from;
  private final Datatype old;
  private final CopyTarget target;
  private final LongUnaryOperator objects;
  private final boolean needed;

  /**
   * @param objects gives the new address of an object, 0 for none
   * @param keepsObjects whether the new address is always the old one
   */
  HeapTransfer(
      CopiedDataset work, CopyTarget target, LongUnaryOperator objects, boolean keepsObjects) {
    this.path = work.path();
    this.from = work.from().file().contents();
    this.old = work.dataset().datatype();
    this.target = target;
    this.objects = objects;
    this.needed =
        ElementTransfer.holdsHeap(old)
            || ElementTransfer.refersToObjects(old) && !keepsObjects
            || !type().equals(old);
  }

  /** Whether elements change on the way. */
  boolean isNeeded() {
    return needed;
  }

  /** The type of the copy's elements. */
  Datatype type() {
    return ElementTransfer.type(old, from.widths(), target.widths());
  }

  private MemorySegment carry(MemorySegment packed, HeapSink heap) {
    return new ElementTransfer(from, target.widths(), heap, objects)
        .transfer(old, packed, packed.byteSize() / old.size());
  }

  /** Carries over elements that are the same on all ranks. Collective. */
  MemorySegment alike(MemorySegment packed) {
    return needed
        ? target
            .file()
            .collective()
            .together(Operation.COPY, path, "", () -> carry(packed, target.heap()::add))
        : packed;
  }

  /**
   * Carries over this rank's own elements; their content goes to a stretch of its own. Collective.
   */
  MemorySegment own(MemorySegment packed) {
    if (!needed) {
      return packed;
    }
    return target
        .file()
        .collective()
        .writableHeap()
        .store(path, 0, writer -> carry(packed, writer::add));
  }
}
