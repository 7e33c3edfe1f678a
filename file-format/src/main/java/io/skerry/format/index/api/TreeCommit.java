package io.skerry.format.index.api;

import io.skerry.format.block.Block;
import java.util.Optional;

/**
 * A change of a chunk B-tree that has its space. The same on every rank.
 *
 * @param index the index afterwards
 * @param space where the new blocks go, if there are any
 */
public record TreeCommit(TreeIndex index, Optional<Block> space) {}
