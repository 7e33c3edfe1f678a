package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.wire.Exchange;
import io.skerry.exception.FormatException;
import io.skerry.mpi.Communicator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The messages with which the ranks agree on the readers of chunks (see {@link ChunkDealer}). For
 * each source, a rank sends the list of the chunks that it needs to the rank responsible for that
 * source. The responsible rank assigns the shared chunks to readers and sends the answers. The
 * number of messages does not depend on the number of sources or chunks.
 */
final class ChunkDeal {
  private static final int SIGHTING = 0;
  private static final int SOURCE = 1;

  private final Communicator ranks;
  private final ChunkDealer dealer;

  /**
   * For each rank, the numbers of the sources from which it needs chunks, in the order of its
   * message.
   */
  private final SortedMap<Integer, List<Integer>> asked = new TreeMap<>();

  ChunkDeal(Communicator ranks) {
    this.ranks = ranks;
    this.dealer = new ChunkDealer(ranks.size());
  }

  /**
   * The chunks of a source that this rank and other ranks need.
   *
   * @param group the number of the source: equal on all ranks, and unique among the sources
   * @param segments the chunks, in ascending order; empty if there are none
   */
  record Dealt(long group, List<ChunkDealer.Segment> segments) {}

  private int responsible(String text) {
    return SharedNames.responsible(SharedNames.hash(text), ranks);
  }

  /** Returns the messages to the responsible ranks. Local. */
  Exchange.Outbox questions(List<Sighting> sightings, List<? extends SourceChunks<?>> sources) {
    Exchange.Outbox questions = new Exchange.Outbox();
    for (Sighting sighting : sightings) {
      ByteWriter message = questions.to(responsible(sighting.name())).u8(SIGHTING);
      text(message, sighting.name());
      message.u8(sighting.presence().ordinal());
    }
    for (SourceChunks<?> source : sources) {
      ByteWriter message = questions.to(responsible(source.key())).u8(SOURCE);
      text(message, source.key());
      message.u32(source.elementSize());
      source.runs().encode(message);
    }
    return questions;
  }

  private static void text(ByteWriter message, String text) {
    ByteWriter encoded = ByteWriter.create().text(text);
    message.u32(encoded.position()).bytes(encoded.written());
  }

  /** A source and the chunks of it that each rank needs. */
  private record Wanted(int number, int elementSize, SortedMap<Integer, ChunkRuns> byRank) {}

  /** The first sighting received for a name. */
  private record First(int rank, Sighting.Presence presence) {}

  /**
   * Reads the messages of all ranks. Local.
   *
   * @throws FormatException if one rank has found a source that another rank has not found
   */
  void receive(Exchange.Inbox questions) {
    Map<String, First> sightings = new HashMap<>();
    Map<String, Wanted> sources = new LinkedHashMap<>();
    for (int rank : questions.senders()) {
      ByteReader message = questions.from(rank);
      while (message.remaining() > 0) {
        int kind = message.u8();
        String text = message.text(message.u32());
        if (kind == SIGHTING) {
          compare(text, rank, Sighting.Presence.values()[message.u8()], sightings);
        } else {
          int elementSize = message.i32();
          Wanted wanted =
              sources.computeIfAbsent(
                  text, _ -> new Wanted(sources.size(), elementSize, new TreeMap<>()));
          wanted.byRank.put(rank, ChunkRuns.decode(message));
          asked.computeIfAbsent(rank, _ -> new ArrayList<>()).add(wanted.number);
        }
      }
    }
    sources.values().forEach(wanted -> dealer.add(wanted.elementSize, wanted.byRank));
  }

  private static void compare(
      String name, int rank, Sighting.Presence presence, Map<String, First> sightings) {
    First first = sightings.computeIfAbsent(name, _ -> new First(rank, presence));
    if (first.presence != presence) {
      throw new FormatException(
          "source " + name + " of a virtual dataset, on rank " + rank,
          first.presence + " as on rank " + first.rank,
          presence);
    }
  }

  /**
   * Returns whether several ranks need the same chunk of a source for which this rank is
   * responsible. Local.
   */
  boolean isAnyShared() {
    return dealer.isAnyShared();
  }

  /**
   * Assigns readers to the shared chunks of the sources for which this rank is responsible. Local.
   *
   * @param budget the maximum number of bytes of these chunks that a rank sends or receives in a
   *     round; a single chunk may exceed it
   * @return the answers
   */
  Exchange.Outbox answers(long budget) {
    dealer.deal(budget);
    Exchange.Outbox answers = new Exchange.Outbox();
    asked.forEach((rank, sources) -> {
      for (int source : sources) {
        List<ChunkDealer.Segment> segments = dealer.of(source, rank);
        ByteWriter message = answers.to(rank).u32(source).u32(segments.size());
        for (ChunkDealer.Segment segment : segments) {
          message.u64(segment.first()).u64(segment.count());
          message.u32(segment.reader()).u32(segment.round());
        }
      }
    });
    return answers;
  }

  /**
   * Returns the number of rounds in which the values of the chunks that this rank has assigned are
   * sent. Local.
   */
  int rounds() {
    return dealer.rounds();
  }

  /**
   * Decodes the answers of the responsible ranks. Returns the shared chunks of each source, in the
   * order of the sources. Local.
   */
  List<Dealt> dealt(List<? extends SourceChunks<?>> sources, Exchange.Inbox answers) {
    ByteReader[] messages = new ByteReader[ranks.size()];
    Arrays.setAll(messages, answers::from);
    List<Dealt> dealt = new ArrayList<>();
    for (SourceChunks<?> source : sources) {
      int responsible = responsible(source.key());
      ByteReader message = messages[responsible];
      long group = (long) responsible << Integer.SIZE | message.u32();
      List<ChunkDealer.Segment> segments = new ArrayList<>();
      for (long left = message.u32(); left > 0; left--) {
        segments.add(
            new ChunkDealer.Segment(message.i64(), message.i64(), message.i32(), message.i32()));
      }
      dealt.add(new Dealt(group, segments));
    }
    return dealt;
  }
}
