/** {@code pca}: principal components of frames that are distributed over ranks. */
package io.skerry.jobs.pca;
