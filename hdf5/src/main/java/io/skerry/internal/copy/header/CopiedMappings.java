package io.skerry.internal.copy.header;

import io.skerry.exception.FormatException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.vds.MappingsEncoder;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.file.NativeFile;

/**
 * Copies the mappings of a virtual dataset into the global heap of the target. The encoding depends
 * on the format version bounds of the target and on the width of its length fields.
 */
record CopiedMappings(NativeFile from, CopyTarget target) {
  VirtualLayoutMessage copy(VirtualLayoutMessage layout) {
    if (!FileAddress.isDefined(layout.heapAddress())) {
      return new VirtualLayoutMessage(FileAddress.UNDEFINED, 0);
    }
    long index = layout.index();
    if (index < 1 || index > 0xffff) {
      throw new FormatException("index of a heap object", "1 to 65535", index);
    }
    VirtualMappings old =
        VirtualMappings.decode(
            from.contents().heapObject(layout.heapAddress(), (int) index), from.tree().widths());
    VirtualMappings mappings = target.names().map(names -> names.rebased(old, from)).orElse(old);
    GlobalHeapWriter.Reference at =
        target.heap().add(MappingsEncoder.encode(mappings, target.bounds(), target.widths()));
    return new VirtualLayoutMessage(at.collection(), at.index());
  }
}
