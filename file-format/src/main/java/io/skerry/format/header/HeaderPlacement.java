package io.skerry.format.header;

import io.skerry.format.block.Block;
import java.util.List;

/**
 * Where an object header is.
 *
 * @param first its first chunk, from the signature to the checksum; its address is the object's and
 *     never changes
 * @param continuations its further chunks, signature and checksum included, in the order in which
 *     their messages follow
 */
public record HeaderPlacement(Block first, List<Block> continuations) {
  public HeaderPlacement {
    continuations = List.copyOf(continuations);
  }
}
