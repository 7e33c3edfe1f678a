package io.skerry.internal.tree;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.symboltable.LocalHeap;
import java.util.List;

/**
 * Removes object headers, with the symbol table, dense links and dense attributes to which they
 * refer. The caller frees the elements of datasets, and requests that the names of external files
 * be freed.
 */
public final class HeaderRemoval {
  private final ObjectTree tree;
  private final SpaceAllocator space;

  /**
   * Creates an instance that removes object headers from a file.
   *
   * @param space the allocator that frees the blocks
   */
  public HeaderRemoval(ObjectTree tree, SpaceAllocator space) {
    this.tree = tree;
    this.space = space;
  }

  public void remove(ObjectHeader header) {
    header
        .find(SymbolTableMessage.class)
        .ifPresent(heads -> free(tree.tables().blocks(header.address(), heads)));
    header
        .find(LinkInfoMessage.class)
        .filter(LinkInfoMessage::isDense)
        .ifPresent(info -> free(DenseLinks.open(tree.source(), tree.widths(), info).blocks()));
    header
        .find(AttributeInfoMessage.class)
        .filter(AttributeInfoMessage::isDense)
        .map(info ->
            DenseAttributes.open(
                tree.source(), tree.widths(), info, tree.format()::pooledAttribute))
        .ifPresent(dense -> free(dense.blocks()));
    tree.delete(header.address(), space);
  }

  /**
   * Frees the names of the external files of a dataset; does nothing for any other object.
   *
   * @param header the header of the object
   */
  public void freeExternalNames(ObjectHeader header) {
    header
        .find(ExternalFilesMessage.class)
        .map(files -> LocalHeap.open(tree.source(), tree.widths(), files.heapAddress()))
        .ifPresent(names -> {
          space.freeStored(names.header());
          if (names.dataSize() > 0) {
            space.freeStored(new Block(names.dataAddress(), names.dataSize()));
          }
        });
  }

  private void free(List<Block> blocks) {
    blocks.forEach(space::freeStored);
  }
}
