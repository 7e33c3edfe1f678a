package io.skerry.internal.copy.element;

import io.skerry.internal.dataset.NativeDataset;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Performs this rank's share of copying the elements of one dataset: reads elements in rounds and
 * prepares them for the copy with a {@link HeapTransfer}.
 */
final class RankShare {
  /**
   * If a transfer changes the elements of a dataset, and the elements occupy at most this number of
   * bytes, every rank transfers all elements; otherwise, the ranks divide them among themselves.
   */
  private static final long FEW_BYTES = 1 << 16;

  private final NativeDataset dataset;
  private final HeapTransfer transfer;
  private final Communicator ranks;
  private final boolean alike;

  RankShare(NativeDataset dataset, HeapTransfer transfer, Communicator ranks) {
    this.dataset = dataset;
    this.transfer = transfer;
    this.ranks = ranks;
    this.alike =
        transfer.isNeeded() && dataset.shape().elements() <= FEW_BYTES / dataset.datatype().size();
  }

  /** Returns the rounds in which this rank reads its elements. */
  CopyRounds rounds() {
    return new CopyRounds(
        dataset,
        alike ? CopyRounds.Share.EVERYTHING : new CopyRounds.Share(ranks.rank(), ranks.size()));
  }

  /**
   * Returns whether this rank writes the elements that it reads. If every rank reads all elements,
   * only rank 0 writes them.
   */
  boolean isMine() {
    return !alike || ranks.rank() == 0;
  }

  /**
   * Reads the given elements. Collective.
   *
   * @return a supplier of the elements as the copy stores them, which is local and may fail
   */
  Supplier<MemorySegment> read(Selection selection) {
    StoredElements elements = dataset.readElements(selection);
    return alike ? transfer.alike(elements) : transfer.own(elements);
  }
}
