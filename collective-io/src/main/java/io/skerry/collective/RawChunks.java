package io.skerry.collective;

import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.core.ChunkPublication;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.write.DirectChunkWriter;
import io.skerry.collective.write.IndependentWriter;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads and writes chunked datasets of an open file, element by element or chunk by chunk. */
public final class RawChunks {
  private final FileGate gate;
  private final OpenState state;
  private final FileContext context;
  private final NewSpaceWriter newSpace;
  private final ChunkIo io;
  private final IndependentWriter independent;
  private final DirectChunkWriter direct;
  private final ExtentSteps extents;

  /**
   * Creates the object that accesses the chunked datasets of an open file.
   *
   * @param io the reads and writes of elements, for a single rank or for several ranks
   */
  RawChunks(
      FileGate gate,
      OpenState state,
      FileContext context,
      NewSpaceWriter newSpace,
      ChunkIo io,
      IndependentWriter independent,
      DirectChunkWriter direct,
      ExtentSteps extents) {
    this.gate = gate;
    this.state = state;
    this.context = context;
    this.newSpace = newSpace;
    this.io = io;
    this.independent = independent;
    this.direct = direct;
    this.extents = extents;
  }

  /**
   * Applies one request from each rank. Collective.
   *
   * @param subject the name of the dataset, for messages
   * @param request a supplier of the request of this rank; if it fails on one rank, the write fails
   *     on all ranks
   */
  public void write(Operation operation, String subject, Supplier<WriteRequest> request) {
    writeAll(operation, subject, () -> List.of(request.get()));
  }

  /**
   * Applies any number of requests from each rank, to any number of datasets. Collective.
   *
   * @param subject the names of the datasets, for messages; equal on all ranks
   * @param requests a supplier of the requests of this rank; if it fails on one rank, the write
   *     fails on all ranks
   */
  public void writeAll(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    state.checkWritable();
    io.write(operation, subject, requests);
  }

  /**
   * Writes elements directly into stored chunks of a file that several ranks have open. Local; any
   * thread.
   *
   * @throws IllegalStateException if the file cannot be changed, or if a chunk cannot be written
   *     independently; in these cases, nothing is written
   */
  public void writeIndependently(ChunkedDataset dataset, Supplier<WriteRequest> request) {
    state.checkWritable();
    independent.write(dataset, request);
  }

  /**
   * Reads the selected values; each rank has its own selection. Collective.
   *
   * @param target a supplier of the memory to fill; if it fails on one rank, the read fails on all
   *     ranks
   */
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    state.checkOpen();
    io.read(dataset, selection, target);
  }

  /**
   * Reads the selected elements with their variable-length content, from a dataset whose chunks
   * store both; each rank has its own selection. Collective.
   */
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    state.checkOpen();
    return io.readContent(dataset, selection);
  }

  /** Returns the defined elements of a selection; each rank has its own selection. Collective. */
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    state.checkOpen();
    return io.defined(dataset, selection);
  }

  /** Returns the read operations that involve no other rank. Local; any thread. */
  public ElementReads independent() {
    state.checkOpen();
    return io.independent();
  }

  /**
   * Stores encoded chunks of a dataset that has not been written to, bypassing the chunk cache;
   * each rank has its own chunks. The chunks become part of the file with the next flush, provided
   * that the metadata has also changed by then; otherwise, that flush may find nothing to store.
   * Collective.
   *
   * @param images a supplier of this rank's images of chunks that are not stored yet; if it fails
   *     on one rank, the step fails on all ranks
   */
  public void storeChunks(
      ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    newSpace.write(
        dataset.name(),
        "(new encoded chunks)",
        () -> {
          context.changes().change(dataset);
          return images.get();
        },
        Map.<ChunkCoordinates, ChunkImage>of(),
        (mine, status) -> new ChunkPublication(context).publishNew(dataset, mine, status));
  }

  /**
   * Stores encoded images as the new contents of chunks. The images bypass the chunk cache, except
   * that an image for a chunk at a fixed address becomes a dirty chunk in the cache. Each rank
   * passes its own images; if several ranks pass an image of the same chunk, that of the highest
   * rank is stored. Earlier changes are flushed first. The replacement is durable after the next
   * flush. Collective.
   *
   * @param images a supplier of the images of this rank
   * @throws CollectiveException on all ranks if an image of any rank cannot be stored, for example
   *     because it is not a valid chunk of the dataset; in this case, no chunk has changed
   */
  public void replaceChunks(
      ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    gate.collectively(
        Operation.WRITE,
        dataset.name(),
        () -> {
          state.checkWritable();
          try (var _ = context.quiescence().quiesce(RequestOrder.Kind.WRITE)) {
            direct.replace(dataset, images);
          }
        });
  }

  /**
   * Changes the extent of a dataset; the new extent is equal on all ranks. Elements outside a
   * smaller extent are removed: if the dataset grows again, they are read as the fill value, and in
   * a sparse dataset they are undefined. Collective.
   *
   * @param before the action that reads the chunks after all of them are stored and before any of
   *     them is changed; not called if no chunk can change; if it fails on one rank, the change
   *     fails on all ranks
   * @param recording a function that returns the action that stores the new extent in the metadata;
   *     called before any chunk is changed, and reads everything that the action needs, so that the
   *     action itself does not fail; if it fails on one rank, the change fails on all ranks
   * @throws CollectiveException on all ranks if the extents differ between the ranks, if the extent
   *     is not valid for the dataset, or if a rank failed
   */
  public void extend(
      ChunkedDataset dataset, long[] extent, Runnable before, Function<Shape, Runnable> recording) {
    gate.collectively(
        Operation.EXTEND,
        dataset.name(),
        () -> {
          state.checkWritable();
          extents.change(dataset, extent, before, recording);
        });
  }
}
