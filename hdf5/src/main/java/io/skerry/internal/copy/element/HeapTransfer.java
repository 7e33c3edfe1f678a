package io.skerry.internal.copy.element;

import io.skerry.datatype.Datatype;
import io.skerry.format.block.Widths;
import io.skerry.internal.copy.header.CopyTarget;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.virtual.element.SourceContents;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.PackedContents;
import io.skerry.internal.value.PackedSink;
import io.skerry.internal.value.StoredContents;
import io.skerry.parallel.Operation;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * Transfers the elements of one dataset to its copy, with their variable-length content and the
 * data of their references. Elements without addresses are not changed.
 */
public final class HeapTransfer {
  private final CopiedDataset work;
  private final Datatype old;
  private final CopyTarget target;
  private final LongUnaryOperator objects;
  private final boolean needed;

  /** True if the chunks of the copy store elements together with their variable-length content. */
  private final boolean packs;

  /**
   * Creates the transfer for one dataset.
   *
   * @param objects a function from the address of an object to its new address, or to 0 if
   *     references to the object become null
   * @param keepsObjects true if {@code objects} returns every address unchanged
   */
  public HeapTransfer(
      CopiedDataset work, CopyTarget target, LongUnaryOperator objects, boolean keepsObjects) {
    this.work = work;
    this.old = work.dataset().datatype();
    this.target = target;
    this.objects = objects;
    this.packs = target.packs(work.address());
    boolean stays = packs && work.dataset().packing().isPresent();
    this.needed =
        (stays ? ElementTransfer.holdsReferenceHeap(old) : ElementTransfer.holdsHeap(old))
            || ElementTransfer.refersToObjects(old) && !(keepsObjects && ownsElements())
            || !type().equals(old)
            || stays && widths().length() != target.widths().length();
  }

  /** Returns whether the dataset stores its own elements, that is, whether it is not virtual. */
  private boolean ownsElements() {
    return !(work.dataset().kept() instanceof Storage.Virtual);
  }

  /** Returns whether the transfer changes elements. */
  boolean isNeeded() {
    return needed;
  }

  private Widths widths() {
    return work.from().file().tree().widths();
  }

  /** Returns the datatype of the elements of the copy. */
  Datatype type() {
    return ElementTransfer.type(old, widths(), target.widths());
  }

  private MemorySegment carry(StoredElements elements, HeapSink heap) {
    long count = elements.packed().byteSize() / old.size();
    if (!packs) {
      return transfer(elements, heap).transfer(old, elements.packed(), count);
    }
    PackedSink sink = new PackedSink(heap);
    return sink.join(transfer(elements, sink).transfer(old, elements.packed(), count));
  }

  private ElementTransfer transfer(StoredElements elements, HeapSink sink) {
    StoredContents contents = StoredContents.of(elements.contents());
    // An object address is valid only in its own file, so references from other source files become
    // null.
    LongUnaryOperator inFile =
        contents instanceof SourceContents sources
            ? address -> sources.isElsewhere(address) ? 0 : objects.applyAsLong(address)
            : objects;
    return new ElementTransfer(contents, target.widths(), sink, inFile);
  }

  private static MemorySegment asTheyAre(StoredElements elements) {
    return elements.contents() instanceof PackedContents contents
        ? contents.packed().joined()
        : elements.packed();
  }

  /**
   * Transfers elements that are equal on all ranks; all ranks get the same result. Collective.
   *
   * @return a supplier of the transferred elements, which is local and may fail
   */
  Supplier<MemorySegment> alike(StoredElements elements) {
    if (!needed) {
      return () -> asTheyAre(elements);
    }
    MemorySegment carried =
        target
            .file()
            .collective()
            .steps()
            .together(Operation.COPY, work.path(), "", () -> carry(elements, target.heap()::add));
    return () -> carried;
  }

  /**
   * Transfers the elements of this rank. Content that belongs in the global heap is stored in heap
   * collections of this rank. Collective.
   *
   * @return a supplier of the transferred elements, which is local and may fail
   */
  Supplier<MemorySegment> own(StoredElements elements) {
    if (!needed) {
      return () -> asTheyAre(elements);
    }
    MemorySegment carried =
        target
            .file()
            .collective()
            .writableHeap()
            .store(work.path(), () -> 0, writer -> carry(elements, writer::add));
    return () -> carried;
  }
}
