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
 * Asks all ranks which of them are concerned by something, and some of them what they have to say.
 * What a rank sends and keeps goes with the number of those, not with the number of ranks. Used
 * when something has gone wrong; every call is collective.
 */
public final class FailureGather {
  private static final int LONGEST = 2000;

  private final Communicator ranks;

  public FailureGather(Communicator ranks) {
    this.ranks = ranks;
  }

  /** Whether something concerns this rank. */
  public enum Answer {
    CONCERNED,
    NOT_CONCERNED
  }

  /** The ranks that are concerned, ascending. Collective. */
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
   * What some ranks say, by rank. Collective.
   *
   * @param of the same on all ranks
   * @param mine what this rank says if it is among them; cut if it is long
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
      ByteReader letter = in.from(rank);
      all.u32(rank).bytes(letter.slice(letter.remaining()));
    }
    ByteReader read = broadcast(all);
    SortedMap<Integer, String> texts = new TreeMap<>();
    while (read.remaining() > 0) {
      texts.put((int) read.u32(), read.text(read.u32()));
    }
    return texts;
  }

  /** What one rank says. Collective. */
  public String text(int of, String mine) {
    return Objects.requireNonNull(texts(List.of(of), mine).get(of));
  }

  private ByteReader broadcast(ByteWriter ofTheFirst) {
    byte[] bytes = ranks.broadcast(ofTheFirst.toArray(), 0);
    return ByteReader.of(MemorySegment.ofArray(bytes), "what ranks say");
  }
}
