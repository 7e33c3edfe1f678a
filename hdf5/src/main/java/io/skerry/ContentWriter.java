package io.skerry;

import io.skerry.chunk.type.Datatype;
import io.skerry.value.OwnedContent;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes values that own content in the global heap over others, whose content is given up.
 * Collective.
 */
final class ContentWriter {
  private final NativeFile file;
  private final String path;
  private final Datatype type;
  private final MemorySegment fill;

  /**
   * @param fill one element
   */
  ContentWriter(NativeFile file, String path, Datatype type, MemorySegment fill) {
    this.file = file;
    this.path = path;
    this.type = type;
    this.fill = fill;
  }

  /**
   * Writes this rank's values.
   *
   * @param read reads the elements that stand where this rank writes; collective
   * @param write writes elements there; collective
   */
  void write(List<Value> values, Supplier<MemorySegment> read, Consumer<MemorySegment> write) {
    ElementEncoder encoder = new ElementEncoder(file);
    if (!OwnedContent.isPartOf(type)) {
      write.accept(encoder.own(path, type, values, 0));
      return;
    }
    OwnedContent old = owned(read.get());
    MemorySegment packed = encoder.own(path, type, values, old.bytes());
    boolean written = false;
    try {
      write.accept(packed);
      written = true;
    } finally {
      if (!written) {
        encoder.giveUp();
      }
    }
    file.collective().heap().release(old.objects());
    lost(packed, read.get());
  }

  private OwnedContent owned(MemorySegment elements) {
    OwnedContent owned = new OwnedContent(file.contents());
    owned.add(type, elements, elements.byteSize() / type.size());
    owned.except(type, fill);
    return owned;
  }

  /** Where another rank wrote the same element, or this one twice, one of them stays. */
  private void lost(MemorySegment written, MemorySegment found) {
    OwnedContent lost = new OwnedContent(file.contents());
    int size = type.size();
    for (long at = 0; at < written.byteSize(); at += size) {
      MemorySegment element = written.asSlice(at, size);
      if (element.mismatch(found.asSlice(at, size)) != -1) {
        lost.add(type, element, 1);
      }
    }
    file.collective().heap().release(lost.objects());
  }
}
