/** Eviction orders: LRU, LFU, MRU, S3-FIFO and W-TinyLFU. Start at {@link EvictionOrder}. */
package io.skerry.cache.policy;
