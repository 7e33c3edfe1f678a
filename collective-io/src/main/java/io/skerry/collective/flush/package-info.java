/**
 * Stores all changes to a file: encode, place, write, notify the index owners, rebuild the indexes,
 * commit. Start at {@link CollectiveFlush}. Called when a file is flushed or closed, by large
 * writes, and by operations that need the stored state.
 */
package io.skerry.collective.flush;
