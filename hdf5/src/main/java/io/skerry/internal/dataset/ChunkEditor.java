package io.skerry.internal.dataset;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Writes elements in chunks, erases elements of sparse and virtual datasets, allocates chunks, and
 * changes the extent. Collective.
 */
record ChunkEditor(HdfFile file, NativeDataset dataset) {
  /**
   * Changes chunks as a request specifies.
   *
   * @param request a supplier of the request of this rank
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
    if (dataset.opened() instanceof Storage.Virtual(VirtualContent content)) {
      Shape changed =
          file.collective()
              .steps()
              .together(
                  Operation.EXTEND,
                  dataset.location().shown(),
                  Arrays.toString(extent),
                  () -> reshaped(content, extent));
      dataset.resized(changed);
      return;
    }
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

  /** Changes the stored extent of a virtual dataset; its sources remain as they are. */
  private Shape reshaped(VirtualContent content, long[] extent) {
    dataset.requirePresence();
    Shape stored = dataset.header().require(DataspaceMessage.class).shape();
    Shape changed = content.resized(stored.withExtent(extent));
    file.tree().replace(dataset.address(), DataspaceMessage.of(changed));
    return changed;
  }
}
