/**
 * {@code lcls}: streams frames over ranks into a sparse file, continues interrupted runs, and
 * compares the file with its source. Named after the Linac Coherent Light Source, whose detectors
 * produce such frames. Start at {@link io.skerry.jobs.lcls.LclsHandler}, which runs {@code
 * LclsJob}.
 */
package io.skerry.jobs.lcls;
