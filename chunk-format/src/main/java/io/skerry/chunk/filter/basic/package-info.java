/**
 * The shuffle and Fletcher-32 filters. Start at {@link ShuffleFilter}. {@link Unshuffle} is the
 * fast inverse of the shuffle.
 */
package io.skerry.chunk.filter.basic;
