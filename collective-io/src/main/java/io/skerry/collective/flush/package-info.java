/**
 * Stores all changes of a file: encode, place, write, notify the index owners, rebuild the indexes,
 * commit. Start at {@link CollectiveFlush}. Flush, close and large writes call it.
 */
package io.skerry.collective.flush;
