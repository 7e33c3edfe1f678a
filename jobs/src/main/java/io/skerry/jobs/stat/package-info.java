/**
 * Implements {@code stat}, which prints storage statistics and, for given reading orders,
 * statistics of the chunk cache. Start at {@link io.skerry.jobs.stat.StatHandler}.
 */
package io.skerry.jobs.stat;
