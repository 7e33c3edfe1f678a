package io.skerry.spi;

import io.skerry.AttributeOrder;
import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.LinkOrder;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.NoSuchObjectException;
import io.skerry.ObjectCopier;
import io.skerry.Transactions;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.collective.step.LocalStatus;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Implements {@link H5File} with a {@link StoredFile} of a connector. */
final class ConnectedFile implements H5File {
  private final StoredFile stored;
  private final Communicator.RankSet ranks;
  private final int rank;

  /**
   * Creates the API object for a file of a connector.
   *
   * @param ranks the ranks that have the file open
   * @param rank the number of this rank among them
   */
  ConnectedFile(StoredFile stored, Communicator.RankSet ranks, int rank) {
    this.stored = stored;
    this.ranks = ranks;
    this.rank = rank;
  }

  /** Returns the position of this rank among the ranks that have the file open. */
  Connectors.Position position() {
    return new Connectors.Position(rank, ranks.size());
  }

  /**
   * Prepares the arguments of a collective operation.
   *
   * @param operation the operation
   * @param object the path of the object on which the operation is called; empty for the file
   * @param arguments a supplier of the arguments; if it fails on one rank, all ranks throw an
   *     exception
   */
  <T> T prepared(Operation operation, Supplier<String> object, Supplier<T> arguments) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(arguments.get()), Optional.empty());
    return result.orElseThrow(
        () -> stored.refused(operation, object.get(), status.failure().orElseThrow()));
  }

  /**
   * Checks that no argument is null; if one is null on any rank, the operation fails on all ranks.
   */
  void require(Operation operation, Object... arguments) {
    boolean unused =
        prepared(
            operation,
            () -> "",
            () -> {
              for (Object argument : arguments) {
                Objects.requireNonNull(argument, "an argument is null");
              }
              return true;
            });
  }

  @Override
  public Path path() {
    return stored.path();
  }

  @Override
  public long size() {
    return stored.size();
  }

  @Override
  public Group root() {
    return new ConnectedGroup(this, stored.root());
  }

  @Override
  public H5Object object(String path) {
    require(Operation.OPEN_OBJECT, path);
    return ConnectedObject.of(this, stored.object(path));
  }

  @Override
  public Group group(String path) {
    if (object(path) instanceof Group group) {
      return group;
    }
    throw new NoSuchObjectException("not a group", path, path().toString(), ranks);
  }

  @Override
  public Dataset dataset(String path) {
    if (object(path) instanceof Dataset dataset) {
      return dataset;
    }
    throw new NoSuchObjectException("not a dataset", path, path().toString(), ranks);
  }

  @Override
  public MapObject map(String path) {
    if (object(path) instanceof MapObject map) {
      return map;
    }
    throw new NoSuchObjectException("not a map", path, path().toString(), ranks);
  }

  @Override
  public Group createGroup(String path) {
    require(Operation.CREATE_OBJECT, path);
    return new ConnectedGroup(this, stored.createGroup(path));
  }

  @Override
  public Group createGroup(String path, LinkOrder order) {
    return createGroup(path, order, AttributeOrder.UNTRACKED);
  }

  @Override
  public Group createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    require(Operation.CREATE_OBJECT, path, order, attributes);
    return new ConnectedGroup(this, stored.createGroup(path, order, attributes));
  }

  @Override
  public NamedDatatype createDatatype(String path, Datatype type) {
    require(Operation.CREATE_OBJECT, path, type);
    return new ConnectedDatatype(this, stored.createDatatype(path, type));
  }

  @Override
  public void createHardLink(String path, String targetPath) {
    require(Operation.LINK, path, targetPath);
    stored.createHardLink(path, targetPath);
  }

  @Override
  public void unlink(String path) {
    require(Operation.UNLINK, path);
    stored.unlink(path);
  }

  @Override
  public void move(String from, String to) {
    require(Operation.MOVE, from, to);
    stored.move(from, to);
  }

  @Override
  public void copy(String from, H5File target, String to, CopyOption... options) {
    require(Operation.COPY, from, target, to);
    prepared(Operation.COPY, () -> "", () -> ObjectCopier.between(this, target, options))
        .copy(from, to);
  }

  @Override
  public void copy(String from, Group target, String name, CopyOption... options) {
    require(Operation.COPY, from, target, name);
    copy(from, target.file(), target.childPath(name), options);
  }

  @Override
  public Dataset createDataset(String path, DatasetSpec spec) {
    require(Operation.CREATE_OBJECT, path, spec);
    return new ConnectedDataset(this, stored.createDataset(path, spec));
  }

  @Override
  public MapObject createMap(String path, Datatype key, Datatype value) {
    require(Operation.CREATE_OBJECT, path, key, value);
    return new ConnectedMap(this, stored.createMap(path, key, value));
  }

  @Override
  public void createExternalLink(String path, String targetFile, String targetPath) {
    require(Operation.CREATE_OBJECT, path, targetFile, targetPath);
    stored.createExternalLink(path, targetFile, targetPath);
  }

  @Override
  public void createSoftLink(String path, String targetPath) {
    require(Operation.CREATE_OBJECT, path, targetPath);
    stored.createSoftLink(path, targetPath);
  }

  @Override
  public Value.ObjectReference reference(String path) {
    return stored.reference(path);
  }

  @Override
  public Value.RegionReference reference(String path, Selection region) {
    return stored.reference(path, region);
  }

  @Override
  public CacheOptions cacheOptions() {
    return stored.cacheOptions();
  }

  @Override
  public CacheStatistics cacheStatistics() {
    return stored.cacheStatistics();
  }

  @Override
  public void resizeCache(CacheOptions options) {
    stored.resizeCache(options);
  }

  @Override
  public Optional<TransferReport> lastTransfer() {
    return stored.lastTransfer();
  }

  @Override
  public void writeAll(List<DatasetWrite> writes) {
    stored.writeAll(
        prepared(Operation.WRITE, () -> "", () -> writes.stream().map(this::stored).toList()));
  }

  /** Converts a write that names a dataset of this file into one for its {@link StoredDataset}. */
  private StoredFile.Write stored(DatasetWrite write) {
    Objects.requireNonNull(write.selection(), "the selection is null");
    Objects.requireNonNull(write.content(), "the content is null");
    if (!write.dataset().file().equals(this)) {
      throw new IllegalArgumentException(
          "a dataset of another file: dataset="
              + write.dataset().path()
              + " its file="
              + write.dataset().file().path()
              + " this file="
              + path());
    }
    if (write.dataset() instanceof ConnectedDataset dataset) {
      return dataset.stored(write);
    }
    throw new IllegalArgumentException("not a dataset of a connector: " + write.dataset().path());
  }

  @Override
  public void flush() {
    stored.flush();
  }

  @Override
  public Transactions transactions() {
    return stored.transactions();
  }

  @Override
  public H5File openVersion(Transactions.Version version) {
    require(Operation.TRANSACTION, version);
    return new ConnectedFile(stored.openVersion(version), ranks, rank);
  }

  @Override
  public void close() {
    stored.close();
  }

  @Override
  public void discard() {
    stored.discard();
  }

  @Override
  public Contents contents() {
    return stored.contents();
  }

  /**
   * Returns true for every API object of the same open file; each object that is opened through an
   * external link may create another one.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof ConnectedFile file && file.stored.equals(stored);
  }

  @Override
  public int hashCode() {
    return stored.hashCode();
  }

  /** Returns the file of the connector. */
  StoredFile stored() {
    return stored;
  }

  /**
   * Returns the file that contains an object: this file, or another file if an external link led to
   * the object.
   *
   * @param found the connector's file that contains the object
   */
  ConnectedFile owning(StoredFile found) {
    return found.equals(stored) ? this : new ConnectedFile(found, ranks, rank);
  }
}
