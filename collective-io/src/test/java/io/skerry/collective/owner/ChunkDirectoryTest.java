package io.skerry.collective.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.SampleDatasets;
import io.skerry.collective.wire.Exchange;
import io.skerry.format.index.api.ChunkRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChunkDirectoryTest {
  private static final int RANKS = 4;

  private static ChunkDirectory directory() {
    ChunkDirectory directory = new ChunkDirectory(0, RANKS, SampleDatasets.noFile());
    directory.register(SampleDatasets.sparse(48));
    return directory;
  }

  private record Answer(int owner, List<Assignment> assignments) {}

  /** Requests the owner of a chunk of which rank r writes bytes[r] bytes, if any. */
  private static Answer ask(ChunkDirectory directory, long position, long... bytes) {
    SortedMap<Integer, MemorySegment> asks = new TreeMap<>();
    for (int rank = 0; rank < bytes.length; rank++) {
      if (bytes[rank] > 0) {
        ByteWriter ask = ByteWriter.create();
        ChunkKey.of(48, position, 0).encode(ask);
        asks.put(rank, ask.u64(bytes[rank]).written());
      }
    }
    Exchange.Outbox out = directory.answer(new Exchange.Inbox(asks, "ask"));
    int owner = -1;
    List<Assignment> assignments = new ArrayList<>();
    for (int rank = 0; rank < bytes.length; rank++) {
      ByteReader answer = ByteReader.of(out.to(rank).written(), "answer");
      if (bytes[rank] > 0) {
        owner = (int) answer.u32();
      }
      while (answer.remaining() > 0) {
        assignments.add(Assignment.decode(answer));
      }
    }
    return new Answer(owner, assignments);
  }

  @Test
  void the_rank_that_writes_most_becomes_the_owner_and_receives_all_writers() {
    Answer answer = ask(directory(), 3, 10, 0, 30, 20);
    assertEquals(2, answer.owner());
    assertEquals(
        List.of(
            new Assignment(
                ChunkKey.of(48, 3, 0),
                Optional.empty(),
                List.of(
                    new Assignment.Writer(0, 10),
                    new Assignment.Writer(2, 30),
                    new Assignment.Writer(3, 20)))),
        answer.assignments());
  }

  @Test
  void the_least_loaded_of_equal_writers_becomes_the_owner() {
    ChunkDirectory directory = directory();
    assertEquals(0, ask(directory, 0, 10, 10, 10, 10).owner());
    assertEquals(1, ask(directory, 1, 10, 10, 10, 10).owner());
    assertEquals(2, ask(directory, 2, 10, 10, 10, 10).owner());
  }

  @Test
  void the_owner_of_a_dirty_chunk_remains_the_owner_until_a_flush() {
    ChunkDirectory directory = directory();
    assertEquals(1, ask(directory, 3, 0, 5, 0, 0).owner());
    directory.acceptOwners();
    assertEquals(1, ask(directory, 3, 0, 0, 500, 0).owner());
    directory.stored(_ -> {});
    assertEquals(2, ask(directory, 3, 0, 0, 500, 0).owner());
  }

  @Test
  void a_failed_write_does_not_change_the_owners() {
    ChunkDirectory directory = directory();
    ask(directory, 3, 0, 5, 0, 0);
    directory.dropOwners();
    directory.acceptOwners();
    assertEquals(2, ask(directory, 3, 0, 0, 500, 0).owner());
  }

  @Test
  void a_dataset_deleted_before_the_owners_are_final_leaves_the_others_unaffected() {
    ChunkDirectory directory = directory();
    ChunkedDataset deleted = SampleDatasets.sparse(4800);
    directory.register(deleted);
    ask(directory, 3, 0, 5, 0, 0);
    directory.drop(deleted);
    directory.acceptOwners();
    assertEquals(1, ask(directory, 3, 0, 0, 500, 0).owner());
  }

  @Test
  void the_owner_receives_the_record_of_the_stored_chunk() {
    ChunkDirectory directory = directory();
    ChunkRecord record = new ChunkRecord(4096, SectionTable.plain(77));
    directory.update(ChunkKey.of(48, 3, 0), Optional.of(record));
    assertEquals(Optional.of(record), ask(directory, 3, 5).assignments().getFirst().record());
  }

  @Test
  void leaves_of_one_dataset_are_distributed_over_the_ranks() {
    ChunkDirectory directory = directory();
    int[] chunks = new int[RANKS];
    for (long position = 0; position < 100_000; position += 10) {
      chunks[directory.indexOwnerOf(ChunkKey.of(48, position, 0))]++;
    }
    assertTrue(
        Arrays.stream(chunks).allMatch(count -> count > 0),
        "a rank owns no index leaf: " + Arrays.toString(chunks));
  }
}
