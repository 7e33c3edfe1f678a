package io.skerry.internal.dataset;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.lang.ref.Reference;
import java.util.function.Supplier;

/** Writes and erases elements in chunks, allocates chunks, and changes the extent. Collective. */
record ChunkEditor(HdfFile file, NativeDataset dataset) {
  /**
   * Changes chunks as a request specifies.
   *
   * @param request supplies the request of this rank
   */
  void change(Operation operation, Supplier<WriteRequest> request) {
    try {
      file.collective().chunks().write(operation, dataset.location().shown(), request);
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  void erase(Selection selection) {
    if (dataset.opened() instanceof Storage.Virtual(VirtualContent content)) {
      file.gate()
          .collectively(
              Operation.ERASE,
              dataset.location().shown(),
              () -> {
                dataset.requirePresence();
                content.erase(dataset, selection);
              });
      return;
    }
    change(
        Operation.ERASE,
        () -> {
          if (!dataset.isSparse()) {
            throw new UnsupportedFeatureException(
                "erasing elements of a dense dataset", dataset.location().shown());
          }
          return WriteRequest.erasure(dataset.chunked(), selection);
        });
  }

  /**
   * Requests space for all chunks of a new dataset with early allocation. The request removes the
   * first chunk, which does not exist yet; because of this change, the next flush allocates all
   * chunks together and fills them with the fill value.
   */
  void allocate() {
    if (dataset.shape().elements() > 0) {
      Selection first = Selection.at(new long[dataset.shape().rank()]);
      change(
          Operation.WRITE,
          () -> new WriteRequest(dataset.chunked(), first, new WriteRequest.Removal()));
    }
  }

  void extendTo(long... extent) {
    try {
      file.gate().collectively(Operation.EXTEND, dataset.location().shown(), () -> reshape(extent));
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  private void reshape(long[] extent) {
    ChunkedDataset chunks = dataset.chunked();
    LostContent lost = new LostContent(file);
    file.collective()
        .chunks()
        .extend(
            chunks,
            extent,
            () -> lost.outside(chunks, dataset.fillElement(), extent),
            after -> file.tree().resizing(chunks, after));
    lost.release();
  }
}
