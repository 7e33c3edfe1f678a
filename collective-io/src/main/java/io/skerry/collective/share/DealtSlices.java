package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.collective.wire.Exchange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The slices that this rank needs: those of chunks that no other rank needs, and those of shared
 * chunks, by round and reader. Local, not thread-safe.
 *
 * @param <S> the kind of source
 */
final class DealtSlices<S extends SharedSource> {
  private final Map<Long, SourceChunks<S>> groups = new HashMap<>();

  /**
   * The slices of chunks that no other rank needs, by source; an empty list denotes all slices of
   * the source.
   */
  private final Map<SourceChunks<S>, List<Integer>> alone = new LinkedHashMap<>();

  private final SortedMap<Integer, SortedMap<Integer, List<Asked<S>>>> rounds = new TreeMap<>();

  /**
   * Slices of one source that have the same reader.
   *
   * @param group the number of the source, equal on all ranks
   * @param slices the positions of the slices in {@code source}
   */
  record Asked<S extends SharedSource>(long group, SourceChunks<S> source, List<Integer> slices) {}

  /** Elements of a chunk that another rank requests. */
  record Question<S extends SharedSource>(SourceChunks<S> source, long chunk, RunSet elements) {}

  /** Adds the needed slices of a source. */
  void add(SourceChunks<S> source, ChunkDeal.Dealt dealt) {
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

  private void add(long group, SourceChunks<S> source, int at, ChunkDealer.Segment segment) {
    List<Asked<S>> ofReader =
        rounds
            .computeIfAbsent(segment.round(), _ -> new TreeMap<>())
            .computeIfAbsent(segment.reader(), _ -> new ArrayList<>());
    if (ofReader.isEmpty() || ofReader.getLast().group != group) {
      ofReader.add(new Asked<>(group, source, new ArrayList<>()));
    }
    ofReader.getLast().slices.add(at);
  }

  /**
   * Reads the sources that have no shared chunks. For the other sources, calls {@code reader} with
   * the slices of the chunks that no other rank needs.
   */
  void readAlone(BiConsumer<SourceChunks<S>, List<Integer>> reader) {
    alone.forEach((source, slices) -> {
      if (slices.isEmpty()) {
        source.source().readAlone();
      } else {
        reader.accept(source, slices);
      }
    });
  }

  /** Returns the slices of a round, by reader. */
  SortedMap<Integer, List<Asked<S>>> byReader(int round) {
    return rounds.getOrDefault(round, Collections.emptySortedMap());
  }

  /**
   * Returns the messages with which this rank requests elements from other ranks in the given
   * round.
   */
  Exchange.Outbox requests(int round, int self) {
    Exchange.Outbox requests = new Exchange.Outbox();
    byReader(round)
        .forEach((reader, sources) -> {
          if (reader != self) {
            sources.forEach(asked -> encode(asked, requests.to(reader)));
          }
        });
    return requests;
  }

  private static void encode(Asked<?> asked, ByteWriter message) {
    message.u64(asked.group).u32(asked.slices.size());
    for (int at : asked.slices) {
      message.u64(asked.source.chunk(at));
      encode(asked.source.slice(at).elements(), message);
    }
  }

  private static void encode(RunSet elements, ByteWriter message) {
    message.u32(elements.runs());
    for (int run = 0; run < elements.runs(); run++) {
      message.u32(elements.start(run)).u32(elements.length(run));
    }
  }

  /** Decodes the requests of another rank, in the order of the slices of that rank. */
  List<Question<S>> questions(ByteReader message) {
    List<Question<S>> questions = new ArrayList<>();
    while (message.remaining() > 0) {
      SourceChunks<S> source = Objects.requireNonNull(groups.get(message.i64()), "a dealt source");
      for (long slices = message.u32(); slices > 0; slices--) {
        questions.add(new Question<>(source, message.i64(), elements(message)));
      }
    }
    return questions;
  }

  private static RunSet elements(ByteReader message) {
    RunSet.Builder elements = new RunSet.Builder();
    for (long runs = message.u32(); runs > 0; runs--) {
      long start = message.u32();
      elements.add(start, start + message.u32());
    }
    return elements.build();
  }
}
