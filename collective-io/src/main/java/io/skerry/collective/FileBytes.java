package io.skerry.collective;

import io.skerry.cache.api.WorkerPool;
import io.skerry.collective.multifile.FileSource;
import io.skerry.collective.multifile.SegmentedFile;
import io.skerry.collective.step.BroadcastSource;
import io.skerry.collective.step.MetadataBroadcast;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.ReadAhead;
import io.skerry.mpi.file.MpiFile;
import io.skerry.parallel.FileAccess;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Reads the bytes of a file, and divides large reads among the workers. Local.
 *
 * @param file the file
 * @param workers the threads that share large reads
 */
record FileBytes(MpiFile file, WorkerPool workers) {
  /** The maximum number of bytes that a worker reads at a time. */
  private static final long SHARE = 4 << 20;

  /**
   * Creates the source from which the metadata of a file is read. Within a step of all ranks, rank
   * 0 reads and broadcasts the bytes.
   *
   * @param reads the broadcast that shares the reads of rank 0 with the other ranks
   */
  static ByteSource source(MpiFile file, FileAccess access, MetadataBroadcast reads) {
    ByteSource source = new BroadcastSource(new FileSource(file, 0), reads, reads.nextFile());
    // Reading ahead is unsafe if the file is open for writing, since its bytes may change, or if
    // the file is segmented, since bytes may be missing.
    boolean steady = access == FileAccess.READ && !(file instanceof SegmentedFile);
    return steady ? new ReadAhead(source) : source;
  }

  /**
   * Fills {@code into} with the bytes that start at an address. Divides a large read among the
   * workers.
   */
  void read(ByteSource from, long address, MemorySegment into) {
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
    workers.runAll(List.of(into), tasks);
  }
}
