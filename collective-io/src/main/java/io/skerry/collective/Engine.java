package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import java.util.Optional;

/** The parts of an open file that exist once its superblock is known. */
record Engine(
    Session session,
    CollectiveWriter writer,
    CollectiveFlush flush,
    CollectiveReader reader,
    Reshaper reshaper,
    Optional<Alone> alone,
    ElementReads reads,
    ContiguousWriter contiguous,
    IndependentWriter independent,
    MetadataSource metadata,
    Commit commit) {

  /** The parts, each knowing those it calls. */
  static Engine of(
      Session session,
      FileGate gate,
      ImageReader images,
      MetadataSource metadata,
      ByteSource stored,
      SpaceAllocator space,
      Commit commit) {
    CollectiveFlush flush = new CollectiveFlush(session, space, metadata, commit, stored);
    session.store().attach(flush);
    CollectiveWriter writer = new CollectiveWriter(session, flush, images);
    LocalReader local = new LocalReader(session, images);
    Optional<Alone> alone =
        session.ranks().size() == 1
            ? Optional.of(
                new Alone(gate, session.outcome(), local, new LocalWriter(session, gate, flush)))
            : Optional.empty();
    ContiguousWriter contiguous = new ContiguousWriter(session, flush);
    return new Engine(
        session,
        writer,
        flush,
        new CollectiveReader(session, flush, images),
        new Reshaper(
            session, flush, alone.<Reshaper.Writer>map(a -> a::apply).orElse(writer::write)),
        alone,
        alone.<ElementReads>map(a -> a).orElseGet(() -> new Independent(gate, local)),
        contiguous,
        new IndependentWriter(session, gate, flush, contiguous),
        metadata,
        commit);
  }
}
