/**
 * {@code lcls}: streams frames over ranks into a sparse file, continues interrupted runs, and
 * compares the file with its source.
 */
package io.skerry.jobs.lcls;
