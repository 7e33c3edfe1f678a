package io.skerry.collective;

import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.live.EpochPlace;
import io.skerry.collective.live.LiveConnection;
import io.skerry.collective.step.CollectiveSteps;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.MetadataBroadcast;
import io.skerry.collective.step.UndoLog;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.ByteSource;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.parallel.Trust;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Opens a file: all ranks open it for access to its bytes, load its metadata in one step, and
 * create the parts that operate on it. If any rank fails, the file is closed again on all ranks.
 */
final class FileOpening {
  private final FileConnection connection;
  private final FileGate gate;
  private final CollectiveSteps steps;
  private final FileResources resources;
  private final OpenState state;

  private FileOpening(
      FileConnection connection, FileGate gate, UndoLog log, MetadataBroadcast reads) {
    this.connection = connection;
    this.gate = gate;
    this.steps = new CollectiveSteps(connection.ranks(), connection.outcome(), log, reads);
    this.resources = new FileResources(connection, gate);
    this.state = new OpenState(connection, gate, resources);
  }

  /**
   * Opens a file. Collective.
   *
   * @param others the path of the file to open, and the lookup of the other files that it refers to
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  static <M extends MetadataSource> OpenedFile<M> open(
      ReferencedFiles others,
      FileAccess access,
      Communicator parent,
      FileOptions options,
      MetadataLoader<M> loader) {
    return open(others, access, Optional.empty(), parent, options, loader);
  }

  /**
   * Opens a file. Collective.
   *
   * @param others the path of the file to open, and the lookup of the other files that it refers to
   * @param epoch the epoch at which a file is read that another program may write; empty for a file
   *     that is opened in the usual way
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  static <M extends MetadataSource> OpenedFile<M> open(
      ReferencedFiles others,
      FileAccess access,
      Optional<EpochPlace> epoch,
      Communicator parent,
      FileOptions options,
      MetadataLoader<M> loader) {
    FileConnection connection =
        FileConnection.open(
            others,
            access,
            epoch,
            new Watchdog(parent.rank(), System.err),
            parent.callOrder(),
            parent,
            options);
    return load(connection, loader);
  }

  /**
   * Opens a file for reading on this rank only, within an operation on another file. If an
   * operation on the opened file hangs, only the enclosing operation on the other file is reported.
   *
   * @param others the path of the file to open, and the lookup of the other files that it refers to
   */
  static <M extends MetadataSource> OpenedFile<M> openWithin(
      ReferencedFiles others, FileOptions options, MetadataLoader<M> loader) {
    Communicator alone = Communicator.self();
    FileConnection connection =
        FileConnection.open(
            others,
            FileAccess.READ,
            Optional.empty(),
            Watchdog.nested(alone.rank(), System.err),
            alone.callOrder(),
            alone,
            options);
    return load(connection, loader);
  }

  /**
   * Loads the metadata of a file that is open for access to its bytes. If any rank fails, the
   * connection is closed on all ranks. Collective.
   *
   * @throws CollectiveException on all ranks if any rank cannot load the metadata
   */
  static <M extends MetadataSource> OpenedFile<M> load(
      FileConnection connection, MetadataLoader<M> loader) {
    FileGate gate = new FileGate(connection.outcome().owner());
    MetadataBroadcast reads = MetadataBroadcast.among(connection.ranks());
    return new FileOpening(connection, gate, new UndoLog(), reads).load(loader);
  }

  /**
   * Opens a file that an external link in an open file names, with the same ranks, access and
   * options. The two files share the lock of their gates and the broadcast of metadata reads, and
   * steps on the open file may change the linked file. Collective.
   *
   * @param others the path of the file to open, and the lookup of the other files that it refers to
   * @param steps the steps on the open file
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  static <M extends MetadataSource> OpenedFile<M> openLinked(
      ReferencedFiles others,
      FileConnection from,
      FileGate gate,
      CollectiveSteps steps,
      MetadataLoader<M> loader) {
    FileConnection connection =
        FileConnection.open(
            others,
            from.access(),
            Optional.empty(),
            new Watchdog(from.ranks().rank(), System.err),
            from.outcome().order().another(),
            from.ranks(),
            from.options());
    FileGate shared = gate.sharedWith(connection.outcome().owner());
    return new FileOpening(connection, shared, steps.log().joined(), steps.reads()).load(loader);
  }

  /**
   * Opens or creates a file, with the ranks and options of an open file, within an operation on
   * that file. Collective.
   *
   * @param others the path of the file to open, and the lookup of the other files that it refers to
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  static <M extends MetadataSource> OpenedFile<M> openAlong(
      ReferencedFiles others, FileAccess access, FileConnection from, MetadataLoader<M> loader) {
    FileConnection connection =
        FileConnection.open(
            others,
            access,
            Optional.empty(),
            new Watchdog(from.ranks().rank(), System.err),
            from.outcome().order().another(),
            from.ranks(),
            from.options());
    return load(connection, loader);
  }

  private <M extends MetadataSource> OpenedFile<M> load(MetadataLoader<M> loader) {
    connection.outcome().onMismatch(resources::release);
    connection.outcome().onRankLeft(resources::releaseAlone);
    boolean ready = false;
    try {
      OpenedFile<M> opened =
          gate.collectively(
              Operation.OPEN_FILE,
              "",
              () ->
                  steps.take(
                      Operation.OPEN_FILE,
                      "",
                      form(connection.options()),
                      () -> true,
                      _ -> {
                        LiveConnection.check(connection.file());
                        ByteSource source =
                            FileBytes.source(connection.file(), connection.access(), steps.reads());
                        LoadedMetadata<M> loaded = loader.load(source, steps.log());
                        return new OpenedFile<>(file(loaded), loaded.metadata());
                      }));
      ready = true;
      return opened;
    } finally {
      if (!ready) {
        new FileClosing(gate, state, resources, connection.outcome(), _ -> {}).discard(() -> {});
      }
    }
  }

  /**
   * Describes options that must be equal on all ranks. {@link FileConnection#open} has already
   * compared the trust policy and the options of virtual datasets.
   */
  private static String form(FileOptions options) {
    return options.bounds().map(FormatBounds::name).orElse("")
        + " "
        + options.mode()
        + (options.trust() == Trust.ALL ? "" : " " + options.trust())
        + (options.hints().isEmpty() ? "" : " " + new TreeMap<>(options.hints()));
  }

  private CollectiveFile file(LoadedMetadata<?> loaded) {
    LoadedResources added = LoadedResources.of(connection, loaded);
    resources.add(added);
    FileParts parts = FileParts.of(connection, gate, state, steps, added, loaded);
    FileClosing closing =
        new FileClosing(gate, state, resources, connection.outcome(), parts.flush()::store);
    return new CollectiveFile(connection, gate, steps, state, parts, closing);
  }
}
