package io.skerry.format.live;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Checksums;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a live file: the newest epoch, the oldest epoch that can still be read, and the
 * location of the saved blocks. A live file begins with two slots of {@value #BYTES} bytes. The
 * writer overwrites the slot with the lower sequence number, so that a reader always finds at least
 * one complete slot; the complete slot with the higher number is valid.
 *
 * <pre>
 * off  bytes field
 * 0    8     "SKRYLIVE"
 * 8    4     version, 1
 * 12   4     state: 0 writing, 1 closed, 2 ended
 * 16   8     sequence number
 * 24   8     number of the writer, drawn at random
 * 32   8     newest epoch, at most 2^61
 * 40   8     oldest epoch that can be read
 * 48   8     position of the superblock in the HDF5 file
 * 56   4     length of the superblock; 0 before the first flush of a new file
 * 60   4     number of records N, at most 128
 * 64   8     fingerprint of the superblock of the newest epoch
 * 72   8     size of the HDF5 file in state 1, otherwise 0
 * 80   8     its modification time in state 1, in ns since 1970; otherwise 0
 * 88   N x   epoch u64 | offset u64 | length u64
 * .    8     fingerprint of all bytes above
 * </pre>
 *
 * <p>A record is the range of bytes in the live file that holds the {@link SavedBlocks} of one
 * flush, one part for each rank that has replaced blocks. Records are in the order of their epochs.
 *
 * <p>This is Skerry's own format, not part of HDF5.
 *
 * @param state the state of the writer
 * @param sequence the sequence number, at least 1
 * @param writer the number of the writer, which distinguishes successive writers of a file
 * @param newest the epoch of the last completed flush
 * @param oldest the oldest epoch that can be read
 * @param superblock the superblock of the newest epoch
 * @param closed the HDF5 file when the writer closed it
 * @param records the saved blocks of flushes after the oldest epoch, and of a flush in progress
 */
public record LiveSlot(
    State state,
    long sequence,
    long writer,
    long newest,
    long oldest,
    SuperblockPrint superblock,
    FileStamp closed,
    List<Record> records) {
  /** The size of a slot in bytes; the second slot begins here. */
  public static final int BYTES = 4096;

  /** The offset of the first byte in the live file that records may use. */
  public static final long HEAD = 2L * BYTES;

  /** The maximum number of records. */
  public static final int MOST_RECORDS = 128;

  /** The greatest number of an epoch, so that numbers and lock positions do not overflow. */
  private static final long LAST_EPOCH = 1L << 61;

  private static final String MAGIC = "SKRYLIVE";
  private static final int VERSION = 1;

  /** The state of the writer. */
  public enum State {
    /** The file is open for writing, or its writer was killed. */
    WRITING,
    /** The writer has closed the file; the newest epoch is the content of the file. */
    CLOSED,
    /** The live file is no longer valid: the HDF5 file may have been changed without it. */
    ENDED
  }

  /**
   * The identification of a superblock.
   *
   * @param position the position of its first byte in the HDF5 file
   * @param length the number of bytes; 0 if the file has no superblock yet
   * @param fingerprint the {@linkplain Checksums#fingerprint fingerprint}
   */
  public record SuperblockPrint(long position, int length, long fingerprint) {
    /** The value for a file without a superblock. */
    public static final SuperblockPrint NONE = new SuperblockPrint(0, 0, 0);
  }

  /**
   * The size and the modification time of a file, which change if another program writes to it.
   *
   * @param size the number of bytes
   * @param modified the modification time, in nanoseconds since 1970
   */
  public record FileStamp(long size, long modified) {
    /** The value while the file is open for writing. */
    public static final FileStamp NONE = new FileStamp(0, 0);
  }

  /**
   * The location of the blocks that one flush has saved.
   *
   * @param epoch the epoch that the flush has created, or will create
   * @param offset the offset in the live file
   * @param length the number of bytes
   */
  public record Record(long epoch, long offset, long length) {
    /** Returns the offset of the first byte after the record. */
    public long end() {
      return offset + length;
    }
  }

  public LiveSlot {
    records = List.copyOf(records);
  }

  /**
   * Returns the first slot of a writer, before it has published an epoch.
   *
   * @param writer the number of the writer
   * @param epoch the number before that of the first epoch, or the number of the first epoch if the
   *     file has content
   */
  public static LiveSlot initial(long writer, long epoch) {
    return new LiveSlot(
        State.WRITING, 1, writer, epoch, epoch, SuperblockPrint.NONE, FileStamp.NONE, List.of());
  }

  /** Returns a slot of the same writer with another content. */
  public LiveSlot with(
      long number, long newestEpoch, long oldestEpoch, SuperblockPrint print, List<Record> saved) {
    return new LiveSlot(state, number, writer, newestEpoch, oldestEpoch, print, closed, saved);
  }

  /** Returns a slot of the same writer in its final state. */
  public LiveSlot finished(State end, long number, FileStamp stamp) {
    return new LiveSlot(end, number, writer, newest, oldest, superblock, stamp, records);
  }

  /**
   * Encodes the slot.
   *
   * @return {@value #BYTES} bytes
   * @throws IllegalArgumentException if there are too many records
   */
  public MemorySegment encode() {
    if (records.size() > MOST_RECORDS) {
      throw new IllegalArgumentException("too many records: count=" + records.size());
    }
    ByteWriter out = ByteWriter.withCapacity(BYTES);
    out.text(MAGIC).u32(VERSION).u32(state.ordinal()).u64(sequence).u64(writer);
    out.u64(newest).u64(oldest);
    out.u64(superblock.position()).u32(superblock.length()).u32(records.size());
    out.u64(superblock.fingerprint()).u64(closed.size()).u64(closed.modified());
    for (Record record : records) {
      out.u64(record.epoch()).u64(record.offset()).u64(record.length());
    }
    out.u64(Checksums.fingerprint(out.written()));
    return out.zeros(BYTES - out.position()).written();
  }

  /**
   * Returns the valid slot of a live file.
   *
   * @param head the first {@value #HEAD} bytes of the live file
   * @return the complete slot with the higher sequence number; empty if neither slot is complete
   * @throws FormatException if a slot is complete but has an unknown version, or contradicts itself
   */
  public static Optional<LiveSlot> newest(MemorySegment head) {
    Optional<LiveSlot> first = decode(head.asSlice(0, BYTES));
    Optional<LiveSlot> second = decode(head.asSlice(BYTES, BYTES));
    if (first.isEmpty() || second.isEmpty()) {
      return first.or(() -> second);
    }
    return first.get().sequence > second.get().sequence ? first : second;
  }

  /**
   * Returns the place, 0 or 1, of the slot that may be overwritten, since the other one is valid.
   *
   * @param head the first {@value #HEAD} bytes of the live file
   */
  public static int freePlace(MemorySegment head) {
    Optional<LiveSlot> first = decode(head.asSlice(0, BYTES));
    return first.isPresent() && first.equals(newest(head)) ? 1 : 0;
  }

  /**
   * Decodes a slot. Empty if it is incomplete, which is usual while it is being written.
   *
   * @throws FormatException if the slot is complete but has an unknown version, or contradicts
   *     itself
   */
  static Optional<LiveSlot> decode(MemorySegment slot) {
    ByteReader in = ByteReader.of(slot, "slot of a live file");
    boolean signed = in.text(MAGIC.length()).equals(MAGIC);
    long version = in.u32();
    long state = in.u32();
    long sequence = in.i64();
    long writer = in.i64();
    long newest = in.i64();
    long oldest = in.i64();
    long position = in.i64();
    long superblockLength = in.u32();
    long count = in.u32();
    long print = in.i64();
    FileStamp closed = new FileStamp(in.i64(), in.i64());
    if (!signed || count > MOST_RECORDS) {
      return Optional.empty();
    }
    List<Record> records = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      records.add(new Record(in.i64(), in.i64(), in.i64()));
    }
    if (in.i64() != Checksums.fingerprint(slot.asSlice(0, in.position() - Long.BYTES))) {
      return Optional.empty();
    }
    in.expect("version", VERSION, version);
    if (state >= State.values().length) {
      throw in.fault("state", "at most " + (State.values().length - 1), state);
    }
    if (sequence < 1
        || oldest < 0
        || newest < oldest
        || newest > LAST_EPOCH
        || position < 0
        || superblockLength > BYTES) {
      throw in.fault(
          "epochs and superblock",
          "sequence >= 1, 0 <= oldest <= newest <= 2^61, a superblock of at most "
              + BYTES
              + " bytes",
          "sequence=%d oldest=%d newest=%d position=%d length=%d"
              .formatted(sequence, oldest, newest, position, superblockLength));
    }
    records.forEach(record -> check(record, in));
    return Optional.of(
        new LiveSlot(
            State.values()[(int) state],
            sequence,
            writer,
            newest,
            oldest,
            new SuperblockPrint(position, (int) superblockLength, print),
            closed,
            records));
  }

  private static void check(Record record, ByteReader in) {
    if (record.epoch() < 1
        || record.epoch() > LAST_EPOCH
        || record.offset() < HEAD
        || record.length() < 0
        || record.offset() > Long.MAX_VALUE - record.length()) {
      throw in.fault("record", "an epoch from 1 to 2^61 and a range from " + HEAD, record);
    }
  }
}
