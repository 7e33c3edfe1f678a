package io.skerry.internal.file;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.open.DatasetOpener;

/**
 * Removes the stored elements of deleted datasets, according to their layout. {@link ObjectRemoval}
 * releases the variable-length content that the elements own.
 */
final class ElementRemoval {
  private final NativeFile file;
  private final SpaceAllocator space;

  ElementRemoval(NativeFile file) {
    this.file = file;
    this.space = file.collective().space();
  }

  /**
   * Removes the elements of a dataset.
   *
   * @param header the header of the dataset
   */
  void remove(ObjectHeader header) {
    switch (header.require(LayoutMessage.class)) {
      case ChunkedLayout _ -> chunks(header.address());
      case ContiguousLayout(long address, _) -> {
        refuseAccess(header.address());
        contiguous(address, header);
      }
      case CompactLayout _ -> refuseAccess(header.address());
      case VirtualLayoutMessage stored -> {
        refuseAccess(header.address());
        file.collective().log().afterwards(() -> new MappingStorage(file).release(stored, 0));
      }
    }
  }

  private void chunks(long dataset) {
    if (DatasetOpener.open(file, "to be deleted", dataset).kept()
        instanceof Storage.Chunked(ChunkedDataset chunked)) {
      chunked.index().blocks(file.tree().source()).forEach(space::freeStored);
      file.collective().datasets().drop(chunked);
    }
  }

  private void contiguous(long address, ObjectHeader header) {
    long elements = header.require(DataspaceMessage.class).shape().elements();
    long bytes = Math.multiplyExact(elements, header.require(DatatypeMessage.class).elementSize());
    if (FileAddress.isDefined(address) && bytes > 0) {
      space.freeStored(SpaceAllocator.Use.DATA, new Block(address, bytes));
    }
  }

  /**
   * Ensures that further access to a dataset without chunks is refused once the current step has
   * succeeded.
   */
  private void refuseAccess(long dataset) {
    file.collective().log().afterwards(() -> file.flatLocks().delete(dataset));
  }
}
