package io.skerry.collective;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.commit.WriterLock;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Quiescence;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.collective.multifile.FileSource;
import io.skerry.collective.multifile.SegmentedFile;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.owner.FlushedRecords;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.BroadcastSource;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.CollectiveSteps;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.step.MetadataBroadcast;
import io.skerry.collective.step.PreparedStep;
import io.skerry.collective.step.UndoLog;
import io.skerry.collective.trust.BroadcastSearch;
import io.skerry.collective.trust.ReferencedFiles.Place;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.collective.view.AgreedFile;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.ReadAhead;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One HDF5 file open on all ranks of a communicator: raw chunked data and the commit of everything.
 * Knows nothing of groups or attributes; those belong to the {@link MetadataSource}.
 *
 * <p>Every method is collective unless it says otherwise. A failure on one rank is a {@link
 * CollectiveException} on all. Of several ranks, the collective methods belong to the thread that
 * opened the file, and another thread gets an {@link IllegalStateException} before any other rank
 * is disturbed; a file that one rank has open alone may be used by any thread. Who may be inside at
 * the same time says the {@link FileGate}.
 *
 * <p>The one door to this module, and long for that: a method of its own has a few lines, which
 * check that the file is open and hand the work to the class that does it.
 */
public final class CollectiveFile implements AutoCloseable {
  /** Bytes that one worker reads at a time. */
  private static final long SHARE = 4 << 20;

  private final ReferencedFiles others;
  private final Path path;
  private final FileAccess access;
  private final FileOptions options;
  private final Communicator ranks;
  private final Watchdog watchdog;
  private final CollectiveOutcome outcome;
  private final MpiFile file;
  private final FileGate gate;
  private final UndoLog log = new UndoLog();
  private final MetadataBroadcast reads;
  private final int number;
  private final UnusedDatasets unused = new UnusedDatasets();
  private final Optional<WriterLock> lock;
  private volatile Optional<Engine> engine = Optional.empty();
  private final OpenState state;

  private CollectiveFile(
      ReferencedFiles others,
      FileAccess access,
      FileOptions options,
      OpenedFile opened,
      FileGate gate,
      MetadataBroadcast reads) {
    this.others = others;
    this.path = others.path();
    this.access = access;
    this.options = options;
    this.ranks = opened.ranks();
    this.watchdog = opened.watchdog();
    this.outcome = opened.outcome();
    this.file = opened.file();
    this.gate = gate;
    this.state = new OpenState(path, access, gate);
    this.reads = reads;
    this.number = reads.nextFile();
    this.lock = opened.lock();
  }

  /**
   * Opens a file on all ranks. A commit that was interrupted is finished or discarded first.
   *
   * @throws CollectiveException on all ranks if any of them cannot open it
   */
  public static CollectiveFile open(
      Path path, FileAccess access, Communicator parent, FileOptions options) {
    return open(ReferencedFiles.of(path, options.trust()), access, parent, options);
  }

  /**
   * Opens a file that another one names, by the path that its search has found.
   *
   * @param others what the file names in its turn
   * @throws CollectiveException on all ranks if any of them cannot open it
   */
  public static CollectiveFile open(
      ReferencedFiles others, FileAccess access, Communicator parent, FileOptions options) {
    OpenedFile opened = OpenedFile.open(others, access, parent.callOrder(), parent, options);
    FileGate gate = new FileGate(opened.outcome().owner());
    return of(others, access, options, opened, gate, MetadataBroadcast.among(opened.ranks()));
  }

  /** The other files that this one names. Local. */
  public ReferencedFiles others() {
    return others;
  }

  /**
   * Looks for a file that an external link of this one names, on the first rank for all. Collective
   * within a step that all ranks take {@link #together}.
   *
   * @param object the path that led to the link, for messages
   * @throws UntrustedFileException on all ranks if the policy refuses it
   */
  public Optional<ReferencedFiles.Found> findLinked(String name, String object) {
    // The other ranks have to come as far in the step that leads there.
    reads.publish();
    return BroadcastSearch.run(
        ranks, () -> others.find(name, object, List.of(Place.BESIDE, Place.BESIDE_BY_LAST_PART)));
  }

  /**
   * Opens another file on the same ranks, with the same access and options, that operations on this
   * one lead to. Whoever has one of them for itself has both.
   *
   * @throws CollectiveException on all ranks if any of them cannot open it
   */
  public CollectiveFile openLinked(ReferencedFiles.Found linked) {
    reads.publish();
    ReferencedFiles further = others.namedBy(linked);
    OpenedFile opened = OpenedFile.open(further, access, outcome.order().another(), ranks, options);
    FileGate both = gate.sharedWith(opened.outcome().owner());
    return of(further, access, options, opened, both, reads);
  }

  private static CollectiveFile of(
      ReferencedFiles others,
      FileAccess access,
      FileOptions options,
      OpenedFile opened,
      FileGate gate,
      MetadataBroadcast reads) {
    CollectiveFile result = new CollectiveFile(others, access, options, opened, gate, reads);
    opened.outcome().onMismatch(result::release);
    opened.outcome().onRankLeft(result::releaseAlone);
    return result;
  }

  /**
   * Gives the file its metadata, once its superblock is known. Local.
   *
   * @param metadata object headers and superblock
   * @param stored the file as it is read, with addresses that count from the base
   * @param space the file's space, the same on all ranks
   * @param base byte at which addresses begin to count
   * @param committedEnd end of what the last commit wrote; 0 for a new file
   */
  public void attach(
      MetadataSource metadata,
      ByteSource stored,
      SpaceAllocator space,
      long base,
      long committedEnd) {
    space.beginAtStripes(options.stripe(), base);
    AgreedFile agreed = new AgreedFile(file, base);
    ChunkDirectory directory = new ChunkDirectory(ranks.rank(), ranks.size(), stored);
    ChunkImageReader images = new ChunkImageReader(agreed, path.toString());
    Commit commit = new Commit(ranks, agreed, outcome, path, stored, lock, base, committedEnd);
    state.watch(commit);
    FileContext session =
        FileContext.of(
            ranks,
            agreed,
            images,
            outcome,
            directory,
            new FlushedRecords(directory::dataset, stored),
            options,
            space,
            commit);
    engine =
        Optional.of(
            Engine.of(
                session,
                gate,
                images,
                metadata,
                stored,
                commit,
                state,
                new Engine.Flushes(this::flush, this::storeAll)));
  }

  /** Who may be inside at the same time. Local. */
  public FileGate gate() {
    return gate;
  }

  /** What has to be put back if a step that all ranks take {@link #together} fails. Local. */
  public UndoLog log() {
    return log;
  }

  /** The file's name. Local. */
  public Path path() {
    return path;
  }

  /** The ranks that have it open. Local. */
  public Communicator ranks() {
    return ranks;
  }

  /** What may be done with it. Local. */
  public FileAccess access() {
    return access;
  }

  /** Bytes in the file. Local. */
  public long size() {
    return file.size();
  }

  /**
   * IndependentReader reads of the file, for its metadata. Within a step that all ranks take {@link
   * #together} the first one reads for all. Local.
   */
  public ByteSource source() {
    ByteSource source = new BroadcastSource(new FileSource(file, 0), reads, number);
    // A file that is being written changes, and one that is spread over several may lack parts.
    boolean steady = access == FileAccess.READ && !(file instanceof SegmentedFile);
    return steady ? new ReadAhead(source) : source;
  }

  /**
   * Fills memory with the bytes at an address; the workers share the work if there is much. Local.
   */
  public void read(ByteSource from, long address, MemorySegment into) {
    if (into.byteSize() <= SHARE) {
      from.read(address, into);
      return;
    }
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (long at = 0; at < into.byteSize(); at += SHARE) {
      long start = at;
      long bytes = Math.min(SHARE, into.byteSize() - at);
      tasks.add(() -> {
        from.read(address + start, into.asSlice(start, bytes));
        return true;
      });
    }
    engine().session().workers().runAll(List.of(into), tasks);
  }

  /**
   * Space for new objects; all ranks take the same in the same order. What a failed step took or
   * freed is as it was. Local, within a step that all ranks take {@link #together}.
   */
  public SpaceAllocator space() {
    SpaceAllocator space = engine().session().space().allocator();
    log.noteOnce(
        space,
        () -> {
          SpaceAllocator before = space.copy();
          return () -> space.resetTo(before);
        });
    return space;
  }

  /** Makes a dataset known to this rank; all ranks do so in the same order. Local. */
  public void register(ChunkedDataset dataset) {
    FileContext session = engine().session();
    gate.exclusively(() -> {
      session.directory().register(dataset);
      dataset.cacheIn(session.cache());
    });
    log.note(() -> {
      session.cache().forget(dataset.id());
      session.directory().drop(dataset);
    });
  }

  /**
   * A step that all ranks take in the same way: the step itself is local, and must give the same
   * result everywhere.
   *
   * @param arguments what must be equal on all ranks, as text
   * @throws CollectiveException on all ranks if subject or arguments differ or a rank failed
   * @throws IllegalStateException if the operation changes the file and it is open for reading only
   */
  public <T> T together(Operation operation, String subject, String arguments, Callable<T> step) {
    return together(operation, subject, arguments, () -> true, _ -> step.call());
  }

  /**
   * A step that all ranks take in the same way, after each has prepared it for itself.
   *
   * @param arguments what must be equal on all ranks, as text
   * @param preparation its failure on one rank fails all before the step begins
   * @param step is given what was prepared
   * @throws CollectiveException on all ranks if subject or arguments differ or a rank failed
   * @throws IllegalStateException if the operation changes the file and it is open for reading only
   */
  public <A, T> T together(
      Operation operation,
      String subject,
      String arguments,
      Callable<A> preparation,
      PreparedStep<A, T> step) {
    return gate.collectively(
        operation,
        subject,
        () ->
            holdingSpace(
                operation,
                () -> {
                  state.checkAllowed(operation);
                  T result = steps().take(operation, subject, arguments, preparation, step);
                  if (operation.opensObjects()) {
                    // The result holds what it has opened.
                    engine.ifPresent(unused::release);
                  }
                  return result;
                }));
  }

  /**
   * A step that needs no other rank and guards what it touches, in any thread, beside whatever
   * others do. Of a rank that is alone its failure is told as that of several ranks is. Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  public <T> T beside(Operation operation, String subject, Callable<T> step) {
    state.checkOpen();
    return engine().chunks().beside(operation, subject, step);
  }

  /**
   * A step for which every rank has something to say that all must know. The step itself is local,
   * and must give the same result everywhere. For short letters.
   *
   * @param mine what this rank says; a failure of it on one rank fails the step on all
   * @param step is given what each rank said
   */
  public <T> T together(
      Operation operation,
      String subject,
      Supplier<ByteWriter> mine,
      Function<List<ByteReader>, T> step) {
    return gate.collectively(
        operation,
        subject,
        () ->
            holdingSpace(
                operation,
                () -> {
                  state.checkAllowed(operation);
                  return steps().take(operation, subject, mine, step);
                }));
  }

  /**
   * Applies one change.
   *
   * @param request makes the change; a failure of it on one rank fails the write on all
   */
  public void write(Operation operation, String subject, Supplier<WriteRequest> request) {
    writeAll(operation, subject, () -> List.of(request.get()));
  }

  /**
   * Applies changes to any number of datasets.
   *
   * @param subject whose elements, for messages; the same on all ranks
   * @param requests makes this rank's; a failure of it on one rank fails the write on all
   */
  public void writeAll(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    state.checkWritable();
    engine().chunks().write(operation, subject, requests);
  }

  /**
   * Writes into a dataset that stands in one block; each rank has its own part. In the file when it
   * returns, durable with the next flush.
   *
   * @param part makes this rank's part; a failure of it on one rank fails the write on all
   * @param recorded notes the block in the metadata if this write took it
   */
  public void write(
      ContiguousDataset dataset, Supplier<ContiguousDataset.Part> part, Consumer<Block> recorded) {
    gate.collectively(
        Operation.WRITE,
        dataset.name(),
        () -> {
          state.checkWritable();
          holdingSpace(() -> engine().contiguous().write(dataset, part, recorded));
        });
  }

  /**
   * Contents of variable length. Local; what is done with it needs the {@link #gate} for itself.
   */
  public HeapSpace heap() {
    return engine().flush().heap();
  }

  /**
   * Where contents of variable length go. Local.
   *
   * @throws IllegalStateException if the file is open for reading only
   */
  public HeapSpace writableHeap() {
    state.checkWritable();
    return heap();
  }

  /** Writes blocks into space that nothing refers to yet; durable with the next flush. */
  public void store(String subject, List<BlockImage> blocks) {
    store(subject, () -> blocks);
  }

  /**
   * The same.
   *
   * @param blocks makes this rank's; a failure of it on one rank fails the step on all
   */
  public void store(String subject, Supplier<List<BlockImage>> blocks) {
    gate.collectively(
        Operation.WRITE,
        subject,
        () -> {
          state.checkWritable();
          holdingSpace(() -> changes().store(subject, blocks));
        });
  }

  /**
   * Stores encoded chunks of a dataset as they are, past owners and caches: of one that nobody has
   * written to. Each rank has its own. They can be reached after the next flush, for which the
   * metadata must have changed too.
   *
   * @param images makes this rank's, none of them stored before; a failure of it on one rank fails
   *     the step on all
   */
  public void storeChunks(
      ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    gate.collectively(
        Operation.WRITE,
        dataset.name(),
        () -> {
          state.checkWritable();
          holdingSpace(() -> changes().store(dataset, images));
        });
  }

  /**
   * Puts encoded chunks in the place of stored ones, past owners and caches. Each rank has its own;
   * of several images of one chunk the highest rank's is stored. What was written before is flushed
   * first. Durable with the next flush.
   *
   * @param images makes this rank's
   * @throws CollectiveException on all ranks if an image of one is not what a chunk of this dataset
   *     looks like; no chunk has changed then
   */
  public void replaceChunks(
      ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    gate.collectively(
        Operation.WRITE,
        dataset.name(),
        () -> {
          state.checkWritable();
          changes().replace(dataset, images);
        });
  }

  /**
   * Forgets a dataset that is to be deleted, what was not flushed of it included, and frees its
   * chunks, when the step has succeeded on all ranks; index and header are the caller's to free.
   * Local, within a step that all ranks take {@link #together}.
   */
  public void drop(ChunkedDataset dataset) {
    gate.exclusively(() -> holdingSpace(() -> changes().drop(dataset)));
  }

  /**
   * Reads the selected values; each rank has its own selection.
   *
   * @param target makes the memory to fill; a failure of it on one rank fails the read on all
   */
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    state.checkOpen();
    engine().chunks().read(dataset, selection, target);
  }

  /**
   * Reads the selected values with their content, of a dataset whose chunks pack it with them; each
   * rank has its own selection.
   */
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    state.checkOpen();
    return engine().chunks().readContent(dataset, selection);
  }

  /** Reads that need no other rank. Local; any thread. */
  public ElementReads independent() {
    state.checkOpen();
    return engine().chunks().independent();
  }

  /**
   * A write of one rank of several for itself, into chunks that have their place. Local; any
   * thread.
   *
   * @throws IllegalStateException if they have not; nothing is written then
   */
  public void writeIndependently(ChunkedDataset dataset, Supplier<WriteRequest> request) {
    state.checkWritable();
    engine().independent().write(dataset, request);
  }

  /**
   * The same for a dataset that stands in one block, from which the caller keeps the others of this
   * rank.
   */
  public void writeIndependently(ContiguousDataset dataset, Supplier<ContiguousDataset.Part> part) {
    state.checkWritable();
    engine().independent().write(dataset, part);
  }

  /** The defined ones among the selected elements; each rank has its own selection. */
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    state.checkOpen();
    return engine().chunks().defined(dataset, selection);
  }

  /**
   * Gives a dataset another extent, the same on all ranks. Where it shrinks, elements outside are
   * lost: if it grows again, they read as the fill value, and those of a sparse dataset are
   * undefined.
   *
   * @param before looks at the chunks before any is changed, when all of them are stored: of each
   *     there is one version then. Not called where no chunk changes; its failure on one rank fails
   *     the change on all
   * @param recorded notes the new extent in the metadata
   * @throws CollectiveException on all ranks if the extents differ or exceed the maximum
   */
  public void extend(
      ChunkedDataset dataset, long[] extent, Runnable before, Consumer<Shape> recorded) {
    gate.collectively(
        Operation.EXTEND,
        dataset.name(),
        () -> {
          state.checkWritable();
          changes().reshape(dataset, extent, before, recorded);
        });
  }

  /** How much memory its chunks may take, as it was asked for. Local, for any thread. */
  public CacheOptions cacheOptions() {
    return engine().session().cache().options();
  }

  /**
   * What the cache has done and holds, also when the file is closed. Local, for any thread; takes
   * no lock that a request holds while it works.
   */
  public CacheStatistics cacheStatistics() {
    return engine().session().cache().statistics();
  }

  /**
   * Gives the cache of this rank other limits; what is above them is evicted at once. Local, for
   * any thread.
   *
   * @throws IllegalArgumentException if the eviction policy is another one
   * @throws IllegalStateException if the file is closed
   * @throws RuntimeException if a chunk has to be stored for that and cannot; the limits are in
   *     force, and the chunk stays
   */
  public void resizeCache(CacheOptions cache) {
    state.checkOpen();
    gate.enter();
    try {
      engine().session().cache().configure(cache);
    } finally {
      gate.leave();
    }
  }

  /** Stores everything; when it returns, the file holds it durably. */
  public void flush() {
    gate.collectively(Operation.FLUSH, "", this::storeAll);
  }

  private void storeAll() {
    state.checkWritable();
    LocalStatus status = new LocalStatus();
    outcome.enter(Operation.FLUSH, "", status);
    engine().session().meter().begin(Operation.FLUSH, "");
    try (var _ = quiescence().quiesce(RequestOrder.Kind.READ)) {
      engine().flush().run(status);
    } finally {
      outcome.leave();
    }
  }

  /** What the last write, read or flush of several ranks did on this one. Local. */
  public TransferReport lastTransfer() {
    return engine().session().meter().report();
  }

  private CollectiveSteps steps() {
    return new CollectiveSteps(ranks, outcome, log, reads);
  }

  private Quiescence quiescence() {
    return engine().session().quiescence();
  }

  private ChunkChanges changes() {
    return new ChunkChanges(this, engine());
  }

  /**
   * Keeps the cache from taking space while an operation may. Datasets may go with a link: a rank
   * that is alone lets those end first who read and write them.
   */
  private <T> T holdingSpace(Operation operation, Supplier<T> body) {
    if (engine.isEmpty() || !operation.changesFile()) {
      return body.get();
    }
    if (operation == Operation.UNLINK) {
      try (var _ = quiescence().quiesce(RequestOrder.Kind.WRITE)) {
        return body.get();
      }
    }
    return quiescence().holdingStores(body);
  }

  private void holdingSpace(Runnable body) {
    boolean unused =
        quiescence()
            .holdingStores(() -> {
              body.run();
              return true;
            });
  }

  private Engine engine() {
    return engine.orElseThrow(
        () -> new IllegalStateException("the file has no metadata yet: file=" + path));
  }

  /**
   * Stores everything and closes the file on all ranks, when those who have {@linkplain
   * FileGate#enter entered} are out. A second call does nothing.
   */
  @Override
  public void close() {
    close(() -> {});
  }

  /**
   * The same.
   *
   * @param first what there is to be done before, when no other thread is inside; not by a second
   *     call
   * @throws CollectiveException on all ranks if one of them makes another call; the file stays open
   *     if that call concerns another file
   */
  public void close(Runnable first) {
    end(Operation.CLOSE, first);
  }

  private void end(Operation operation, Runnable first) {
    if (state.isClosed()) {
      return;
    }
    gate.owner().require(operation, "");
    LocalStatus status = new LocalStatus();
    gate.close(
        () -> beginEnd(operation, status, first),
        () -> {
          if (operation == Operation.DISCARD) {
            state.discard();
          }
          try {
            first.run();
          } finally {
            storeAndRelease(status);
          }
        });
  }

  /** Returns whether nothing can be done with the file any more. Local. */
  public boolean isClosed() {
    return state.isClosed();
  }

  private void beginEnd(Operation operation, LocalStatus status, Runnable first) {
    try {
      outcome.enter(operation, "", status);
    } catch (CollectiveException e) {
      throw e;
    } catch (RuntimeException e) {
      // The ranks cannot meet any more: this one gives up what it holds, above all its lock.
      try {
        first.run();
      } catch (RuntimeException of) {
        e.addSuppressed(of);
      } finally {
        releaseAlone();
      }
      throw e;
    }
  }

  private void storeAndRelease(LocalStatus status) {
    try {
      if (access != FileAccess.READ && !state.isBroken() && engine.isPresent()) {
        flushForClose(status);
      }
    } finally {
      if (!outcome.isAbandoned()) {
        release();
        outcome.leave();
      }
    }
  }

  private void flushForClose(LocalStatus status) {
    try (var _ = quiescence().quiesce(RequestOrder.Kind.READ)) {
      engine().flush().run(status);
    }
  }

  /**
   * Closes the file on all ranks without storing what was not flushed. A second call does nothing.
   */
  public void discard() {
    discard(() -> {});
  }

  /**
   * The same.
   *
   * @param first what there is to be done before, when no other thread is inside; not by a second
   *     call
   */
  public void discard(Runnable first) {
    end(Operation.DISCARD, first);
  }

  /** Closes what the ranks hold together without storing anything; all ranks call it at once. */
  private void release() {
    gate.closeWithin();
    state.close();
    try {
      if (engine.isEmpty()) {
        lock.ifPresent(WriterLock::close);
      }
      engine.ifPresent(this::release);
    } finally {
      try (var _ = outcome.order();
          ranks;
          file) {
        watchdog.close();
        // A rank that has closed the file may open it at once, alone too: no rank may hold it then.
        ranks.barrier();
      }
    }
  }

  /**
   * Closes what this rank holds, without storing anything and without the other ranks, one of which
   * has ended MPI. Local.
   */
  private void releaseAlone() {
    gate.closeWithin();
    state.close();
    try {
      engine.ifPresentOrElse(this::release, () -> lock.ifPresent(WriterLock::close));
    } finally {
      watchdog.close();
      file.abandon();
    }
  }

  private void release(Engine parts) {
    FileContext session = parts.session();
    try {
      session.cache().close();
      session.workers().close();
    } finally {
      release(parts.commit(), session);
    }
  }

  private void release(Commit commit, FileContext session) {
    try {
      // No other program has the file while the journal is open.
      commit.close();
    } finally {
      if (outcome.isAbandoned()) {
        session.pool().abandon();
      } else {
        session.pool().close();
      }
    }
  }
}
