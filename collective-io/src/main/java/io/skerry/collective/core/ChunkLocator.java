package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.owner.GridArea;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.format.index.api.ChunkRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds chunks that a rank wants to read: in its cache, or by asking their homes, either by name or
 * for all that are stored in areas of a grid.
 */
public final class ChunkLocator {
  /** First byte of a question: names of chunks follow. */
  private static final int CHUNKS = 0;

  /** First byte of a question: areas of grids follow. */
  private static final int AREAS = 1;

  private final FileContext session;

  public ChunkLocator(FileContext session) {
    this.session = session;
  }

  /**
   * Where the wanted chunks are. Residents are held, since decoding others may push them out of the
   * cache before their turn.
   */
  public record Located(Map<ChunkKey, MemoryChunk> residents, Map<ChunkKey, ChunkRecord> records) {
    /** The chunks of a dataset that were found. */
    public List<ChunkCoordinates> chunks(long dataset) {
      return Stream.concat(residents.keySet().stream(), records.keySet().stream())
          .filter(key -> key.dataset() == dataset)
          .map(ChunkKey::chunk)
          .toList();
    }
  }

  /** Asks the homes about chunks that are not in memory. Collective, as the other form is. */
  public Located locate(Collection<ChunkKey> wanted, LocalStatus status) {
    Map<ChunkKey, MemoryChunk> residents = new HashMap<>();
    Exchange.Outbox questions = new Exchange.Outbox();
    SortedMap<Integer, List<ChunkKey>> asked = new TreeMap<>();
    for (ChunkKey key : wanted) {
      Optional<MemoryChunk> resident = session.cache().find(key);
      if (resident.isPresent()) {
        residents.put(key, resident.get());
      } else {
        int home = session.directory().indexOwnerOf(key);
        List<ChunkKey> there = asked.computeIfAbsent(home, _ -> new ArrayList<>());
        if (there.isEmpty()) {
          questions.to(home).u8(CHUNKS);
        }
        key.encode(questions.to(home));
        there.add(key);
      }
    }
    Map<ChunkKey, ChunkRecord> records = new HashMap<>();
    Exchange.Inbox answers = ask(questions, status);
    asked.forEach((home, keys) -> {
      ByteReader answer = answers.from(home);
      for (ChunkKey key : keys) {
        if (answer.remaining() == 0) {
          break; // The home failed; the agreement that follows tells.
        }
        RecordMessage.read(answer).ifPresent(record -> records.put(key, record));
      }
    });
    return new Located(residents, records);
  }

  /**
   * Asks the homes for all chunks that are stored in areas of grids, when nothing is unstored.
   * Collective, and what a rank does while others ask by name.
   */
  public Located locateAll(Collection<GridArea> areas, LocalStatus status) {
    Exchange.Outbox questions = new Exchange.Outbox();
    SortedSet<Integer> asked = new TreeSet<>();
    for (GridArea area : areas) {
      for (int home : session.directory().indexOwnersOf(area)) {
        if (asked.add(home)) {
          questions.to(home).u8(AREAS);
        }
        area.encode(questions.to(home));
      }
    }
    Map<ChunkKey, MemoryChunk> residents = new HashMap<>();
    Map<ChunkKey, ChunkRecord> records = new HashMap<>();
    for (ByteReader answer : ask(questions, status)) {
      while (answer.remaining() > 0) {
        ChunkKey key = ChunkKey.decode(answer);
        Optional<ChunkRecord> record = RecordMessage.read(answer);
        session
            .cache()
            .find(key)
            .ifPresentOrElse(
                chunk -> residents.put(key, chunk),
                () -> record.ifPresent(found -> records.put(key, found)));
      }
    }
    return new Located(residents, records);
  }

  /** Sends questions, and answers those of the others. Collective. */
  private Exchange.Inbox ask(Exchange.Outbox questions, LocalStatus status) {
    Exchange.Outbox replies = new Exchange.Outbox();
    Exchange.Inbox asks = Exchange.deliver(session.ranks(), questions, "question to a home");
    // Ranks that ask for all of a dataset ask for the same.
    Map<GridArea, SortedMap<ChunkCoordinates, ChunkRecord>> homed = new HashMap<>();
    for (int source : asks.senders()) {
      ByteReader ask = asks.from(source);
      status.attempt(() -> {
        if (ask.u8() == CHUNKS) {
          while (ask.remaining() > 0) {
            ChunkKey key = ChunkKey.decode(ask);
            RecordMessage.write(session.directory().record(key), replies.to(source));
          }
        } else {
          while (ask.remaining() > 0) {
            GridArea area = GridArea.decode(ask);
            write(area, homed.computeIfAbsent(area, this::homed), replies.to(source));
          }
        }
      });
    }
    return Exchange.deliver(session.ranks(), replies, "answer of a home");
  }

  private static void write(
      GridArea area, SortedMap<ChunkCoordinates, ChunkRecord> found, ByteWriter reply) {
    found.forEach((chunk, record) -> {
      new ChunkKey(area.dataset(), chunk).encode(reply);
      RecordMessage.write(Optional.of(record), reply);
    });
  }

  private SortedMap<ChunkCoordinates, ChunkRecord> homed(GridArea area) {
    SortedMap<ChunkCoordinates, ChunkRecord> found = new TreeMap<>();
    session.directory().forEach(area, found::put);
    return found;
  }
}
