/**
 * The shuffle and Fletcher-32 filters. Start at {@link ShuffleFilter}. {@link Unshuffle} reverses
 * the shuffle in native memory.
 */
package io.skerry.chunk.filter.basic;
