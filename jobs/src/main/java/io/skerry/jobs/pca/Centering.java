package io.skerry.jobs.pca;

import java.util.Locale;

/** The frame that is subtracted from every frame before the components are computed. */
public enum Centering {
  /** The mean frame, as in the definition of principal components. */
  MEAN,
  /**
   * No frame. The components are the right singular vectors of the matrix whose rows are the
   * frames.
   */
  NONE;

  /** Returns the name of the option value as it appears in reports and files. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
