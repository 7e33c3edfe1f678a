/**
 * Chunk indexes in B-trees of versions 1 and 2. Start at {@link
 * io.skerry.format.index.btree.ChunkBTree2}.
 */
package io.skerry.format.index.btree;
