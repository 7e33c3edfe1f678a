package io.skerry.collective.core;

import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps other threads of this rank away from the space of the file, or from chunks, while an
 * operation needs them for itself. {@link RankPolicy} chooses the implementation. Local.
 *
 * <p>With several ranks, an operation may hold such an exclusion while it waits for other ranks. An
 * independent read that has entered the file must not wait for it: if the ranks take different
 * paths, the file is closed, and closing waits for the read.
 */
public sealed interface Quiescence permits SingleRankQuiescence, MultiRankQuiescence {
  /** Runs a body that may allocate space, and keeps the cache from allocating meanwhile. */
  <T> T holdingStores(Supplier<T> body);

  /**
   * Waits for the end of the conflicting requests of all datasets, and keeps new ones out until the
   * result is closed. With several ranks the only such requests are independent reads, which {@link
   * #quiesceReads} and {@link #withoutReads} exclude later and for a shorter time.
   *
   * @param kind the kind of request that the caller counts as
   */
  ChunkCache.Quiesced quiesce(RequestOrder.Kind kind);

  /** Does the same for a dataset whose extent changes. */
  ChunkCache.Quiesced quiesce(ChunkedDataset dataset);

  /**
   * Runs a step that changes or deletes a dataset, without independent reads of it. The step waits
   * for no other rank.
   */
  void withoutReads(ChunkedDataset dataset, Runnable step);

  /**
   * Excludes the independent reads of this rank until the result is closed. The caller agrees on
   * the status.
   *
   * @return empty if there are none, or if the exclusion failed, which the status records
   */
  Optional<ChunkCache.Quiesced> quiesceReads(LocalStatus status);
}
