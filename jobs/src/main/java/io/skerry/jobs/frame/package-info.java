/**
 * Stacks of detector frames, the input to {@code lcls} and {@code pca}: shape, source, reader,
 * provenance text. Start at {@link io.skerry.jobs.frame.FrameReader}.
 */
package io.skerry.jobs.frame;
