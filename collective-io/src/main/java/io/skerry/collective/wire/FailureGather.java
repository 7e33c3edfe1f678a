package io.skerry.collective.wire;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.mpi.Communicator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the ranks that a failure concerns, and gathers texts from some of them. The number of bytes
 * that a rank sends and keeps is proportional to the number of ranks concerned, not to the total
 * number of ranks. Every call is collective.
 */
public final class FailureGather {
  private static final int LONGEST = 2000;

  private final Communicator ranks;

  public FailureGather(Communicator ranks) {
    this.ranks = ranks;
  }

  /** The answer of a rank to the question of whether the failure concerns it. */
  public enum Answer {
    CONCERNED,
    NOT_CONCERNED
  }

  /**
   * Returns the ranks that the failure concerns, ascending. Collective.
   *
   * @param mine the answer of this rank
   */
  public List<Integer> concerned(Answer mine) {
    Exchange.Outbox out = new Exchange.Outbox();
    if (mine == Answer.CONCERNED) {
      out.to(0).u8(1);
    }
    ByteWriter list = ByteWriter.create();
    Exchange.deliver(ranks, out, "answer to a question").senders().forEach(list::u32);
    ByteReader in = broadcast(list);
    List<Integer> found = new ArrayList<>();
    while (in.remaining() > 0) {
      found.add((int) in.u32());
    }
    return found;
  }

  /**
   * Gathers a text from each of the given ranks. Collective.
   *
   * @param of the ranks whose texts are gathered; equal on all ranks
   * @param mine the text of this rank, truncated to 2,000 characters; ignored unless {@code of}
   *     contains this rank
   * @return the texts by rank, on all ranks
   */
  public SortedMap<Integer, String> texts(List<Integer> of, String mine) {
    Exchange.Outbox out = new Exchange.Outbox();
    if (of.contains(ranks.rank())) {
      String cut = mine.length() > LONGEST ? mine.substring(0, LONGEST) + "…" : mine;
      byte[] text = cut.getBytes(StandardCharsets.UTF_8);
      out.to(0).u32(text.length).bytes(text);
    }
    ByteWriter all = ByteWriter.create();
    Exchange.Inbox in = Exchange.deliver(ranks, out, "text of a rank");
    for (int rank : in.senders()) {
      ByteReader message = in.from(rank);
      all.u32(rank).bytes(message.slice(message.remaining()));
    }
    ByteReader read = broadcast(all);
    SortedMap<Integer, String> texts = new TreeMap<>();
    while (read.remaining() > 0) {
      texts.put((int) read.u32(), read.text(read.u32()));
    }
    return texts;
  }

  /**
   * Returns the text of one rank on all ranks. Collective.
   *
   * @param of the rank whose text is returned; equal on all ranks
   * @param mine the text of this rank, truncated to 2,000 characters; ignored on the other ranks
   */
  public String text(int of, String mine) {
    return Objects.requireNonNull(texts(List.of(of), mine).get(of));
  }

  private ByteReader broadcast(ByteWriter ofFirstRank) {
    byte[] bytes = ranks.broadcast(ofFirstRank.toArray(), 0);
    return ByteReader.of(MemorySegment.ofArray(bytes), "failures of ranks");
  }
}
