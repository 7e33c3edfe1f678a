/**
 * How fast the parts are, each beside the plain loop that somebody would write without them, and
 * how long the detector job takes as a process. Numbers are for comparing on one machine, in one
 * run; nothing here is a promise, and no test depends on it. Start with {@link
 * io.skerry.benchmarks.DetectorFrame}, the data of most benchmarks; `./skerry bench` runs them.
 */
package io.skerry.benchmarks;
