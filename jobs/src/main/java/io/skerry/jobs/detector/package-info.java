/** Pixel frames without HDF5: pixel types, synthetic frames, peak and region finding, pictures. */
package io.skerry.jobs.detector;
