package io.skerry.collective;

import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.step.LocalStatus;
import io.skerry.mpi.Reduction;
import java.util.ArrayList;
import java.util.List;

/**
 * Releases the state of datasets that are no longer in use on any rank: index shares, cached chunks
 * and chunk owners. A program can therefore open or create any number of datasets one after
 * another.
 *
 * <p>The ranks agree on the datasets to release, since an operation on a dataset needs its state on
 * all ranks. All ranks open datasets in the same steps, so all of them call this class at the same
 * point and have registered the same datasets. A dataset is in use as long as it is reachable or
 * has unflushed changes on any rank.
 */
final class UnusedDatasets {
  /** The number of datasets below which a search for unused datasets is not worthwhile. */
  private static final int FEW = 1024;

  private final FileContext context;
  private final MetadataSource metadata;
  private int most = FEW;

  UnusedDatasets(FileContext context, MetadataSource metadata) {
    this.context = context;
    this.metadata = metadata;
  }

  /**
   * Releases the unused datasets if there are at least 1,024 datasets and at least twice as many as
   * there were after the last search for unused datasets. Collective; the caller must hold the
   * gate.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if a rank fails; in this case,
   *     either all ranks release all unused datasets, or no rank releases any
   */
  void release() {
    if (context.directory().size() < most) {
      return;
    }
    LocalStatus status = new LocalStatus();
    List<ChunkedDataset> datasets = new ArrayList<>();
    int words = Math.ceilDiv(context.directory().size(), Long.SIZE);
    // The last word is nonzero if this rank has failed.
    long[] used = new long[words + 1];
    status.attempt(() -> {
      context.directory().datasets().forEach(datasets::add);
      for (int i = 0; i < datasets.size(); i++) {
        used[i / Long.SIZE] |= datasets.get(i).isUnused() ? 0 : 1L << i % Long.SIZE;
      }
    });
    used[words] = status.isGood() ? 0 : 1;
    long[] anywhere = context.ranks().allReduce(used, Reduction.BIT_OR);
    if (anywhere[words] == 0) {
      for (int i = 0; i < datasets.size(); i++) {
        if ((anywhere[i / Long.SIZE] >>> i % Long.SIZE & 1) == 0) {
          release(datasets.get(i), status);
        }
      }
      most = Math.max(FEW, 2 * context.directory().size());
    }
    var unused = context.outcome().agree(status);
  }

  /** Releases a dataset, even after a failure, so that all ranks keep the same datasets. */
  private void release(ChunkedDataset dataset, LocalStatus status) {
    status.attemptAll(
        () -> context.directory().drop(dataset),
        () -> context.chunks().forget(dataset.id()),
        () -> context.store().forget(dataset.id()),
        () -> metadata.released(dataset),
        dataset::delete);
  }
}
