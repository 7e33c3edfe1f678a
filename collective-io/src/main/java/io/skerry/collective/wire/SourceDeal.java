package io.skerry.collective.wire;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.mpi.Communicator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Deals the sources of a virtual dataset to the ranks that want elements of them. A source that
 * several ranks want is read by one of them. Two exchanges, whatever the number of sources: each
 * rank sends the names of its sources to ranks that follow from the names, and these answer with
 * the reader of each source.
 *
 * @param ranks the ranks that read
 */
public record SourceDeal(Communicator ranks) {
  /**
   * A source that a rank wants.
   *
   * @param name the name, which is equal on all ranks that may share what one of them reads
   * @param elements the number of wanted elements
   */
  public record Source(String name, long elements) {}

  /** The ranks that want one source. */
  private static final class Wanting {
    private final List<Integer> ranks = new ArrayList<>();
    private long elements;
    private int reader = -1;
  }

  /**
   * Returns the rank that reads each source; this rank if no other rank wants the source.
   * Collective.
   *
   * @param sources the sources that this rank wants, each once
   */
  public int[] readers(List<Source> sources) {
    Exchange.Outbox questions = new Exchange.Outbox();
    for (Source source : sources) {
      ByteWriter message = questions.to(judge(source.name()));
      ByteWriter name = ByteWriter.create().text(source.name());
      message.u64(source.elements()).u32(name.position()).bytes(name.written());
    }
    Exchange.Inbox answers =
        Exchange.deliver(
            ranks,
            answers(Exchange.deliver(ranks, questions, "wanted sources")),
            "readers of sources");
    int[] readers = new int[sources.size()];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = answers.from(judge(sources.get(i).name())).i32();
    }
    return readers;
  }

  /** Returns the rank that chooses the reader of a source. */
  private int judge(String name) {
    return Math.floorMod(name.hashCode() * 0x9E3779B9 >>> 8, ranks.size());
  }

  private Exchange.Outbox answers(Exchange.Inbox questions) {
    Map<String, Wanting> all = new LinkedHashMap<>();
    List<List<Wanting>> bySender = new ArrayList<>();
    for (int sender : questions.senders()) {
      List<Wanting> asked = new ArrayList<>();
      ByteReader message = questions.from(sender);
      while (message.remaining() > 0) {
        long elements = message.i64();
        Wanting wanting = all.computeIfAbsent(message.text(message.u32()), _ -> new Wanting());
        wanting.ranks.add(sender);
        wanting.elements = Math.max(wanting.elements, elements);
        asked.add(wanting);
      }
      bySender.add(asked);
    }
    choose(all);
    Exchange.Outbox answers = new Exchange.Outbox();
    int sender = 0;
    for (int rank : questions.senders()) {
      for (Wanting wanting : bySender.get(sender)) {
        answers.to(rank).u32(wanting.reader);
      }
      sender++;
    }
    return answers;
  }

  /** Chooses the readers so that the ranks read about the same number of elements. */
  private void choose(Map<String, Wanting> all) {
    long[] load = new long[ranks.size()];
    int turn = ranks.rank();
    for (Wanting wanting : all.values()) {
      int count = wanting.ranks.size();
      for (int i = 0; i < count; i++) {
        int rank = wanting.ranks.get((turn + i) % count);
        if (wanting.reader < 0 || load[rank] < load[wanting.reader]) {
          wanting.reader = rank;
        }
      }
      load[wanting.reader] += wanting.elements;
    }
  }
}
