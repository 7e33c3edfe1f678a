/**
 * {@code stat}: prints storage statistics and what the chunk cache does for a reading order. Start
 * at {@link io.skerry.jobs.stat.StatHandler}.
 */
package io.skerry.jobs.stat;
