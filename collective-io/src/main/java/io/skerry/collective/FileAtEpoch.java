package io.skerry.collective;

import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.live.EpochPlace;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import java.util.Optional;

/** Opens files at an epoch, while another program may write them. */
public final class FileAtEpoch {
  private FileAtEpoch() {}

  /**
   * Opens a file for reading at an epoch on all ranks. No lock is taken, and an interrupted commit
   * is left as it is. Collective.
   *
   * @param place the epoch, equal on all ranks
   * @param loader the loader that reads the metadata
   * @throws CollectiveException on all ranks if any rank cannot open the file; with an {@link
   *     io.skerry.parallel.EpochExpiredException} as its cause if the epoch is no longer kept
   */
  public static <M extends MetadataSource> OpenedFile<M> open(
      Path path,
      EpochPlace place,
      Communicator parent,
      FileOptions options,
      MetadataLoader<M> loader) {
    return FileOpening.open(
        ReferencedFiles.of(path, options.trust()),
        FileAccess.READ,
        Optional.of(place),
        parent,
        options,
        loader);
  }
}
