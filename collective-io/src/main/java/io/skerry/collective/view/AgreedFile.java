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
 * Makes collective and independent calls on an open file. A rank that has failed still takes part
 * in collective calls, with an empty file view, because the other ranks would otherwise wait for
 * it. The failure of a collective call is recorded in the {@link LocalStatus}.
 */
public final class AgreedFile {
  private final MpiFile file;
  private final long base;
  private volatile Calls calls = Calls.NONE;

  /**
   * Counts the collective transfers of this rank since the file was opened.
   *
   * @param written the number of bytes written
   * @param read the number of bytes read
   * @param extents the number of contiguous extents in the file views
   */
  public record Calls(long written, long read, long extents) {
    /** The counts before the first call. */
    public static final Calls NONE = new Calls(0, 0, 0);
  }

  /**
   * Wraps an open file.
   *
   * @param base the base address of the HDF5 file, in bytes
   */
  public AgreedFile(MpiFile file, long base) {
    this.file = file;
    this.base = base;
  }

  /** Returns the path of the file. */
  public String path() {
    return file.path().toString();
  }

  /** Returns the number of bytes from the base address to the end of the file. */
  public long size() {
    return Math.max(0, file.size() - base);
  }

  /**
   * Checks, for a family or multi file, that the members that contain these bytes exist and are
   * long enough.
   *
   * @throws FormatException if a member is missing or too short; the exception names the member
   */
  public void requirePresent(long address, long length) {
    SegmentedFile.requirePresent(file, base + address, length);
  }

  /**
   * Reads a metadata block, for example an index leaf that belongs to this rank. Independent.
   *
   * @throws FormatException if the block is outside the file, or if a member of a family or multi
   *     file that contains part of it is missing or too short
   */
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

  /** Reads bytes that the caller has checked to be within the file. Independent. */
  public void read(long address, MemorySegment into) {
    file.readAt(base + address, into);
  }

  /**
   * Reads consecutive bytes, which the caller has checked to be within the file, into blocks of
   * memory. Independent.
   *
   * @return true if the blocks were filled; see {@link MpiFile#scatterAt}
   */
  public boolean scatter(long address, MemorySegment memory, MemoryView places) {
    return file.scatterAt(base + address, memory, places);
  }

  /** Writes bytes to space to which no other rank writes. Independent. */
  public void write(long address, MemorySegment from) {
    file.writeAt(base + address, from);
  }

  /** Writes packed data to the blocks of a view. Collective. */
  public void writeAll(LocalStatus status, FileView view, MemorySegment data) {
    LocalStatus call = new LocalStatus();
    FileView mine = status.isGood() ? view : FileView.EMPTY;
    call.attempt(() -> file.writeAtAll(shifted(mine), data.asSlice(0, mine.totalBytes())));
    count(mine.totalBytes(), 0, mine.blocks());
    adopt(status, call);
  }

  /** Reads the blocks of a view and packs them into {@code data}. Collective. */
  public void readAll(LocalStatus status, FileView view, MemorySegment data) {
    LocalStatus call = new LocalStatus();
    FileView mine = status.isGood() ? view : FileView.EMPTY;
    call.attempt(() -> file.readAtAll(shifted(mine), data.asSlice(0, mine.totalBytes())));
    count(0, mine.totalBytes(), mine.blocks());
    adopt(status, call);
  }

  /**
   * Updates the counts. No lock is needed, since only one thread at a time makes collective calls.
   */
  private void count(long written, long read, long extents) {
    Calls old = calls;
    calls = new Calls(old.written + written, old.read + read, old.extents + extents);
  }

  /** Returns the counts of collective calls. Thread-safe. */
  public Calls calls() {
    return calls;
  }

  /**
   * Sets the size of the file. Collective.
   *
   * @param bytes the number of bytes from the base address to the new end
   */
  public void setSize(LocalStatus status, long bytes) {
    LocalStatus call = new LocalStatus();
    call.attempt(() -> file.setSize(base + bytes));
    adopt(status, call);
  }

  /** Forces all data that was written to the file to stable storage. Collective. */
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
