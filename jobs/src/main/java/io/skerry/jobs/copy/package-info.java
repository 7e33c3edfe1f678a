/**
 * Implements {@code repack}, which rewrites a file, and {@code convert}, which copies a dataset
 * from dense to sparse storage or vice versa. Start at {@link io.skerry.jobs.copy.RepackHandler};
 * the copying itself is done by module {@code hdf5}.
 */
package io.skerry.jobs.copy;
