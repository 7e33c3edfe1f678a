/**
 * The chunk indexes that are B-trees of version 1 or 2. Start at {@link
 * io.skerry.format.index.btree.ChunkBTree2}.
 */
package io.skerry.format.index.btree;
