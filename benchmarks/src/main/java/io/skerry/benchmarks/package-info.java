/**
 * Benchmarks of individual components, each in comparison with a plain loop for the same task, and
 * of the detector job as a complete process. Results are comparable on one machine and in one run
 * only; no test depends on them. Start at {@link io.skerry.benchmarks.DetectorFrame}, the data of
 * most benchmarks; {@code ./skerry bench} runs them.
 */
package io.skerry.benchmarks;
