package io.skerry.collective.owner;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.format.index.api.ChunkRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The message that assigns a chunk to its owner, sent by the index owner of the chunk.
 *
 * @param key the chunk
 * @param record the record of the stored chunk; empty if the chunk is not stored
 * @param writers the ranks that have pieces for the chunk, ascending
 */
public record Assignment(ChunkKey key, Optional<ChunkRecord> record, List<Writer> writers) {

  /**
   * A rank with pieces for the chunk.
   *
   * @param rank the rank
   * @param bytes the total size of its encoded pieces in bytes, or the weight that the caller of
   *     {@link Ownership#settle} supplies instead
   */
  public record Writer(int rank, long bytes) {}

  void encode(ByteWriter out) {
    key.encode(out);
    RecordMessage.write(record, out);
    out.u32(writers.size());
    for (Writer writer : writers) {
      out.u32(writer.rank()).u64(writer.bytes());
    }
  }

  /** Decodes an assignment. */
  public static Assignment decode(ByteReader in) {
    ChunkKey key = ChunkKey.decode(in);
    Optional<ChunkRecord> record = RecordMessage.read(in);
    long count = in.u32();
    List<Writer> writers = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      writers.add(new Writer((int) in.u32(), in.i64()));
    }
    return new Assignment(key, record, List.copyOf(writers));
  }
}
