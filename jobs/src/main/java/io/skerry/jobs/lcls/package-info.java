/**
 * Implements {@code lcls}, which distributes frames over the ranks, stores their selected pixels in
 * a sparse file, continues interrupted runs, and compares the file with its source. The command is
 * named after the Linac Coherent Light Source, whose detectors produce such frames. Start at {@link
 * io.skerry.jobs.lcls.LclsHandler}, which runs {@code LclsJob}.
 */
package io.skerry.jobs.lcls;
