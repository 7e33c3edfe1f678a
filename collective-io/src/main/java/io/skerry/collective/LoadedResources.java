package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.live.LiveWriter;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.owner.FlushedRecords;
import io.skerry.collective.view.AgreedFile;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import io.skerry.mpi.Communicator;
import java.util.Optional;

/**
 * The resources of an open file on one rank that exist only after its metadata is loaded.
 *
 * @param context the cache, threads and memory
 * @param images the reader of stored chunks
 * @param commit the commit, which performs the last stage of a flush and releases the lock of the
 *     file
 */
record LoadedResources(FileContext context, ChunkImageReader images, Commit commit) {
  /** Creates the resources. */
  static LoadedResources of(FileConnection connection, LoadedMetadata<?> loaded) {
    Communicator ranks = connection.ranks();
    ByteSource stored = loaded.stored();
    SpaceAllocator space = loaded.space();
    space.beginAtStripes(connection.options().stripe(), loaded.base());
    AgreedFile agreed = new AgreedFile(connection.file(), loaded.base());
    ChunkDirectory directory = new ChunkDirectory(ranks.rank(), ranks.size(), stored);
    ChunkImageReader images = new ChunkImageReader(agreed, connection.others().path().toString());
    Commit commit =
        new Commit(
            ranks,
            agreed,
            connection.outcome(),
            connection.others().path(),
            stored,
            connection.lock(),
            loaded.base(),
            loaded.committedEnd(),
            live(connection, loaded));
    FileContext context =
        FileContext.of(
            ranks,
            agreed,
            images,
            connection.outcome(),
            directory,
            new FlushedRecords(directory::dataset, stored),
            connection.options(),
            space,
            commit);
    return new LoadedResources(context, images, commit);
  }

  /** Creates the object that publishes the epochs of a file which other processes may follow. */
  private static Optional<LiveWriter> live(FileConnection connection, LoadedMetadata<?> loaded) {
    return connection
        .live()
        .written()
        .map(file -> {
          long end = loaded.committedEnd();
          long bytes = end == 0 ? 0 : loaded.metadata().superblock(end).bytes().byteSize();
          return new LiveWriter(
              connection.ranks(),
              connection.outcome(),
              file,
              connection.options().liveReaders().orElseThrow(),
              loaded.base(),
              loaded.stored().read(0, bytes));
        });
  }
}
