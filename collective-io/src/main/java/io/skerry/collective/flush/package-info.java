/**
 * Stores all changes to a file: encode, place, write, notify the index owners, rebuild the indexes,
 * commit. Start at {@link CollectiveFlush}. Called by flush, close, large writes, and operations
 * that need the stored state.
 */
package io.skerry.collective.flush;
