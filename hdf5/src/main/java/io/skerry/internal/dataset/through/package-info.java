/**
 * Writes virtual datasets: applies changes of their elements to the source datasets. Start at
 * {@link io.skerry.internal.dataset.through.SourceWriter}. The package {@code virtual} assigns the
 * elements to the sources.
 */
package io.skerry.internal.dataset.through;
