package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.MultiRankPolicy;
import io.skerry.collective.core.SingleRankPolicy;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.collective.read.CollectiveReader;
import io.skerry.collective.read.IndependentReader;
import io.skerry.collective.read.SingleRankReader;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.collective.write.CollectiveWriter;
import io.skerry.collective.write.ContiguousWriter;
import io.skerry.collective.write.ExtentChanger;
import io.skerry.collective.write.IndependentWriter;
import io.skerry.collective.write.SingleRankWriter;
import io.skerry.format.block.ByteSource;
import io.skerry.parallel.WriteMode;

/** The parts of an open file that exist once its superblock is known. */
record Engine(
    FileContext session,
    CollectiveFlush flush,
    ExtentChanger reshaper,
    ChunkIo chunks,
    ContiguousWriter contiguous,
    IndependentWriter independent,
    MetadataSource metadata,
    Commit commit) {

  /**
   * Flushes that a write may ask for.
   *
   * @param entering for a caller that does not hold the gate
   * @param within for one that does
   */
  record Flushes(Runnable entering, Runnable within) {}

  /** The parts, each knowing those it calls. */
  static Engine of(
      FileContext session,
      FileGate gate,
      ChunkImageReader images,
      MetadataSource metadata,
      ByteSource stored,
      Commit commit,
      OpenState state,
      Flushes flushes) {
    HeapSpace heap = new HeapSpace(session, commit, stored, metadata.widths());
    CollectiveFlush flush = new CollectiveFlush(session, metadata, commit, heap);
    SingleRankReader local = new SingleRankReader(session, images);
    WriteMode mode = session.options().mode();
    ChunkIo chunks =
        switch (session.policy()) {
          case SingleRankPolicy _ ->
              new SingleRankIo(
                  gate,
                  session.outcome(),
                  local,
                  new SingleRankWriter(session, gate),
                  state,
                  mode,
                  flushes.entering());
          case MultiRankPolicy _ ->
              new ParallelIo(
                  gate,
                  state,
                  new CollectiveWriter(session, flush, images),
                  new CollectiveReader(session, flush, images),
                  new IndependentReader(gate, local),
                  mode,
                  flushes.within());
        };
    ContiguousWriter contiguous =
        new ContiguousWriter(
            session,
            switch (session.policy()) {
              case SingleRankPolicy _ -> ContiguousWriter.LongRuns.WRITTEN_ONE_BY_ONE;
              case MultiRankPolicy _ -> ContiguousWriter.LongRuns.WRITTEN_TOGETHER;
            });
    return new Engine(
        session,
        flush,
        new ExtentChanger(session, flush, chunks::apply),
        chunks,
        contiguous,
        new IndependentWriter(session, gate, contiguous),
        metadata,
        commit);
  }
}
