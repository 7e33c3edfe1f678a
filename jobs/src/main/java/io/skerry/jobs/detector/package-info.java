/**
 * Pixel frames in memory, independent of HDF5: pixel types, synthetic frames, peak and region
 * finding, pictures. Used by {@code lcls} and by the readers in {@code io.skerry.jobs.frame}. Start
 * at {@link io.skerry.jobs.detector.PixelFrame}.
 */
package io.skerry.jobs.detector;
