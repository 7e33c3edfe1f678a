package io.skerry.internal.tree;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.header.HeaderUpdate;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.header.ObjectHeaderWriter;
import java.util.List;

/** Encodes changed object headers, with their dense links and attributes, for one flush. */
final class HeaderRendering {
  private final ObjectTree tree;
  private final SpaceAllocator space;
  private final List<BlockImage> blocks;
  private final DenseRendering dense;

  /**
   * Creates the encoder for one flush.
   *
   * @param space the allocator that allocates and frees the blocks
   * @param blocks the list to which the blocks to write are added
   */
  HeaderRendering(ObjectTree tree, SpaceAllocator space, List<BlockImage> blocks) {
    this.tree = tree;
    this.space = space;
    this.blocks = blocks;
    this.dense = new DenseRendering(tree.format(), space, blocks);
  }

  /** Encodes a header; returns it with the location that it will have if the flush succeeds. */
  ObjectHeader render(ObjectHeader changed) {
    long address = changed.address();
    ObjectHeader header = changed;
    if (tree.denseLinks().has(address)) {
      header = dense.links(header, tree.denseLinks().of(address), () -> tree.links(address));
    }
    if (tree.denseAttributes().has(address)) {
      header =
          dense.attributes(
              header, tree.denseAttributes().of(address), () -> tree.attributeEntries(address));
    }
    HeaderUpdate update =
        new ObjectHeaderWriter(header.prefix(), tree.widths())
            .write(header.messages(), header.placement(), space);
    blocks.addAll(update.blocks());
    return new ObjectHeader(header.prefix(), header.messages(), update.placement());
  }
}
