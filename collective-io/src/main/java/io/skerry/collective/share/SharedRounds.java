package io.skerry.collective.share;

import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.bytes.SegmentPool;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.share.DealtSlices.Asked;
import io.skerry.collective.share.DealtSlices.Question;
import io.skerry.collective.wire.Exchange;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Reads the chunks that are assigned to this rank, and exchanges values with other ranks. In each
 * round, a rank sends each reader (see {@link ChunkDealer}) a list of the elements that it needs
 * from that reader, and then receives their values. Both ranks compute the number of bytes from the
 * list.
 */
final class SharedRounds {
  private static final int TAG = 7003;

  private final Communicator ranks;
  private final SegmentPool pool;
  private final long limit;
  private final DealtSlices<SharedValues> dealt;

  SharedRounds(Communicator ranks, SegmentPool pool, long limit, DealtSlices<SharedValues> dealt) {
    this.ranks = ranks;
    this.pool = pool;
    this.limit = limit;
    this.dealt = dealt;
  }

  /** Reads the chunks that no other rank needs. Local. */
  void readAlone() {
    dealt.readAlone((source, slices) -> {
      for (List<List<Integer>> some : Rounds.split(byChunk(source, slices), size(source), limit)) {
        ChunkReads reads = new ChunkReads(source, pool);
        some.forEach(ofChunk -> ofChunk.forEach(reads::add));
        reads.run();
      }
    });
  }

  private static List<List<Integer>> byChunk(SourceChunks<?> source, List<Integer> slices) {
    List<List<Integer>> chunks = new ArrayList<>();
    long last = -1;
    for (int at : slices) {
      if (source.chunk(at) != last) {
        chunks.add(new ArrayList<>());
        last = source.chunk(at);
      }
      chunks.getLast().add(at);
    }
    return chunks;
  }

  /** Returns a function that computes the size of the values of slices, in bytes. */
  private static ToLongFunction<List<Integer>> size(SourceChunks<?> source) {
    return slices -> slices.stream().mapToLong(source::bytes).sum();
  }

  private static long bytes(List<Asked<SharedValues>> asked) {
    return asked.stream().mapToLong(some -> size(some.source()).applyAsLong(some.slices())).sum();
  }

  /** Runs a round. Collective. */
  void run(int number, SharedRead read, Leases leases) {
    SortedMap<Integer, List<Asked<SharedValues>>> round = dealt.byReader(number);
    Exchange.Outbox requests =
        read.attempt(() -> dealt.requests(number, ranks.rank()), new Exchange.Outbox());
    Exchange.Inbox received = Exchange.deliver(ranks, requests, "wanted elements of chunks");
    SortedMap<Integer, MemorySegment> outgoing = new TreeMap<>();
    SortedMap<Integer, MemorySegment> incoming = new TreeMap<>();
    read.attempt(() -> {
      serve(round.getOrDefault(ranks.rank(), List.of()), received, outgoing, leases);
      round.forEach((reader, asked) -> {
        if (reader != ranks.rank()) {
          incoming.put(reader, leases.take(bytes(asked)));
        }
      });
    });
    // A rank that has failed does not send, so the others must not wait for its values.
    read.agree();
    transfer(outgoing, incoming, read);
    read.attempt(() ->
        incoming.forEach((reader, values) -> take(round.getOrDefault(reader, List.of()), values)));
  }

  /**
   * Reads the elements that other ranks have requested from this rank, and the elements that this
   * rank itself needs from the chunks that it reads in the round.
   */
  private void serve(
      List<Asked<SharedValues>> own,
      Exchange.Inbox received,
      SortedMap<Integer, MemorySegment> outgoing,
      Leases leases) {
    Map<SourceChunks<SharedValues>, ChunkReads> reads = new LinkedHashMap<>();
    for (int rank : received.senders()) {
      List<Question<SharedValues>> requests = dealt.questions(received.from(rank));
      MemorySegment message = leases.take(requests.stream().mapToLong(SharedRounds::bytes).sum());
      outgoing.put(rank, message);
      long offset = 0;
      for (Question<SharedValues> request : requests) {
        long bytes = bytes(request);
        of(reads, request.source())
            .add(request.chunk(), request.elements(), message.asSlice(offset, bytes));
        offset += bytes;
      }
    }
    for (Asked<SharedValues> asked : own) {
      asked.slices().forEach(of(reads, asked.source())::add);
    }
    reads.values().forEach(ChunkReads::run);
  }

  private static long bytes(Question<SharedValues> question) {
    return question.elements().count() * question.source().elementSize();
  }

  private ChunkReads of(
      Map<SourceChunks<SharedValues>, ChunkReads> reads, SourceChunks<SharedValues> source) {
    return reads.computeIfAbsent(source, _ -> new ChunkReads(source, pool));
  }

  private void transfer(
      SortedMap<Integer, MemorySegment> outgoing,
      SortedMap<Integer, MemorySegment> incoming,
      SharedRead read) {
    List<Request> transfers = new ArrayList<>();
    incoming.forEach((rank, place) -> transfers.add(ranks.receiveLater(place, rank, TAG)));
    outgoing.forEach((rank, values) -> {
      read.moves(values.byteSize());
      transfers.add(ranks.sendLater(values, rank, TAG));
    });
    Request.awaitAll(transfers);
  }

  private static void take(List<Asked<SharedValues>> received, MemorySegment values) {
    long at = 0;
    for (Asked<SharedValues> asked : received) {
      for (int slice : asked.slices()) {
        long bytes = asked.source().bytes(slice);
        asked.source().source().take(asked.source().index(slice), values.asSlice(at, bytes));
        at += bytes;
      }
    }
  }
}
