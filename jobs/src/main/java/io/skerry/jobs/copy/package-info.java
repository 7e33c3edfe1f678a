/**
 * {@code repack} and {@code convert}: rewrite a file, or copy a dataset between dense and sparse
 * storage. Start at {@link io.skerry.jobs.copy.RepackHandler}; the copying itself is done by module
 * {@code hdf5}.
 */
package io.skerry.jobs.copy;
