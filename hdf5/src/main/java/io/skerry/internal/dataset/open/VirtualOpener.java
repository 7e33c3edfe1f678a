package io.skerry.internal.dataset.open;

import io.skerry.exception.FormatException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.VirtualContent;
import io.skerry.internal.dataset.virtual.MappedContent;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Opens virtual storage: reads the mappings to source datasets from the global heap. */
record VirtualOpener(HdfFile file, ObjectPath path) {
  /** The minimum size of encoded mappings, in bytes, at which two threads are faster than one. */
  private static final long MANY = 1 << 20;

  Storage.Virtual open(VirtualLayoutMessage layout, Shape shape) {
    long heap = layout.heapAddress();
    try {
      VirtualMappings mappings =
          FileAddress.isDefined(heap)
              ? decoded(file.contents().heapObject(heap, heapIndex(layout.index())))
              : VirtualMappings.none();
      MappedContent content = new MappedContent(mappings, file, path.shown(), heap);
      content.checkRanks(shape);
      return new Storage.Virtual(content);
    } catch (FormatException e) {
      throw e.atAddress(heap);
    }
  }

  /**
   * Returns the extent of a virtual dataset. A source may grow while the ranks open it one after
   * the other, so within a step they agree on the minimum in each dimension.
   */
  Shape extent(VirtualContent content, Shape stored) {
    if (!content.growsWithSources()) {
      return content.extent(stored);
    }
    long[] extent =
        file.collective()
            .steps()
            .least("sources of " + path.shown(), () -> content.extent(stored).extent());
    return Shape.of(extent, stored.maximum());
  }

  /** Decodes mappings; if there are many, verifies their checksum in parallel. */
  private VirtualMappings decoded(MemorySegment object) {
    if (object.byteSize() < MANY) {
      return VirtualMappings.decode(object, file.tree().widths());
    }
    List<Callable<Optional<VirtualMappings>>> tasks =
        List.of(
            () -> {
              var unused = VirtualMappings.verified(object);
              return Optional.empty();
            },
            () -> Optional.of(VirtualMappings.decodeUnverified(object, file.tree().widths())));
    // If both tasks fail, the failure of the first is thrown.
    return file.collective().runAll(List.of(), tasks).getLast().orElseThrow();
  }

  private static int heapIndex(long index) {
    if (index > 0xffff) {
      throw new FormatException("index of a heap object", "at most 65535", index);
    }
    return (int) index;
  }
}
