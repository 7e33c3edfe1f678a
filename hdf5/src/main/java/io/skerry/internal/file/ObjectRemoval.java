package io.skerry.internal.file;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayout;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.internal.dataset.LostContent;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.tree.GroupLinks;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.OwnedContent;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Removes links. An object is deleted with its last hard link, as are the objects below it that
 * have no other hard link; groups that link to each other in a cycle remain, as in HDF5. Freed
 * space is reused after the next flush.
 */
final class ObjectRemoval {
  private final NativeFile file;
  private final ObjectTree tree;
  private final SpaceAllocator space;
  private final Deque<Long> released = new ArrayDeque<>();
  private final LostContent lost;

  ObjectRemoval(NativeFile file) {
    this.file = file;
    this.tree = file.tree();
    this.space = file.collective().space();
    this.lost = new LostContent(file);
  }

  /** Removes the link at a path. */
  void unlink(String path) {
    Resolver.Found found = Resolver.link(file, path);
    new GroupLinks(tree, found.group()).remove(found.link().name());
    release(found.link());
    finish();
  }

  /** Releases the content that a removed attribute owned, and the datatype that it shared. */
  void attribute(AttributeMessage gone) {
    gone.sharedType().ifPresent(this::releaseType);
    lost.attribute(gone);
    finish();
  }

  private void finish() {
    while (!released.isEmpty()) {
      releaseObject(released.removeFirst());
    }
    file.collective().log().afterwards(lost::release);
  }

  private void release(LinkMessage link) {
    if (link.target() instanceof LinkTarget.Hard(long address)) {
      released.addLast(address);
    }
  }

  private void releaseObject(long address) {
    if (address == tree.rootAddress() || tree.header(address).references() > 1) {
      tree.countReference(address, -1);
      return;
    }
    ObjectHeader header = tree.header(address);
    if (header.find(LayoutMessage.class).isPresent()) {
      freeData(header);
    } else if (header.find(DatatypeMessage.class).isEmpty()) {
      tree.links(address).forEach(this::release);
    }
    header.sharedReference(DatatypeMessage.class).ifPresent(this::releaseType);
    for (AttributeMessage attribute : tree.attributes(address)) {
      attribute.sharedType().ifPresent(this::releaseType);
      lost.attribute(attribute);
    }
    freeDense(header);
    tree.delete(address, space);
  }

  private void freeDense(ObjectHeader header) {
    header
        .find(SymbolTableMessage.class)
        .ifPresent(
            heads -> tree.tables().blocks(header.address(), heads).forEach(space::freeStored));
    header
        .find(LinkInfoMessage.class)
        .filter(LinkInfoMessage::isDense)
        .map(info -> DenseLinks.open(tree.source(), tree.widths(), info).blocks())
        .ifPresent(blocks -> blocks.forEach(space::freeStored));
    header
        .find(AttributeInfoMessage.class)
        .filter(AttributeInfoMessage::isDense)
        .map(info ->
            DenseAttributes.open(tree.source(), tree.widths(), info, tree.format()::pooledAttribute)
                .blocks())
        .ifPresent(blocks -> blocks.forEach(space::freeStored));
  }

  private void releaseType(SharedReference reference) {
    if (reference instanceof SharedReference.Committed(long type)) {
      released.addLast(type);
    }
  }

  private void freeData(ObjectHeader header) {
    if (OwnedContent.isPartOf(header.require(DatatypeMessage.class).datatype())) {
      lost.dataset(DatasetOpener.openNames(file, ObjectPath.of("to be deleted"), header.address()));
    }
    switch (header.require(LayoutMessage.class)) {
      case ChunkedLayout _ -> {
        if (DatasetOpener.open(file, "to be deleted", header.address()).kept()
            instanceof Storage.Chunked(ChunkedDataset dataset)) {
          dataset.index().blocks(tree.source()).forEach(space::freeStored);
          file.collective().chunks().drop(dataset);
        }
      }
      case ContiguousLayout(long address, _) -> {
        deleteFlat(header.address());
        Shape shape = header.require(DataspaceMessage.class).shape();
        long bytes =
            Math.multiplyExact(
                shape.elements(), header.require(DatatypeMessage.class).elementSize());
        if (FileAddress.isDefined(address) && bytes > 0) {
          space.freeStored(SpaceAllocator.Use.DATA, new Block(address, bytes));
        }
      }
      case CompactLayout _, VirtualLayout _ -> deleteFlat(header.address());
    }
  }

  private void deleteFlat(long address) {
    file.collective().log().afterwards(() -> file.flatLocks().delete(address));
  }
}
