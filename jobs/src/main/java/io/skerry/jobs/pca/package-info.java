/**
 * Implements {@code pca}, which computes the principal components of frames that are distributed
 * over ranks. Start at {@link io.skerry.jobs.pca.PcaHandler}; {@code PcaAnalysis} implements the
 * algorithm.
 */
package io.skerry.jobs.pca;
