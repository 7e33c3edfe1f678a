/**
 * Options and statistics of the chunk cache, the choice of an eviction policy, and the exception of
 * an interrupted request.
 */
package io.skerry.cache;
