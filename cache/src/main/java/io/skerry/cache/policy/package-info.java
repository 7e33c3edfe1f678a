/**
 * Which chunk goes when room is needed. Start at {@link io.skerry.cache.policy.EvictionPolicy}; the
 * cache asks an {@link io.skerry.cache.policy.EvictionOrder} per dataset, and a {@link
 * io.skerry.cache.policy.RecencyBuffer} brings the hits there without a lock.
 */
package io.skerry.cache.policy;
