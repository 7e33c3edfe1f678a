package io.skerry.format.index.api;

import io.skerry.format.block.Block;
import java.util.Optional;

/**
 * A commit of a chunk B-tree with its allocated space, identical on every rank.
 *
 * @param index the index after the commit
 * @param space the block for the new nodes, if there are any
 */
public record TreeCommit(TreeIndex index, Optional<Block> space) {}
