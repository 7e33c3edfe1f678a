package io.skerry.format.header;

import io.skerry.format.block.Block;
import java.util.List;

/**
 * The file space of an object header.
 *
 * @param first the first chunk, including its signature and checksum; its address is the address of
 *     the object and never changes
 * @param continuations the continuation chunks, including signature and checksum, in the order of
 *     the continuation messages that refer to them
 */
public record HeaderPlacement(Block first, List<Block> continuations) {
  public HeaderPlacement {
    continuations = List.copyOf(continuations);
  }
}
