package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.share.DealtSlices.Asked;
import io.skerry.collective.share.DealtSlices.Question;
import io.skerry.collective.wire.Exchange;
import io.skerry.mpi.Communicator;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the chunks that are assigned to this rank, and exchanges answers of varying length. A rank
 * sends each reader (see {@link ChunkDealer}) a list of the elements that it needs from that
 * reader. The readers then send their answers in as many exchanges as the limit requires. A rank
 * receives only answers that it needs.
 */
final class AnswerExchange {
  /**
   * The number of the only round. The chunks are not divided among rounds, since the lengths of the
   * answers are not known in advance.
   */
  private static final int ROUND = 0;

  /**
   * The maximum share of the limit, in bytes. A buffer can hold the share and the answers from one
   * more chunk.
   */
  private static final long MOST = 1 << 29;

  private final Communicator ranks;
  private final long limit;
  private final DealtSlices<SharedAnswers> dealt;

  /** The slices that this rank has requested from each reader, in the order of the requests. */
  private final SortedMap<Integer, List<Wanted>> wanted = new TreeMap<>();

  /**
   * A slice of a source.
   *
   * @param slice its index in the source
   */
  private record Wanted(SharedAnswers source, int slice) {}

  /**
   * Creates an exchange.
   *
   * @param limit the approximate number of bytes that a rank reads, sends or receives at a time
   */
  AnswerExchange(Communicator ranks, long limit, DealtSlices<SharedAnswers> dealt) {
    this.ranks = ranks;
    this.limit = limit;
    this.dealt = dealt;
  }

  /** Reads the chunks that no other rank needs. Local. */
  void readAlone() {
    dealt.readAlone((source, slices) -> {
      AnswerQueue queue = new AnswerQueue(limit);
      slices.forEach(at -> queue.add(source, at));
      var unused = queue.next(limit);
    });
  }

  /** Reads the shared chunks. Collective. */
  void run(SharedRead read) {
    Exchange.Outbox requests =
        read.attempt(() -> dealt.requests(ROUND, ranks.rank()), new Exchange.Outbox());
    Exchange.Inbox received = Exchange.deliver(ranks, requests, "wanted elements of chunks");
    AnswerQueue queue = new AnswerQueue(limit);
    read.attempt(() -> {
      list();
      collect(received, queue);
    });
    long senders = read.agreeOnSenders(queue);
    while (senders > 0) {
      // All senders may answer the same rank, which must not receive more than the limit.
      long share = Math.min(MOST, Math.max(1, limit / senders));
      Exchange.Outbox answers = read.attempt(() -> queue.next(share), new Exchange.Outbox());
      // A rank that has failed sends no answers, so the others must not wait for them.
      senders = read.agreeOnSenders(queue);
      read.moves(queue.sent());
      Exchange.Inbox incoming = Exchange.deliver(ranks, answers, "elements of chunks");
      read.attempt(() -> incoming.senders().forEach(rank -> take(rank, incoming.from(rank))));
    }
  }

  private void list() {
    dealt
        .byReader(ROUND)
        .forEach((reader, sources) -> {
          List<Wanted> ofReader = new ArrayList<>();
          for (Asked<SharedAnswers> asked : sources) {
            SourceChunks<SharedAnswers> source = asked.source();
            asked
                .slices()
                .forEach(at -> ofReader.add(new Wanted(source.source(), source.index(at))));
          }
          wanted.put(reader, ofReader);
        });
  }

  private void collect(Exchange.Inbox received, AnswerQueue queue) {
    for (int rank : received.senders()) {
      int number = 0;
      for (Question<SharedAnswers> question : dealt.questions(received.from(rank))) {
        queue.add(question, rank, number++);
      }
    }
    for (Asked<SharedAnswers> own : dealt.byReader(ROUND).getOrDefault(ranks.rank(), List.of())) {
      own.slices().forEach(at -> queue.add(own.source(), at));
    }
  }

  private void take(int reader, ByteReader answers) {
    List<Wanted> requested = wanted.getOrDefault(reader, List.of());
    while (answers.remaining() > 0) {
      Wanted slice = requested.get(answers.i32());
      slice.source.take(slice.slice, answers.sub(answers.u32(), "elements of a chunk"));
    }
  }
}
