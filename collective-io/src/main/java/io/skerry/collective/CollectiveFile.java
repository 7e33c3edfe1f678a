package io.skerry.collective;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.core.ChunkCache;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.collective.step.CollectiveSteps;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.PreparedStep;
import io.skerry.collective.step.UndoLog;
import io.skerry.collective.trust.BroadcastSearch;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.collective.trust.ReferencedFiles.Place;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.parallel.UntrustedFileException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * An HDF5 file that all ranks of a communicator have open; the entry point of this module. It opens
 * and closes the file, and gives access to its parts: {@link #chunks} and {@link #blocks} for raw
 * data, {@link #steps} for metadata. Groups and attributes belong to the {@link MetadataSource},
 * from which this class only obtains the blocks that a flush writes.
 *
 * <p>Every method is collective unless it is documented as local. If a rank fails, all ranks throw
 * a {@link CollectiveException}. With several ranks, only the thread that opened the file may call
 * collective methods; in any other thread, they throw an {@link IllegalStateException} before
 * another rank is affected. With a single rank, any thread may call them. {@link FileGate} defines
 * which operations may run at the same time.
 */
public final class CollectiveFile implements AutoCloseable {
  private final FileConnection connection;
  private final FileGate gate;
  private final CollectiveSteps collectiveSteps;
  private final OpenState state;
  private final FileParts parts;
  private final FileClosing closing;

  CollectiveFile(
      FileConnection connection,
      FileGate gate,
      CollectiveSteps collectiveSteps,
      OpenState state,
      FileParts parts,
      FileClosing closing) {
    this.connection = connection;
    this.gate = gate;
    this.collectiveSteps = collectiveSteps;
    this.state = state;
    this.parts = parts;
    this.closing = closing;
  }

  /**
   * Opens a file on all ranks. A commit that was interrupted is first finished or discarded, unless
   * the file is opened for reading without a lock.
   *
   * @param loader the loader that reads the metadata, or creates that of a new file
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  public static <M extends MetadataSource> OpenedFile<M> open(
      Path path,
      FileAccess access,
      Communicator parent,
      FileOptions options,
      MetadataLoader<M> loader) {
    return FileOpening.open(
        ReferencedFiles.of(path, options.trust()), access, parent, options, loader);
  }

  /**
   * Opens a file for reading, on this rank only, within an operation on another file that refers to
   * it. {@code others} already contains the resolved path of the file.
   *
   * @param others the path of the file to open, and the lookup of the files that it refers to in
   *     turn
   * @param loader the loader that reads the metadata
   * @throws CollectiveException if the file cannot be opened
   */
  public static <M extends MetadataSource> OpenedFile<M> openWithin(
      ReferencedFiles others, FileOptions options, MetadataLoader<M> loader) {
    return FileOpening.openWithin(others, options, loader);
  }

  /** Returns the lookup of the other files that this file refers to. Local. */
  public ReferencedFiles others() {
    return connection.others();
  }

  /**
   * Searches for a file that an external link in this file names. Rank 0 searches and broadcasts
   * the result. Collective, within a step.
   *
   * @param name the file name in the link
   * @param object the path that led to the link, for messages
   * @return the file; empty if there is none
   * @throws UntrustedFileException on all ranks if the trust policy refuses the file
   */
  public Optional<ReferencedFiles.Found> findLinked(String name, String object) {
    // All ranks must reach this point of the step before the collective search.
    collectiveSteps.reads().meet(path() + " -> " + name);
    return BroadcastSearch.run(
        ranks(),
        () -> others().find(name, object, List.of(Place.BESIDE, Place.BESIDE_BY_LAST_PART)));
  }

  /**
   * Opens a file that an external link in this file names, on the same ranks and with the same
   * access and options, after {@link #findLinked} has found it in the same step. The gates of both
   * files share a lock.
   *
   * @param loader the loader that reads the metadata
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  public <M extends MetadataSource> OpenedFile<M> openLinked(
      ReferencedFiles.Found linked, MetadataLoader<M> loader) {
    return FileOpening.openLinked(
        others().namedBy(linked), connection, gate, collectiveSteps, loader);
  }

  /**
   * Opens or creates another file, on the same ranks and with the same options, within an operation
   * on this file and outside of its steps.
   *
   * @param other the file to open, which the trust policy allows
   * @param loader the loader that reads the metadata, or creates that of a new file
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  public <M extends MetadataSource> OpenedFile<M> openAlong(
      ReferencedFiles.Found other, FileAccess access, MetadataLoader<M> loader) {
    return FileOpening.openAlong(others().namedBy(other), access, connection, loader);
  }

  /**
   * Runs part of a step on another file; this part also reads this file. All ranks run the step.
   *
   * @throws Exception the exception that the part throws
   */
  public <T> T withinStepOf(CollectiveFile other, Callable<T> part) throws Exception {
    CollectiveSteps taking = other.collectiveSteps;
    return collectiveSteps
        .log()
        .within(taking.log(), () -> collectiveSteps.reads().within(taking.reads(), part));
  }

  /** Returns the gate, which defines the operations that may run at the same time. Local. */
  public FileGate gate() {
    return gate;
  }

  /** Returns the log that can undo the changes made in the current step. Local. */
  public UndoLog log() {
    return collectiveSteps.log();
  }

  /** Returns the path of the file. Local. */
  public Path path() {
    return others().path();
  }

  /** Returns the ranks that have the file open. Local. */
  public Communicator ranks() {
    return connection.ranks();
  }

  /** Returns the mode in which the file is open. Local. */
  public FileAccess access() {
    return connection.access();
  }

  /** Returns the number of bytes in the file. Local. */
  public long size() {
    return connection.file().size();
  }

  /** Returns the part that runs steps on all ranks. Local. */
  public FileSteps steps() {
    return parts.steps();
  }

  /** Returns the registry of chunked datasets. Local. */
  public DatasetRegistry datasets() {
    return parts.datasets();
  }

  /** Returns the part that accesses the elements and chunks of chunked datasets. Local. */
  public RawChunks chunks() {
    return parts.chunks();
  }

  /** Returns the part that writes contiguous datasets and blocks. Local. */
  public RawBlocks blocks() {
    return parts.blocks();
  }

  /**
   * Returns the part that accesses variable-length data in the global heap. Local; using it
   * requires exclusive access through the {@link #gate}.
   */
  public HeapSpace heap() {
    return parts.heap();
  }

  /**
   * Returns the stored and unstored versions of chunks. Local; using them requires exclusive access
   * through the {@link #gate}.
   */
  public ChunkVersions versions() {
    return parts.versions();
  }

  /**
   * Returns the global heap for storing new variable-length data. Local.
   *
   * @throws IllegalStateException if the file is closed or open for reading only, if its changes
   *     were discarded, or if a commit of the file failed
   */
  public HeapSpace writableHeap() {
    state.checkWritable();
    return heap();
  }

  /**
   * Fills {@code into} with the bytes at an address; workers share a large read. Local.
   *
   * @param from the source of this file's bytes
   */
  public void read(ByteSource from, long address, MemorySegment into) {
    parts.bytes().read(from, address, into);
  }

  /**
   * Runs tasks on the workers of this rank and waits for all of them. Local.
   *
   * @param memory the callers' memory that the tasks access; if only the calling thread may access
   *     it, that thread runs all tasks
   * @return the results in task order
   * @throws RuntimeException the first failure in task order
   */
  public <T> List<T> runAll(List<MemorySegment> memory, List<? extends Callable<T>> tasks) {
    return parts.context().workers().runAll(memory, tasks);
  }

  /**
   * Returns the allocator for new objects. All ranks must make the same allocations in the same
   * order. If a step fails, its allocations and releases are undone. Local, within a step.
   */
  public SpaceAllocator space() {
    return parts.steps().space();
  }

  /**
   * Runs a step that involves no other rank and need not exclude other operations. If the step
   * fails and a single rank has the file open, this method throws a {@link CollectiveException}, as
   * collective operations do, unless a request was interrupted; with several ranks, it throws the
   * original exception. Local; any thread.
   *
   * @throws IllegalStateException if the file is closed, if its changes were discarded, or if a
   *     commit of the file failed
   */
  public <T> T beside(Operation operation, String subject, Callable<T> step) {
    state.checkOpen();
    return parts.io().beside(operation, subject, step);
  }

  /**
   * Runs a step of a read. With a single rank, the step may run at the same time as other
   * operations; with several ranks, all ranks run it together.
   *
   * @param path path of the object, for messages
   * @param preparation the preparation, which runs first; if it fails on one rank, the step fails
   *     on all ranks
   * @param step the step, which receives the result of the preparation
   */
  public <A, T> T guarded(
      Operation operation, String path, Callable<A> preparation, PreparedStep<A, T> step) {
    return parts.io().guarded(operation, path, preparation, step);
  }

  /**
   * Writes to several datasets in one operation.
   *
   * @param subject the names of the datasets, for messages
   * @param agreement the action that makes all ranks agree on the datasets before the writes; not
   *     called with a single rank
   * @param writes the action that performs the writes
   */
  public void joint(String subject, Runnable agreement, Runnable writes) {
    parts.io().joint(subject, agreement, writes);
  }

  /** Returns true if collective reads and writes involve other ranks. Local. */
  public boolean needsOtherRanks() {
    return parts.io().needsOtherRanks();
  }

  /** Returns the limits of the chunk cache, as requested. Local; any thread. */
  public CacheOptions cacheOptions() {
    return parts.context().cache().options();
  }

  /**
   * Returns the statistics of the chunk cache, even if the file is closed. Does not wait for
   * running requests. Local; any thread.
   */
  public CacheStatistics cacheStatistics() {
    return parts.context().cache().statistics();
  }

  /**
   * Changes the limits of the chunk cache on this rank, and immediately evicts chunks until the
   * cache is within the new limits or no more chunks can be evicted. The store lock is acquired
   * before the gate is entered, because a flush of several ranks holds this lock while it waits for
   * other ranks. Local; any thread.
   *
   * @throws IllegalArgumentException if the new options have a different eviction policy
   * @throws IllegalStateException if the file is closed, if its changes were discarded, or if a
   *     commit of the file failed
   * @throws RuntimeException if the cache exceeds the new limits because a chunk could not be
   *     stored; the new limits are in force, and the chunk stays in memory
   * @throws io.skerry.cache.RequestInterruptedException if the thread is interrupted while it waits
   *     for a flush or for a thread that stores chunks; the limits are then unchanged
   */
  public void resizeCache(CacheOptions options) {
    state.checkOpen();
    ChunkCache cache = parts.context().cache();
    try (var _ = cache.blockOtherStores()) {
      gate.enter();
      try {
        cache.configure(options);
      } finally {
        gate.leave();
      }
    }
  }

  /** Stores all changes. When this method returns, they are durable in the file. */
  public void flush() {
    parts.flush().run();
  }

  /** Returns this rank's report on the last operation that {@link TransferReport} covers. Local. */
  public TransferReport lastTransfer() {
    return parts.context().meter().report();
  }

  /** Returns true if the file is closed. Local. */
  public boolean isClosed() {
    return state.isClosed();
  }

  /**
   * Stores all changes and closes the file on all ranks, after all threads that have {@linkplain
   * FileGate#enter entered the gate} have left it. A second call does nothing.
   */
  @Override
  public void close() {
    close(() -> {});
  }

  /**
   * Stores all changes and closes the file on all ranks, after all threads that have {@linkplain
   * FileGate#enter entered the gate} have left it. A second call does nothing.
   *
   * @param first the action that runs when no other thread uses the file any longer, before the
   *     changes are stored; a second call does not run it
   * @throws CollectiveException on all ranks if a rank cannot store the changes (the file is closed
   *     nevertheless), or if a rank makes a different collective call instead (this file stays open
   *     if that call concerns a different file)
   */
  public void close(Runnable first) {
    closing.close(first);
  }

  /** Closes the file on all ranks and discards unflushed changes. A second call does nothing. */
  public void discard() {
    discard(() -> {});
  }

  /**
   * Closes the file on all ranks and discards unflushed changes. A second call does nothing.
   *
   * @param first the action that runs when no other thread uses the file any longer, before it is
   *     closed; a second call does not run it
   */
  public void discard(Runnable first) {
    closing.discard(first);
  }
}
