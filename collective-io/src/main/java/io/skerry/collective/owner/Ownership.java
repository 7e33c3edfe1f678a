package io.skerry.collective.owner;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.mpi.Communicator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The owners of the chunks in one write. Each rank queries the index owners of the chunks for which
 * it has pieces. The index owners reply to each writer with the owners of its chunks, and send each
 * owner its assignments. A rank receives information only about chunks that it writes or owns, or
 * of which it is the index owner.
 *
 * @param owners the owner of each chunk for which this rank has pieces
 * @param work the chunks that this rank owns in this write
 */
public record Ownership(Map<ChunkKey, Integer> owners, SortedMap<ChunkKey, Assignment> work) {

  /**
   * Determines the owners. Collective.
   *
   * @param directory this rank's share of the indexes
   * @param plan the pieces that this rank writes
   * @param status the status that records a failure of this rank, which then continues without data
   */
  public static Ownership settle(
      Communicator ranks, ChunkDirectory directory, WritePlan plan, LocalStatus status) {
    return settle(ranks, directory, plan.chunks(), Ownership::bytes, status);
  }

  private static long bytes(List<Piece> pieces) {
    return pieces.stream().mapToLong(PieceCodec::bytes).sum();
  }

  /**
   * Determines the owners. Collective.
   *
   * @param directory this rank's share of the indexes
   * @param chunks the chunks that this rank writes, each with the data that this rank writes to it
   * @param weight a function that returns this rank's weight for a chunk. A chunk that has no dirty
   *     version is assigned to the rank with the largest weight. The assignment that the owner
   *     receives contains the weight of each writer instead of a number of bytes
   * @param status the status that records a failure of this rank, which then continues without data
   */
  public static <T> Ownership settle(
      Communicator ranks,
      ChunkDirectory directory,
      SortedMap<ChunkKey, T> chunks,
      ToLongFunction<T> weight,
      LocalStatus status) {
    Exchange.Outbox questions = new Exchange.Outbox();
    SortedMap<Integer, List<ChunkKey>> asked = ask(chunks, weight, directory, questions);
    Exchange.Inbox asks = Exchange.deliver(ranks, questions, "question to an index owner");
    Exchange.Outbox replies = status.attempt(() -> directory.answer(asks), new Exchange.Outbox());
    Exchange.Inbox answers = Exchange.deliver(ranks, replies, "answer of an index owner");
    Ownership settled = new Ownership(new HashMap<>(), new TreeMap<>());
    for (int indexOwner : answers.senders()) {
      settled.read(answers.from(indexOwner), asked.getOrDefault(indexOwner, List.of()));
    }
    return settled;
  }

  private static <T> SortedMap<Integer, List<ChunkKey>> ask(
      SortedMap<ChunkKey, T> chunks,
      ToLongFunction<T> weight,
      ChunkDirectory directory,
      Exchange.Outbox questions) {
    SortedMap<Integer, List<ChunkKey>> asked = new TreeMap<>();
    chunks.forEach((key, written) -> {
      int indexOwner = directory.indexOwnerOf(key);
      key.encode(questions.to(indexOwner));
      questions.to(indexOwner).u64(weight.applyAsLong(written));
      asked.computeIfAbsent(indexOwner, _ -> new ArrayList<>()).add(key);
    });
    return asked;
  }

  private void read(ByteReader answer, List<ChunkKey> asked) {
    for (ChunkKey key : asked) {
      owners.put(key, (int) answer.u32());
    }
    while (answer.remaining() > 0) {
      Assignment chunk = Assignment.decode(answer);
      work.put(chunk.key(), chunk);
    }
  }
}
