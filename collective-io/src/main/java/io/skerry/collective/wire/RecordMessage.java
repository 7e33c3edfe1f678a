package io.skerry.collective.wire;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.index.api.ChunkRecord;
import java.util.Optional;

/**
 * Encodes and decodes the record of a chunk in a message between ranks: {@code u8 present | u64
 * address | u64 size | three u8 counts | offsets | unfiltered sizes | filter masks}. This is not a
 * file format: sender and receiver run the same code.
 */
public final class RecordMessage {
  private RecordMessage() {}

  /** Appends a record, or a marker byte if there is none. */
  public static void write(Optional<ChunkRecord> record, ByteWriter out) {
    if (record.isEmpty()) {
      out.u8(0);
      return;
    }
    SectionTable sections = record.get().sections();
    out.u8(1).u64(record.get().address()).u64(sections.size());
    out.u8(sections.offsets().length);
    out.u8(sections.unfilteredSizes().length);
    out.u8(sections.filterMasks().length);
    for (long offset : sections.offsets()) {
      out.u64(offset);
    }
    for (long size : sections.unfilteredSizes()) {
      out.u64(size);
    }
    for (int mask : sections.filterMasks()) {
      out.u32(mask & 0xffffffffL);
    }
  }

  /** Reads a record that {@link #write} has appended; empty if there is none. */
  public static Optional<ChunkRecord> read(ByteReader in) {
    if (in.u8() == 0) {
      return Optional.empty();
    }
    long address = in.i64();
    long size = in.i64();
    long[] offsets = new long[in.u8()];
    long[] unfiltered = new long[in.u8()];
    int[] masks = new int[in.u8()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = in.i64();
    }
    for (int i = 0; i < unfiltered.length; i++) {
      unfiltered[i] = in.i64();
    }
    for (int i = 0; i < masks.length; i++) {
      masks[i] = in.i32();
    }
    return Optional.of(
        new ChunkRecord(address, new SectionTable(size, offsets, unfiltered, masks)));
  }
}
