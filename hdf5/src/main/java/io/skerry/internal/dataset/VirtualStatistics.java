package io.skerry.internal.dataset;

import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;

/** Computes the statistics of a virtual dataset, which occupies no space for elements. */
record VirtualStatistics(NativeDataset dataset) {
  /** Computes the statistics. Collective. */
  StorageStatistics compute() {
    return StorageStatistics.flat(
        new StorageInfo.Usage(0, 0, 0), dataset.elements(), definedInSources());
  }

  /** Returns the number of defined elements; 0 if the policy refuses a source. */
  private long definedInSources() {
    try {
      return dataset.isNull() ? 0 : dataset.defined(Selection.all()).count(dataset.shape());
    } catch (CollectiveException e) {
      if (e.getCause() instanceof UntrustedFileException) {
        return 0;
      }
      throw e;
    }
  }
}
