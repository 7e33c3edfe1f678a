package io.skerry.format.header;

import io.skerry.format.block.BlockImage;
import java.util.List;

/**
 * A header as it has to be written.
 *
 * @param placement where it is from now on
 * @param blocks the images of all its chunks
 */
public record HeaderUpdate(HeaderPlacement placement, List<BlockImage> blocks) {
  public HeaderUpdate {
    blocks = List.copyOf(blocks);
  }
}
