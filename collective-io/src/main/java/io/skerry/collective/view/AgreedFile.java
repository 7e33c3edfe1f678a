package io.skerry.collective.view;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.collective.multifile.SegmentedFile;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MemoryView;
import io.skerry.mpi.file.MpiFile;
import java.lang.foreign.MemorySegment;

/**
 * Collective file calls that a rank takes part in even after it failed, empty-handed, because the
 * others would wait for it otherwise. Its failure goes to the {@link LocalStatus}.
 */
public final class AgreedFile {
  private final MpiFile file;
  private final long base;
  private volatile Calls calls = Calls.NONE;

  /**
   * What this rank has done in collective calls since the file was opened.
   *
   * @param written bytes
   * @param read bytes
   * @param extents pieces of the file that the calls named
   */
  public record Calls(long written, long read, long extents) {
    /** None yet. */
    public static final Calls NONE = new Calls(0, 0, 0);
  }

  /**
   * @param base byte at which HDF5 addresses begin to count
   */
  public AgreedFile(MpiFile file, long base) {
    this.file = file;
    this.base = base;
  }

  /** Where it is. */
  public String path() {
    return file.path().toString();
  }

  /** Bytes from the base address to the end of the file. */
  public long size() {
    return Math.max(0, file.size() - base);
  }

  /**
   * Makes sure that bytes are not in a file of several that is missing or too short.
   *
   * @throws FormatException naming that file
   */
  public void requirePresent(long address, long length) {
    SegmentedFile.requirePresent(file, base + address, length);
  }

  /** Independent read, for the home of an index leaf. */
  public MemorySegment read(Block block) {
    requirePresent(block.address(), block.length());
    if (block.end() > size()) {
      throw new FormatException("a metadata block lies outside the file", size(), block)
          .atAddress(block.address())
          .inFile(file.path().toString());
    }
    MemorySegment bytes = HeapBytes.allocate(block.length());
    file.readAt(base + block.address(), bytes);
    return bytes;
  }

  /** Independent read; the caller has made sure that the bytes are there. */
  public void read(long address, MemorySegment into) {
    file.readAt(base + address, into);
  }

  /**
   * Independent read of consecutive bytes into places of memory; the caller has made sure that the
   * bytes are there.
   *
   * @return whether it was done; see {@link MpiFile#scatterAt}
   */
  public boolean scatter(long address, MemorySegment memory, MemoryView places) {
    return file.scatterAt(base + address, memory, places);
  }

  /** Independent write into space that no other rank writes to. */
  public void write(long address, MemorySegment from) {
    file.writeAt(base + address, from);
  }

  public void writeAll(LocalStatus status, FileView view, MemorySegment data) {
    LocalStatus call = new LocalStatus();
    FileView mine = status.isGood() ? view : FileView.EMPTY;
    call.attempt(() -> file.writeAtAll(shifted(mine), data.asSlice(0, mine.totalBytes())));
    count(mine.totalBytes(), 0, mine.blocks());
    adopt(status, call);
  }

  public void readAll(LocalStatus status, FileView view, MemorySegment data) {
    LocalStatus call = new LocalStatus();
    FileView mine = status.isGood() ? view : FileView.EMPTY;
    call.attempt(() -> file.readAtAll(shifted(mine), data.asSlice(0, mine.totalBytes())));
    count(0, mine.totalBytes(), mine.blocks());
    adopt(status, call);
  }

  /** One thread at a time makes collective calls. */
  private void count(long written, long read, long extents) {
    Calls old = calls;
    calls = new Calls(old.written + written, old.read + read, old.extents + extents);
  }

  /** What was done in collective calls. Any thread. */
  public Calls calls() {
    return calls;
  }

  public void setSize(LocalStatus status, long bytes) {
    LocalStatus call = new LocalStatus();
    call.attempt(() -> file.setSize(base + bytes));
    adopt(status, call);
  }

  public void sync(LocalStatus status) {
    LocalStatus call = new LocalStatus();
    call.attempt(file::sync);
    adopt(status, call);
  }

  private FileView shifted(FileView view) {
    if (base == 0) {
      return view;
    }
    long[] offsets = view.offsets();
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] += base;
    }
    return FileView.of(offsets, view.lengths());
  }

  private static void adopt(LocalStatus status, LocalStatus call) {
    call.failure()
        .ifPresent(failure ->
            status.attempt(() -> {
              throw failure;
            }));
  }
}
