package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.wire.Exchange;
import io.skerry.mpi.Communicator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the names that several ranks have. The number of exchanges is two, regardless of the number
 * of names: each rank sends the hash of each of its names to the rank that the hash determines, and
 * receives an answer from that rank.
 *
 * @param ranks the ranks that compare their names
 */
record SharedNames(Communicator ranks) {
  /** The rank that first sent a hash, and whether another rank sent it too. */
  private static final class Senders {
    private final int first;
    private boolean several;

    Senders(int first) {
      this.first = first;
    }
  }

  /**
   * Returns for each name whether another rank has it. Since only hashes are compared, the result
   * may also be true for a name that only this rank has. Collective.
   *
   * @param names the names of this rank, each once
   */
  boolean[] elsewhere(List<String> names) {
    Exchange.Outbox questions = new Exchange.Outbox();
    for (String name : names) {
      long hash = hash(name);
      questions.to(responsible(hash, ranks)).u64(hash);
    }
    Exchange.Inbox answers =
        Exchange.deliver(
            ranks,
            answers(Exchange.deliver(ranks, questions, "hashes of names")),
            "names of several ranks");
    boolean[] elsewhere = new boolean[names.size()];
    for (int i = 0; i < elsewhere.length; i++) {
      elsewhere[i] = answers.from(responsible(hash(names.get(i)), ranks)).u8() != 0;
    }
    return elsewhere;
  }

  private static Exchange.Outbox answers(Exchange.Inbox questions) {
    Map<Long, Senders> senders = new HashMap<>();
    List<List<Senders>> asked = new ArrayList<>();
    for (int rank : questions.senders()) {
      List<Senders> ofRank = new ArrayList<>();
      ByteReader message = questions.from(rank);
      while (message.remaining() > 0) {
        Senders of = senders.computeIfAbsent(message.i64(), _ -> new Senders(rank));
        of.several |= of.first != rank;
        ofRank.add(of);
      }
      asked.add(ofRank);
    }
    Exchange.Outbox answers = new Exchange.Outbox();
    int sender = 0;
    for (int rank : questions.senders()) {
      asked.get(sender++).forEach(of -> answers.to(rank).u8(of.several ? 1 : 0));
    }
    return answers;
  }

  static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  /** Returns the rank to which all ranks send their messages about names with the given hash. */
  static int responsible(long hash, Communicator ranks) {
    return (int) Long.remainderUnsigned(hash * 0x9E3779B97F4A7C15L >>> 16, ranks.size());
  }
}
