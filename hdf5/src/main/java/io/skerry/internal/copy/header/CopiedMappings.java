package io.skerry.internal.copy.header;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.layout.VirtualLayout;
import io.skerry.internal.file.NativeFile;

/** Copies the mappings of a virtual dataset into the global heap of the target. */
record CopiedMappings(NativeFile from, CopyTarget target) {
  VirtualLayout copy(VirtualLayout layout) {
    if (!FileAddress.isDefined(layout.heapAddress())) {
      return new VirtualLayout(FileAddress.UNDEFINED, 0);
    }
    if (target.widths().length() != from.tree().widths().length()) {
      throw new UnsupportedFeatureException(
          "copying virtual mappings into a file with lengths of another width",
          target.file().path().toString());
    }
    long index = layout.index();
    if (index < 1 || index > 0xffff) {
      throw new FormatException("index of a heap object", "1 to 65535", index);
    }
    GlobalHeapWriter.Reference at =
        target.heap().add(from.contents().heapObject(layout.heapAddress(), (int) index));
    return new VirtualLayout(at.collection(), at.index());
  }
}
