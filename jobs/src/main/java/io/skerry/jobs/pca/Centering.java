package io.skerry.jobs.pca;

/** What is subtracted from every frame before components are sought. */
public enum Centering {
  /** The mean frame, as principal components have it. */
  MEAN,
  /** Nothing: the components are the singular vectors of the frames as they are. */
  NONE
}
