package io.skerry.collective.owner;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
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

/**
 * Who owns the chunks of one write: each rank asks the homes of those that it has pieces for, and
 * the homes tell the writers who the owner is, and the owners what they have got. A rank hears of
 * the chunks that it writes, keeps or owns, and of no others.
 *
 * @param owners the owner of each chunk that this rank has pieces for
 * @param work what this rank owns
 */
public record Ownership(Map<ChunkKey, Integer> owners, SortedMap<ChunkKey, Assignment> work) {

  /**
   * Finds out. Collective.
   *
   * @param directory this rank's share of the homes
   * @param plan what this rank wants to write
   * @param status takes a failure of this rank, which then goes on empty-handed
   */
  public static Ownership settle(
      Communicator ranks, ChunkDirectory directory, WritePlan plan, LocalStatus status) {
    Exchange.Outbox questions = new Exchange.Outbox();
    SortedMap<Integer, List<ChunkKey>> asked = ask(plan, directory, questions);
    Exchange.Inbox asks = Exchange.deliver(ranks, questions, "question to a home");
    Exchange.Outbox replies = status.attempt(() -> directory.answer(asks), new Exchange.Outbox());
    Exchange.Inbox answers = Exchange.deliver(ranks, replies, "answer of a home");
    Ownership settled = new Ownership(new HashMap<>(), new TreeMap<>());
    for (int home : answers.senders()) {
      settled.read(answers.from(home), asked.getOrDefault(home, List.of()));
    }
    return settled;
  }

  private static SortedMap<Integer, List<ChunkKey>> ask(
      WritePlan plan, ChunkDirectory directory, Exchange.Outbox questions) {
    SortedMap<Integer, List<ChunkKey>> asked = new TreeMap<>();
    plan.chunks()
        .forEach((key, chunk) -> {
          int home = directory.indexOwnerOf(key);
          long bytes = chunk.stream().mapToLong(PieceCodec::bytes).sum();
          key.encode(questions.to(home));
          questions.to(home).u64(bytes);
          asked.computeIfAbsent(home, _ -> new ArrayList<>()).add(key);
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
