/**
 * Principal components of a stack of sparse frames: the arithmetic of one rank. What ranks do
 * together, and files, are in the package above. Start at {@link ActivePixels} and {@link
 * GramMatrix}.
 */
package io.skerry.jobs.pca;
