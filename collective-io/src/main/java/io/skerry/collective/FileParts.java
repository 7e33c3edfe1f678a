package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.MultiRankPolicy;
import io.skerry.collective.core.SingleRankPolicy;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.collective.step.CollectiveSteps;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.collective.write.ContiguousWriter;
import io.skerry.collective.write.DirectChunkWriter;
import io.skerry.collective.write.IndependentWriter;

/**
 * The parts that perform the operations on an open file. They are created after the metadata is
 * loaded; this class chooses the parts that depend on the number of ranks.
 *
 * @param context the state that the parts share
 * @param heap the global heap for variable-length data
 * @param versions the stored and unstored versions of chunks
 * @param io the reads and writes of elements, for a single rank or for several ranks
 * @param steps the steps that all ranks perform in the same way
 * @param datasets the registered chunked datasets
 * @param chunks the reads and writes of chunked datasets
 * @param blocks the writes of contiguous datasets and blocks
 * @param bytes the reads of the file that are independent of other ranks
 * @param flush the flush, which stores all changes
 */
record FileParts(
    FileContext context,
    HeapSpace heap,
    ChunkVersions versions,
    ChunkIo io,
    FileSteps steps,
    DatasetRegistry datasets,
    RawChunks chunks,
    RawBlocks blocks,
    FileBytes bytes,
    FileFlush flush) {

  /** The choices that depend on the number of ranks. */
  private record Choice(ChunkIo io, ContiguousWriter.Calls calls) {}

  /** Creates the parts, and connects each of them to the parts that it calls. */
  static FileParts of(
      FileConnection connection,
      FileGate gate,
      OpenState state,
      CollectiveSteps collectiveSteps,
      LoadedResources resources,
      LoadedMetadata<?> loaded) {
    FileContext context = resources.context();
    ChunkImageReader images = resources.images();
    Commit commit = resources.commit();
    HeapSpace heap = new HeapSpace(context, commit, loaded.stored(), loaded.metadata().widths());
    CollectiveFlush collectiveFlush = new CollectiveFlush(context, loaded.metadata(), commit, heap);
    FileFlush flush = new FileFlush(gate, state, context, collectiveFlush);
    UnusedDatasets unused = new UnusedDatasets(context, loaded.metadata());
    FileSteps steps = new FileSteps(gate, state, collectiveSteps, context, unused, flush);
    Choice choice =
        switch (context.policy()) {
          case SingleRankPolicy _ ->
              new Choice(
                  new SingleRankIo(context, gate, state, images, flush::run),
                  ContiguousWriter.Calls.INDEPENDENT);
          case MultiRankPolicy _ ->
              new Choice(
                  new ParallelIo(
                      context, gate, state, steps, collectiveFlush, images, flush::runInside),
                  ContiguousWriter.Calls.COLLECTIVE);
        };
    ContiguousWriter contiguous = new ContiguousWriter(context, choice.calls());
    IndependentWriter independent = new IndependentWriter(context, gate, contiguous);
    ExtentSteps extents = new ExtentSteps(steps, context, collectiveFlush, choice.io());
    NewSpaceWriter newSpace = new NewSpaceWriter(steps, context);
    RawChunks chunks =
        new RawChunks(
            gate,
            state,
            context,
            newSpace,
            choice.io(),
            independent,
            new DirectChunkWriter(context, collectiveFlush),
            extents);
    return new FileParts(
        context,
        heap,
        new ChunkVersions(context, loaded.stored()),
        choice.io(),
        steps,
        new DatasetRegistry(gate, steps, context),
        chunks,
        new RawBlocks(state, steps, commit, newSpace, contiguous, independent),
        new FileBytes(connection.file(), context.workers()),
        flush);
  }
}
