/**
 * Implements {@code stat}, which prints storage statistics, and chunk cache statistics for given
 * reading orders. Start at {@link io.skerry.jobs.stat.StatHandler}.
 */
package io.skerry.jobs.stat;
