package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.bytes.SegmentPool;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.wire.Exchange;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Reads the chunks that are assigned to this rank, and exchanges values with other ranks. In each
 * round, a rank sends each reader a list of the elements that it needs from that reader, and then
 * receives their values. Both ranks compute the number of bytes from the list.
 */
final class SharedRounds {
  private static final int TAG = 7003;

  private final Communicator ranks;
  private final SegmentPool pool;
  private final long limit;
  private final Map<Long, SourceChunks> groups = new HashMap<>();

  /**
   * The slices of chunks that no other rank needs, by source; an empty list denotes all slices of
   * the source.
   */
  private final Map<SourceChunks, List<Integer>> alone = new LinkedHashMap<>();

  private final SortedMap<Integer, Round> rounds = new TreeMap<>();

  /**
   * Slices of one source that have the same reader.
   *
   * @param group the number of the source, equal on all ranks
   * @param slices the positions of the slices in {@code source}
   */
  private record Asked(long group, SourceChunks source, List<Integer> slices) {}

  /** The slices of a round, by reader. */
  private record Round(SortedMap<Integer, List<Asked>> byReader) {
    long bytes(int reader) {
      long bytes = 0;
      for (Asked asked : byReader.getOrDefault(reader, List.of())) {
        bytes += size(asked.source).applyAsLong(asked.slices);
      }
      return bytes;
    }
  }

  SharedRounds(Communicator ranks, SegmentPool pool, long limit) {
    this.ranks = ranks;
    this.pool = pool;
    this.limit = limit;
  }

  /** Adds the needed slices of a source. Local. */
  void add(SourceChunks source, ChunkDeal.Dealt dealt) {
    groups.put(dealt.group(), source);
    List<ChunkDealer.Segment> segments = dealt.segments();
    if (segments.isEmpty()) {
      alone.put(source, List.of());
      return;
    }
    int segment = 0;
    for (int at = 0; at < source.size(); at++) {
      long chunk = source.chunk(at);
      while (segment < segments.size() && segments.get(segment).end() <= chunk) {
        segment++;
      }
      if (segment == segments.size() || segments.get(segment).first() > chunk) {
        alone.computeIfAbsent(source, _ -> new ArrayList<>()).add(at);
      } else {
        add(dealt.group(), source, at, segments.get(segment));
      }
    }
  }

  private void add(long group, SourceChunks source, int at, ChunkDealer.Segment segment) {
    List<Asked> ofReader =
        rounds
            .computeIfAbsent(segment.round(), _ -> new Round(new TreeMap<>()))
            .byReader
            .computeIfAbsent(segment.reader(), _ -> new ArrayList<>());
    if (ofReader.isEmpty() || ofReader.getLast().group != group) {
      ofReader.add(new Asked(group, source, new ArrayList<>()));
    }
    ofReader.getLast().slices.add(at);
  }

  /** Reads the chunks that no other rank needs. Local. */
  void readAlone() {
    alone.forEach((source, slices) -> {
      if (slices.isEmpty()) {
        source.source().readAlone();
      }
      for (List<List<Integer>> some : Rounds.split(byChunk(source, slices), size(source), limit)) {
        ChunkReads reads = new ChunkReads(source, pool);
        some.forEach(ofChunk -> ofChunk.forEach(reads::add));
        reads.run();
      }
    });
  }

  private static List<List<Integer>> byChunk(SourceChunks source, List<Integer> slices) {
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
  private static ToLongFunction<List<Integer>> size(SourceChunks source) {
    return slices -> slices.stream().mapToLong(source::bytes).sum();
  }

  /** Runs a round. Collective. */
  void run(int number, SharedRead read, Leases leases) {
    Round round = rounds.getOrDefault(number, new Round(new TreeMap<>()));
    Exchange.Outbox requests = read.attempt(() -> requests(round), new Exchange.Outbox());
    Exchange.Inbox received = Exchange.deliver(ranks, requests, "wanted elements of chunks");
    SortedMap<Integer, MemorySegment> outgoing = new TreeMap<>();
    SortedMap<Integer, MemorySegment> incoming = new TreeMap<>();
    read.attempt(() -> {
      serve(round, received, outgoing, leases);
      round.byReader.keySet().stream()
          .filter(reader -> reader != ranks.rank())
          .forEach(reader -> incoming.put(reader, leases.take(round.bytes(reader))));
    });
    // A rank that has failed does not send, so the others must not wait for its values.
    read.agree();
    transfer(outgoing, incoming, read);
    read.attempt(() -> incoming.forEach((reader, values) -> take(round, reader, values)));
  }

  private Exchange.Outbox requests(Round round) {
    Exchange.Outbox requests = new Exchange.Outbox();
    round.byReader.forEach((reader, sources) -> {
      if (reader != ranks.rank()) {
        sources.forEach(asked -> encode(asked, requests.to(reader)));
      }
    });
    return requests;
  }

  private static void encode(Asked asked, ByteWriter message) {
    message.u64(asked.group).u32(asked.slices.size());
    for (int at : asked.slices) {
      RunSet elements = asked.source.slice(at).elements();
      message.u64(asked.source.chunk(at)).u32(elements.runs());
      for (int run = 0; run < elements.runs(); run++) {
        message.u32(elements.start(run)).u32(elements.length(run));
      }
    }
  }

  /**
   * Elements of a chunk that another rank requests.
   *
   * @param offset the offset of their values in the message to that rank, in bytes
   */
  private record Question(SourceChunks source, long chunk, RunSet elements, long offset) {}

  /**
   * Reads the elements that other ranks have requested from this rank, and the elements that this
   * rank itself needs from the chunks that it reads in the round.
   */
  private void serve(
      Round round,
      Exchange.Inbox received,
      SortedMap<Integer, MemorySegment> outgoing,
      Leases leases) {
    Map<SourceChunks, ChunkReads> reads = new LinkedHashMap<>();
    for (int rank : received.senders()) {
      List<Question> requests = new ArrayList<>();
      long bytes = decode(received.from(rank), requests);
      MemorySegment message = leases.take(bytes);
      outgoing.put(rank, message);
      for (Question request : requests) {
        MemorySegment place =
            message.asSlice(
                request.offset, request.elements.count() * request.source.elementSize());
        of(reads, request.source).add(request.chunk, request.elements, place);
      }
    }
    for (Asked own : round.byReader.getOrDefault(ranks.rank(), List.of())) {
      own.slices.forEach(of(reads, own.source)::add);
    }
    reads.values().forEach(ChunkReads::run);
  }

  private ChunkReads of(Map<SourceChunks, ChunkReads> reads, SourceChunks source) {
    return reads.computeIfAbsent(source, _ -> new ChunkReads(source, pool));
  }

  /** Decodes the requests of a rank, and returns the number of bytes that the rank will receive. */
  private long decode(ByteReader message, List<Question> requests) {
    long offset = 0;
    while (message.remaining() > 0) {
      SourceChunks source = Objects.requireNonNull(groups.get(message.i64()), "a dealt source");
      for (long slices = message.u32(); slices > 0; slices--) {
        long chunk = message.i64();
        long runs = message.u32();
        RunSet.Builder elements = new RunSet.Builder();
        for (; runs > 0; runs--) {
          long start = message.u32();
          elements.add(start, start + message.u32());
        }
        requests.add(new Question(source, chunk, elements.build(), offset));
        offset += requests.getLast().elements.count() * source.elementSize();
      }
    }
    return offset;
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

  private static void take(Round round, int reader, MemorySegment values) {
    long at = 0;
    for (Asked asked : round.byReader.getOrDefault(reader, List.of())) {
      for (int slice : asked.slices) {
        long bytes = asked.source.bytes(slice);
        asked.source.source().take(asked.source.index(slice), values.asSlice(at, bytes));
        at += bytes;
      }
    }
  }
}
