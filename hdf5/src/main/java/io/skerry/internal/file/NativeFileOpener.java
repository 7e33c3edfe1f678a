package io.skerry.internal.file;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.FileAtEpoch;
import io.skerry.collective.LoadedMetadata;
import io.skerry.collective.MetadataLoader;
import io.skerry.collective.OpenedFile;
import io.skerry.collective.live.EpochPlace;
import io.skerry.collective.step.UndoLog;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import io.skerry.format.file.FormatFile;
import io.skerry.format.superblock.Superblock;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.virtual.source.VirtualSources;
import io.skerry.internal.tree.FlushedMetadata;
import io.skerry.internal.tree.NewFile;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens HDF5 files: those that a program names, sources of virtual datasets, and targets of
 * external links.
 */
public final class NativeFileOpener {
  private NativeFileOpener() {}

  /** Opens or creates a file. Collective. */
  public static NativeFile open(
      Path path, FileAccess access, Communicator ranks, FileOptions options) {
    return opened(
        CollectiveFile.open(path, access, ranks, options, loader(access, options)), options);
  }

  /**
   * Opens a file for reading at an epoch, while another program may write it. Collective.
   *
   * @param place the epoch, equal on all ranks
   */
  public static NativeFile openAt(
      Path path, EpochPlace place, Communicator ranks, FileOptions options) {
    return opened(
        FileAtEpoch.open(path, place, ranks, options, loader(FileAccess.READ, options)), options);
  }

  private static MetadataLoader<FlushedMetadata> loader(FileAccess access, FileOptions options) {
    return access.isCreating()
        ? (source, log) -> begin(source, log, options)
        : (source, log) -> load(source, log, access, options);
  }

  /**
   * Opens a source file of a virtual dataset, on this rank only.
   *
   * @param others the name of the file to open, and the lookup of the files to which it refers
   * @param sources the sources of the virtual datasets in the file
   * @param check a check that runs once the file is open; if the check fails, the file is closed
   */
  static NativeFile openSource(
      ReferencedFiles others, FileOptions options, SourceDatasets sources, Runnable check) {
    OpenedFile<FlushedMetadata> opened =
        CollectiveFile.openWithin(
            others,
            options,
            (source, log) -> {
              check.run();
              return load(source, log, FileAccess.READ, options);
            });
    return file(opened, options, sources);
  }

  /** Opens the target file of an external link of an open file. Collective. */
  private static NativeFile openLinked(
      CollectiveFile from, ReferencedFiles.Found found, FileOptions options) {
    return opened(
        from.openLinked(
            found,
            (source, log) -> {
              from.others().confirm(found, "/");
              return load(source, log, from.access(), options);
            }),
        options);
  }

  /** Opens or creates a source file of a virtual dataset in an open file. Collective. */
  private static NativeFile openAlong(
      CollectiveFile from, ReferencedFiles.Found found, FileAccess access, FileOptions options) {
    MetadataLoader<FlushedMetadata> loader = loader(access, options);
    return opened(
        from.openAlong(
            found,
            access,
            (source, log) -> {
              from.others().confirm(found, "/");
              return loader.load(source, log);
            }),
        options);
  }

  private static NativeFile opened(OpenedFile<FlushedMetadata> opened, FileOptions options) {
    CollectiveFile collective = opened.file();
    VirtualSources sources =
        VirtualSources.of(
            collective.others(),
            options,
            NativeFileOpener::openSource,
            (found, access) -> openAlong(collective, found, access, options));
    NativeFile file = file(opened, options, sources);
    sources.belongTo(file);
    return file;
  }

  private static NativeFile file(
      OpenedFile<FlushedMetadata> opened, FileOptions options, SourceDatasets sources) {
    CollectiveFile file = opened.file();
    return new NativeFile(
        file, opened.metadata().tree(), sources, found -> openLinked(file, found, options));
  }

  /** Creates the metadata of a new file, which contains only a root group. */
  private static LoadedMetadata<FlushedMetadata> begin(
      ByteSource source, UndoLog log, FileOptions options) {
    NewFile begun = NewFile.begin(source, options.bounds().orElse(FormatBounds.V110), log);
    return new LoadedMetadata<>(
        new FlushedMetadata(begun.tree()), begun.tree().source(), begun.space(), 0, 0);
  }

  /** Reads the metadata of an existing file, including its root group. */
  private static LoadedMetadata<FlushedMetadata> load(
      ByteSource source, UndoLog log, FileAccess access, FileOptions options) throws IOException {
    FormatFile format = FormatFile.open(source);
    Superblock superblock = format.superblock();
    ObjectTree tree =
        new ObjectTree(format, options.bounds().orElseGet(() -> ObjectTree.boundsOf(format)), log);
    if (access == FileAccess.WRITE) {
      tree.checkWritable();
    }
    tree.header(tree.rootAddress());
    // A killed writer may have left an end-of-file address that is too low. The bytes beyond it may
    // be in use, so nothing is allocated there.
    long end = Math.max(superblock.endOfFile(), source.size() - superblock.baseAddress());
    return new LoadedMetadata<>(
        new FlushedMetadata(tree),
        tree.source(),
        SpaceAllocator.startingAt(end),
        superblock.baseAddress(),
        end);
  }
}
