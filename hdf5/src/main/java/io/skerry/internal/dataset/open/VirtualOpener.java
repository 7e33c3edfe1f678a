package io.skerry.internal.dataset.open;

import io.skerry.exception.FormatException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.virtual.MappedContent;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;

/** Opens virtual storage: reads the mappings to source datasets from the global heap. */
record VirtualOpener(HdfFile file, ObjectPath path) {
  Storage.Virtual open(VirtualLayoutMessage layout, Shape shape) {
    long heap = layout.heapAddress();
    try {
      VirtualMappings mappings =
          FileAddress.isDefined(heap)
              ? VirtualMappings.decode(
                  file.contents().heapObject(heap, heapIndex(layout.index())), file.tree().widths())
              : VirtualMappings.none();
      MappedContent content = new MappedContent(mappings, file, path.shown(), heap);
      content.checkRanks(shape);
      return new Storage.Virtual(content);
    } catch (FormatException e) {
      throw e.atAddress(heap);
    }
  }

  private static int heapIndex(long index) {
    if (index > 0xffff) {
      throw new FormatException("index of a heap object", "at most 65535", index);
    }
    return (int) index;
  }
}
