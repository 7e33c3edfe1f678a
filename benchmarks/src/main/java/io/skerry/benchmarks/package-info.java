/**
 * Benchmarks of individual components, most of them in comparison with a plain loop or another
 * library for the same task, and of the detector job as a complete process. Measured times are
 * comparable only on one machine and within one run; no test depends on them. Start at {@link
 * io.skerry.benchmarks.DetectorFrame}, the data of several benchmarks; {@code ./skerry bench} runs
 * them.
 */
package io.skerry.benchmarks;
