package io.skerry.internal.copy.header;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.symboltable.LocalHeap;
import io.skerry.internal.file.NativeFile;
import java.util.ArrayList;
import java.util.List;

/** Copies the names of the external files of a dataset into a local heap of the target. */
record CopiedExternalFiles(NativeFile from, CopyTarget target) {
  ExternalFilesMessage copy(ExternalFilesMessage message) {
    LocalHeap names =
        LocalHeap.open(from.tree().source(), from.tree().widths(), message.heapAddress());
    // HDF5 expects the empty string at offset 0.
    ByteWriter data = ByteWriter.create().zeros(8);
    List<ExternalFilesMessage.Slot> slots = new ArrayList<>();
    for (ExternalFilesMessage.Slot slot : message.slots()) {
      slots.add(new ExternalFilesMessage.Slot(data.position(), slot.offset(), slot.size()));
      data.text(names.text(slot.nameOffset())).u8(0);
      data.zeros(Math.floorMod(-data.position(), 8));
    }
    SpaceAllocator space = target.file().collective().space();
    Block header = space.allocateBlock(LocalHeap.headerSize(target.widths()));
    Block body = space.allocateBlock(data.position());
    target.store(LocalHeap.image(header.address(), body, target.widths()));
    target.store(new BlockImage(body.address(), BlockKind.LOCAL_HEAP, data.written()));
    return new ExternalFilesMessage(header.address(), slots);
  }
}
