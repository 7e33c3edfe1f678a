package io.skerry.format.header;

import io.skerry.format.block.BlockImage;
import java.util.List;

/**
 * The new content of an object header, to be written.
 *
 * @param placement the new file space of the header
 * @param blocks the images of all its chunks
 */
public record HeaderUpdate(HeaderPlacement placement, List<BlockImage> blocks) {
  public HeaderUpdate {
    blocks = List.copyOf(blocks);
  }
}
