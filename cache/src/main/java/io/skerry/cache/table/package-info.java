/**
 * The chunks in memory: a lock-free table for each dataset, the states of a chunk, and the
 * accounting of bytes. Start at {@link DatasetChunks}.
 */
package io.skerry.cache.table;
