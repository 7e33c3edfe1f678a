package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ElementReads;
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
import java.util.Optional;

/** The parts of an open file that exist once its superblock is known. */
record Engine(
    FileContext session,
    CollectiveWriter writer,
    CollectiveFlush flush,
    CollectiveReader reader,
    ExtentChanger reshaper,
    Optional<SingleRankIo> alone,
    ElementReads reads,
    ContiguousWriter contiguous,
    IndependentWriter independent,
    MetadataSource metadata,
    Commit commit) {

  /** The parts, each knowing those it calls. */
  static Engine of(
      FileContext session,
      FileGate gate,
      ChunkImageReader images,
      MetadataSource metadata,
      ByteSource stored,
      Commit commit) {
    HeapSpace heap = new HeapSpace(session, commit, stored, metadata.widths());
    CollectiveFlush flush = new CollectiveFlush(session, metadata, commit, heap);
    CollectiveWriter writer = new CollectiveWriter(session, flush, images);
    SingleRankReader local = new SingleRankReader(session, images);
    Optional<SingleRankIo> alone =
        session.ranks().size() == 1
            ? Optional.of(
                new SingleRankIo(
                    gate, session.outcome(), local, new SingleRankWriter(session, gate)))
            : Optional.empty();
    ContiguousWriter contiguous = new ContiguousWriter(session);
    return new Engine(
        session,
        writer,
        flush,
        new CollectiveReader(session, flush, images),
        new ExtentChanger(
            session, flush, alone.<ExtentChanger.Writer>map(a -> a::apply).orElse(writer::write)),
        alone,
        alone.<ElementReads>map(a -> a).orElseGet(() -> new IndependentReader(gate, local)),
        contiguous,
        new IndependentWriter(session, gate, contiguous),
        metadata,
        commit);
  }
}
