/**
 * {@code repack} and {@code convert}: rewrite a file, or copy a dataset between dense and sparse
 * storage.
 */
package io.skerry.jobs.copy;
