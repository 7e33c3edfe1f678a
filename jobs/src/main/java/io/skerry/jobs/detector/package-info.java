/**
 * Detector frames and what is worth keeping of them: made frames ({@link SyntheticDetector}), spots
 * ({@link SpotFinder}), the brightest region ({@link RegionFinder}), and a picture of the choice
 * ({@link FramePicture}). Pure computation on one frame in memory: no files but the picture, no
 * ranks, no threads. Equal frames give equal answers on every rank. Start at {@link PixelFrame}.
 */
package io.skerry.jobs.detector;
