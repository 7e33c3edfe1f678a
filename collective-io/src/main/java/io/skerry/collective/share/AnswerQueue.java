package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.collective.wire.Exchange;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The chunks that this rank reads for itself and for other ranks. Each chunk is read once. Since
 * the lengths of the answers are known only when they are encoded, the queue stops at a limit and
 * continues when its answers are sent. Local, not thread-safe.
 */
final class AnswerQueue {
  /** The number of bytes of answers above which fewer chunks are read together. */
  private static final long MANY = 1 << 20;

  /** The maximum number of chunks that are read together. */
  private static final int MOST = 256;

  private final long limit;
  private final Map<SourceChunks<SharedAnswers>, SortedMap<Long, List<Ask>>> asked =
      new LinkedHashMap<>();
  private final Deque<Chunk> chunks = new ArrayDeque<>();

  /** Chunks that were read together and whose answers are not encoded yet. */
  private final Deque<Chunk> batch = new ArrayDeque<>();

  /** The encoder of the elements of the batch; empty before the first read. */
  private Optional<SharedAnswers.Answers> read = Optional.empty();

  /** The number of bytes of the answers from the batch. */
  private long answered;

  private int together = 1;
  private long sent;

  /** Elements of one chunk that a rank needs. */
  private sealed interface Ask {
    RunSet elements();
  }

  /**
   * Elements that another rank needs.
   *
   * @param number the number of the request among those of that rank
   */
  private record Sent(RunSet elements, int rank, int number) implements Ask {}

  /**
   * Elements that this rank needs.
   *
   * @param slice the index of the slice in the source
   */
  private record Own(RunSet elements, int slice) implements Ask {}

  /** A chunk and the elements of it that are needed. */
  private record Chunk(SourceChunks<SharedAnswers> source, long number, List<Ask> asks) {
    long[] scaled() {
      return source.numbers().scaled(number);
    }

    RunSet needed() {
      return SourceChunks.union(asks.stream().map(Ask::elements).toList());
    }
  }

  /**
   * Creates an empty queue.
   *
   * @param limit the limit in bytes of the elements that are read together; a single chunk may
   *     exceed it
   */
  AnswerQueue(long limit) {
    this.limit = limit;
  }

  /** Adds elements that another rank needs. */
  void add(DealtSlices.Question<SharedAnswers> question, int rank, int number) {
    of(question.source(), question.chunk()).add(new Sent(question.elements(), rank, number));
  }

  /** Adds a slice that this rank needs. */
  void add(SourceChunks<SharedAnswers> source, int at) {
    of(source, source.chunk(at)).add(new Own(source.slice(at).elements(), source.index(at)));
  }

  private List<Ask> of(SourceChunks<SharedAnswers> source, long chunk) {
    return asked
        .computeIfAbsent(source, _ -> new TreeMap<>())
        .computeIfAbsent(chunk, _ -> new ArrayList<>());
  }

  /** Returns whether all answers have been returned. */
  boolean isEmpty() {
    return asked.isEmpty() && chunks.isEmpty() && batch.isEmpty();
  }

  /**
   * Reads chunks until the answers to other ranks reach a limit.
   *
   * @param most the limit in bytes; the answers from a single chunk may exceed it
   * @return the answers: for each request its number, the length of the answer, and the answer
   */
  Exchange.Outbox next(long most) {
    asked.forEach((source, ofSource) ->
        ofSource.forEach((number, asks) -> chunks.add(new Chunk(source, number, asks))));
    asked.clear();
    Exchange.Outbox answers = new Exchange.Outbox();
    sent = 0;
    while (!isEmpty() && sent < most) {
      if (batch.isEmpty()) {
        read();
      }
      answer(batch.removeFirst(), answers);
      if (batch.isEmpty()) {
        together = answered > MANY ? Math.max(1, together / 2) : Math.min(MOST, 2 * together);
      }
    }
    return answers;
  }

  /** Returns the number of bytes of the last answers to other ranks. */
  long sent() {
    return sent;
  }

  /** Reads the next chunks of one source. */
  private void read() {
    SourceChunks<SharedAnswers> source = chunks.getFirst().source;
    List<Selection> needed = new ArrayList<>();
    long size = 0;
    while (batch.size() < together && !chunks.isEmpty() && chunks.getFirst().source == source) {
      Chunk next = chunks.getFirst();
      RunSet elements = next.needed();
      size += elements.count() * source.elementSize();
      if (size > limit && !batch.isEmpty()) {
        break;
      }
      needed.add(source.source().grid().toDataset(elements, next.scaled()));
      batch.add(chunks.removeFirst());
    }
    read = Optional.of(source.source().read(Selection.unionAll(needed)));
    answered = 0;
  }

  /** Encodes the answers from a chunk of the batch. */
  private void answer(Chunk chunk, Exchange.Outbox answers) {
    SharedAnswers.Answers batchRead = read.orElseThrow();
    Map<RunSet, MemorySegment> encoded = new HashMap<>();
    for (Ask ask : chunk.asks) {
      MemorySegment answer =
          encoded.computeIfAbsent(
              ask.elements(),
              elements -> {
                ByteWriter out = ByteWriter.create();
                batchRead.encode(chunk.scaled(), elements, out);
                return out.written();
              });
      answered += answer.byteSize();
      switch (ask) {
        case Sent(_, int rank, int number) -> {
          answers.to(rank).u32(number).u32(answer.byteSize()).bytes(answer);
          sent += answer.byteSize();
        }
        case Own(_, int slice) ->
            chunk.source.source().take(slice, ByteReader.of(answer, "elements of a chunk"));
      }
    }
  }
}
