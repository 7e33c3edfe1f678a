package io.skerry.collective.core;

import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.LocalStatus;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Prevents other threads of this rank from allocating file space or accessing chunks while an
 * operation requires exclusive use of them. {@link RankPolicy} chooses the implementation. Local.
 *
 * <p>With several ranks, an operation may hold such an exclusion while it waits for other ranks. An
 * independent read that has entered the file must not wait for that exclusion to end, since the two
 * could wait for each other: if the ranks call different operations, the file is closed, and
 * closing waits for the read.
 */
public sealed interface Quiescence permits SingleRankQuiescence, MultiRankQuiescence {
  /**
   * Runs an action that may allocate space, and prevents the cache from allocating space while it
   * runs.
   */
  <T> T holdingStores(Supplier<T> body);

  /**
   * Waits until the conflicting requests on all datasets have ended, and blocks new ones until the
   * result is closed. Does nothing with several ranks: the only such requests are then independent
   * reads and writes, which {@link #quiesceReads} and {@link #withoutReads} exclude later and for a
   * shorter time.
   *
   * @param kind the kind of access by the caller, which determines the conflicting requests
   */
  ChunkCache.Quiesced quiesce(RequestOrder.Kind kind);

  /**
   * Waits until all requests on a dataset whose extent is about to change have ended, and blocks
   * new ones until the result is closed. Does nothing with several ranks, like {@link
   * #quiesce(RequestOrder.Kind)}.
   */
  ChunkCache.Quiesced quiesce(ChunkedDataset dataset);

  /**
   * Runs a step that changes or deletes a dataset, excluding independent reads and writes of the
   * dataset. The step must not wait for other ranks.
   */
  void withoutReads(ChunkedDataset dataset, Runnable step);

  /**
   * Excludes the independent reads and writes of chunks on this rank until the result is closed.
   * The status records a failure, and the caller must make all ranks agree on it.
   *
   * @return the exclusion; empty if a single rank has the file open, so that there are no such
   *     accesses, or if the exclusion failed
   */
  Optional<ChunkCache.Quiesced> quiesceReads(LocalStatus status);

  /**
   * Like {@link #quiesceReads(LocalStatus)}, but excludes only accesses to the given datasets. The
   * cost of a write then does not depend on the number of open datasets.
   */
  Optional<ChunkCache.Quiesced> quiesceReads(Set<ChunkedDataset> datasets, LocalStatus status);
}
