package io.skerry.jobs.pca;

/** The frame that is subtracted from every frame before the components are computed. */
public enum Centering {
  /** The mean frame, as in the definition of principal components. */
  MEAN,
  /** No frame: the components are the singular vectors of the frames. */
  NONE
}
