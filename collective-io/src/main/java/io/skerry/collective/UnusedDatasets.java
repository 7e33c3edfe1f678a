package io.skerry.collective;

import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.mpi.Reduction;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives up what the ranks keep of datasets that no rank has open any more: their share of the
 * index, their place in the cache, their owners. A session may open or create any number of
 * datasets, one after the other.
 *
 * <p>The ranks agree on it, since an operation of one rank on a dataset needs the others to know
 * it. They open datasets in the same way, so all come here at the same time and with the same ones
 * open; a dataset is in use as long as the garbage collector of any rank finds it in use.
 */
final class UnusedDatasets {
  /** Datasets below which there is nothing to gain. */
  private static final int FEW = 1024;

  private int most = FEW;

  /**
   * Looks for unused datasets if there are many more than were left the last time. Collective, by
   * the thread that has the file for itself.
   */
  void release(Engine parts) {
    FileContext session = parts.session();
    if (session.directory().size() < most) {
      return;
    }
    List<ChunkedDataset> datasets = new ArrayList<>();
    session.directory().datasets().forEach(datasets::add);
    long[] used = new long[Math.ceilDiv(datasets.size(), Long.SIZE)];
    for (int i = 0; i < datasets.size(); i++) {
      used[i / Long.SIZE] |= datasets.get(i).isUnused() ? 0 : 1L << i % Long.SIZE;
    }
    long[] anywhere = session.ranks().allReduce(used, Reduction.BIT_OR);
    for (int i = 0; i < datasets.size(); i++) {
      if ((anywhere[i / Long.SIZE] >>> i % Long.SIZE & 1) == 0) {
        release(parts, datasets.get(i));
      }
    }
    most = Math.max(FEW, 2 * session.directory().size());
  }

  private static void release(Engine parts, ChunkedDataset dataset) {
    FileContext session = parts.session();
    session.cache().forget(dataset.id());
    session.store().forget(dataset.id());
    session.directory().drop(dataset);
    parts.metadata().released(dataset);
    dataset.delete();
  }
}
