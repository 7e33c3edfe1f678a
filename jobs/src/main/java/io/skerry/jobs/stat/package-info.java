/** {@code stat}: prints storage statistics and what the chunk cache does for a reading order. */
package io.skerry.jobs.stat;
