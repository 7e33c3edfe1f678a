package io.skerry.iod.connector;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.NoSuchObjectException;
import io.skerry.Transactions;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.connector.path.LinkEditor;
import io.skerry.iod.connector.path.PathResolver;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.connector.store.Step;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.connector.tile.TileCache;
import io.skerry.iod.connector.tile.TileMemory;
import io.skerry.iod.connector.value.ContainerContents;
import io.skerry.iod.connector.value.ObjectAddress;
import io.skerry.iod.encoding.property.CreationLists;
import io.skerry.iod.encoding.property.CreationOrder;
import io.skerry.iod.object.KeyPlacement;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.CommittedDatatype;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.MapTypes;
import io.skerry.iod.object.model.ObjectKind;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredDataset;
import io.skerry.spi.StoredDatatype;
import io.skerry.spi.StoredFile;
import io.skerry.spi.StoredGroup;
import io.skerry.spi.StoredObject;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** A file in a container. The session states which threads may use it. */
final class IodFile implements StoredFile {
  private final Session session;
  private final ContainerContents contents;
  private final TileMemory memory = new TileMemory();
  private final OpenDatasets datasets = new OpenDatasets(memory);
  private final ObjectId root;
  private final FileOptions options;
  private final TileCache tiles;
  private volatile CacheOptions cache;
  private final WorkerPool workers;

  /**
   * Creates access to an open container.
   *
   * @param root the root group
   * @param options the options, of which the number of workers and the quiescent limit of the chunk
   *     cache are used
   */
  IodFile(Session session, ObjectId root, FileOptions options) {
    this.session = session;
    this.contents = new ContainerContents(session);
    this.root = root;
    this.options = options;
    this.cache = options.cache();
    this.tiles = new TileCache(options.cache());
    this.workers = new WorkerPool(options.workers());
    session.transactions().onAbort(datasets::restore);
  }

  /**
   * Returns the threads that read and decode tiles; empty if I/O ranks read the tiles, because only
   * the thread that opened the file has access to these ranks. Does not fail.
   */
  Optional<WorkerPool> workers() {
    return Optional.of(workers).filter(_ -> !session.isConfined());
  }

  TileCache tileCache() {
    return tiles;
  }

  Session session() {
    return session;
  }

  /** Returns the path of the file, for messages. */
  String name() {
    return session.path().toString();
  }

  @Override
  public Path path() {
    return session.path();
  }

  @Override
  public long size() {
    return session.bytes();
  }

  @Override
  public StoredGroup root() {
    return new IodGroup(this, ObjectPath.ROOT, root);
  }

  @Override
  public StoredObject object(String path) {
    try {
      return session.read(Operation.OPEN_OBJECT, path, values -> resolved(values, path));
    } catch (CollectiveException e) {
      if (e.getCause() instanceof NoSuchObjectException missing) {
        throw missing;
      }
      throw e;
    }
  }

  private StoredObject resolved(Values values, String path) {
    var object = resolver(values).resolve(path);
    return opened(values, ObjectPath.of(PathResolver.absolute(path)), object);
  }

  /**
   * Opens an object.
   *
   * @param location the path of the object
   * @throws io.skerry.exception.FormatException if there is no such object, or it is damaged
   * @throws UnsupportedFeatureException if it is an attribute
   */
  StoredObject open(Values values, ObjectPath location, ObjectId id) {
    return opened(values, location, io.skerry.iod.object.model.StoredObject.open(values, id));
  }

  private StoredObject opened(
      Values values, ObjectPath location, io.skerry.iod.object.model.StoredObject object) {
    return switch (object.kind()) {
      case GROUP -> new IodGroup(this, location, object.id());
      case DATASET -> new IodDataset(this, location, datasets.of(object, values));
      case DATATYPE ->
          new IodDatatype(this, location, object.id(), CommittedDatatype.read(object, values));
      case MAP -> IodMap.of(this, location, object.id(), MapTypes.read(object.metadata(values)));
      case ATTRIBUTE ->
          throw new UnsupportedFeatureException("link to an attribute", location.shown());
    };
  }

  /**
   * Returns an object that was opened before.
   *
   * @throws IllegalStateException if it has been deleted
   */
  io.skerry.iod.object.model.StoredObject present(Values values, ObjectPath location, ObjectId id) {
    if (io.skerry.iod.object.model.StoredObject.findPad(values, id).isEmpty()) {
      throw new IllegalStateException(
          "the object was deleted: object=" + location.shown() + " file=" + name());
    }
    return io.skerry.iod.object.model.StoredObject.open(values, id);
  }

  PathResolver resolver(Values values) {
    return new PathResolver(values, name(), session.ranks());
  }

  private <T> T create(
      String path,
      String arguments,
      Function<Step, ObjectId> change,
      BiFunction<Values, ObjectId, T> result) {
    return session.lead(
        Operation.CREATE_OBJECT,
        path,
        arguments,
        step -> change.apply(step).bits(),
        (values, bits) -> result.apply(values, new ObjectId(bits)));
  }

  private void edit(
      Operation operation, String path, String arguments, Consumer<LinkEditor> change) {
    session.lead(operation, path, arguments, step -> change.accept(links(step)));
  }

  private LinkEditor links(Step step) {
    return new LinkEditor(step, name());
  }

  private static ObjectPath location(String path) {
    return ObjectPath.of(PathResolver.absolute(path));
  }

  private IodGroup group(String path, ObjectId id) {
    return new IodGroup(this, location(path), id);
  }

  @Override
  public StoredGroup createGroup(String path) {
    return create(path, "group", step -> links(step).group(path).id(), (_, id) -> group(path, id));
  }

  @Override
  public StoredGroup createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    return create(
        path,
        "group links=" + order + " attributes=" + attributes,
        step -> links(step).newGroup(path, order, attributes).id(),
        (_, id) -> group(path, id));
  }

  @Override
  public StoredDatatype createDatatype(String path, Datatype type) {
    return create(
        path,
        "datatype " + type,
        step -> {
          ObjectId id =
              step.creator().datatype(type, CreationLists.datatype(CreationOrder.UNTRACKED)).id();
          links(step).add(path, new Link.Hard(id));
          return id;
        },
        (_, id) -> new IodDatatype(this, location(path), id, type));
  }

  /**
   * {@inheritDoc}
   *
   * <p>The allocation time has no effect: tiles are stored when they are written.
   */
  @Override
  public StoredDataset createDataset(String path, DatasetSpec spec) {
    return create(
        path,
        spec.describe(),
        step -> {
          Optional<ObjectId> type = spec.committed().map(shared -> shared(step, shared, spec));
          var dataset = step.creator().dataset(spec, type);
          links(step).add(path, new Link.Hard(dataset.id()));
          OpenDatasets.State state = datasets.created(dataset, step.changes());
          if (spec.shape().rank() > 0) {
            ChunkGrid grid = state.layout().grid();
            grid.requireWholeChunks(spec.shape());
            grid.requireWithin(spec.shape());
          }
          return dataset.id();
        },
        (values, id) ->
            new IodDataset(
                this,
                location(path),
                datasets.of(io.skerry.iod.object.model.StoredObject.open(values, id), values)));
  }

  @Override
  public StoredObject.StoredMap createMap(String path, Datatype key, Datatype value) {
    return create(
        path,
        "map keys=" + key + " values=" + value,
        step -> {
          ObjectId id =
              step.creator()
                  .map(key, value, KeyPlacement.SPREAD, CreationLists.map(CreationOrder.UNTRACKED))
                  .id();
          links(step).add(path, new Link.Hard(id));
          return id;
        },
        (_, id) -> IodMap.of(this, location(path), id, new MapTypes(key, value)));
  }

  private ObjectId shared(Step step, String typePath, DatasetSpec spec) {
    ObjectId id = resolver(step.changes()).hard(typePath);
    var object = io.skerry.iod.object.model.StoredObject.open(step.changes(), id);
    if (object.kind() != ObjectKind.DATATYPE) {
      throw new NoSuchObjectException("not a named datatype", typePath, name(), session.ranks());
    }
    Datatype actual = CommittedDatatype.read(object, step.changes());
    if (!actual.equals(spec.datatype())) {
      throw new IllegalArgumentException(
          "the named datatype is another one: path="
              + typePath
              + " expected="
              + spec.datatype()
              + " actual="
              + actual);
    }
    return id;
  }

  @Override
  public void createHardLink(String path, String targetPath) {
    edit(Operation.LINK, path, targetPath, links -> links.hardLink(path, targetPath));
  }

  @Override
  public void createSoftLink(String path, String targetPath) {
    edit(
        Operation.CREATE_OBJECT,
        path,
        "soft link to " + targetPath,
        links -> links.add(path, new Link.Soft(targetPath)));
  }

  /**
   * Refuses an external link, which a container cannot store.
   *
   * @throws CollectiveException always, with an {@link UnsupportedFeatureException} as its cause
   */
  @Override
  public void createExternalLink(String path, String targetFile, String targetPath) {
    edit(
        Operation.CREATE_OBJECT,
        path,
        "external link to " + targetFile + " " + targetPath,
        _ -> {
          throw new UnsupportedFeatureException(
              "external link to " + targetFile, PathResolver.absolute(path));
        });
  }

  @Override
  public void unlink(String path) {
    edit(Operation.UNLINK, path, "", links -> links.unlink(path));
  }

  @Override
  public void move(String from, String to) {
    edit(Operation.MOVE, from, to, links -> links.move(from, to));
  }

  @Override
  public Value.ObjectReference reference(String path) {
    return new Value.ObjectReference(target(path));
  }

  @Override
  public Value.RegionReference reference(String path, Selection region) {
    return new Value.RegionReference(target(path), region);
  }

  private Value.Target target(String path) {
    ObjectId id = session.look(values -> resolver(values).hard(path));
    return new Value.Target(Optional.empty(), Optional.of(path), ObjectAddress.of(id));
  }

  @Override
  public Contents contents() {
    return contents;
  }

  @Override
  public CacheOptions cacheOptions() {
    return cache;
  }

  @Override
  public CacheStatistics cacheStatistics() {
    return tiles.statistics();
  }

  @Override
  public void resizeCache(CacheOptions options) {
    if (options.policy() != cache.policy()) {
      throw new IllegalArgumentException(
          "the eviction policy cannot change: expected="
              + cache.policy()
              + " actual="
              + options.policy());
    }
    session.requireOpen();
    cache = options;
    tiles.resize(options);
  }

  @Override
  public RuntimeException refused(Operation operation, String object, RuntimeException failure) {
    return session.refused(operation, object, failure);
  }

  @Override
  public Transactions transactions() {
    session.requireOpen();
    return session.transactions();
  }

  @Override
  public IodFile openVersion(Transactions.Version version) {
    Session opened = session.transactions().open(version, new CellTiles());
    return new IodFile(opened, root, options.withCache(cache));
  }

  @Override
  public long largest(long number) {
    return session.largest(number);
  }

  @Override
  public void flush() {
    session.flush();
  }

  @Override
  public void close() {
    try (workers;
        memory) {
      tiles.clear();
      session.close();
    }
  }

  @Override
  public void discard() {
    try (workers;
        memory) {
      tiles.clear();
      session.discard();
    }
  }
}
