package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.format.ByteSource;
import io.skerry.format.alloc.SpaceAllocator;
import java.nio.file.Path;

/** The parts of an open file that exist once its superblock is known. */
record Engine(
    Session session,
    CollectiveWriter writer,
    CollectiveFlush flush,
    CollectiveReader reader,
    Reshaper reshaper,
    ContiguousWriter contiguous,
    MetadataSource metadata,
    Commit commit) {

  /** The parts, each knowing those it calls. */
  static Engine of(
      Path path,
      Session session,
      MetadataSource metadata,
      ByteSource stored,
      SpaceAllocator space,
      Commit commit) {
    CollectiveFlush flush = new CollectiveFlush(session, space, metadata, commit, stored);
    ImageReader images = new ImageReader(session, path.toString());
    CollectiveWriter writer = new CollectiveWriter(session, flush, images);
    return new Engine(
        session,
        writer,
        flush,
        new CollectiveReader(session, flush, images),
        new Reshaper(session, flush, writer),
        new ContiguousWriter(session, flush),
        metadata,
        commit);
  }
}
