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
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Locates the chunks that a rank reads, by searching its cache and asking the index owners. The
 * chunks are given either by their keys, or as all stored chunks in areas of a grid.
 */
public final class ChunkLocator {
  /** The first byte of a question that lists chunk keys. */
  private static final int CHUNKS = 0;

  /** The first byte of a question that lists grid areas. */
  private static final int AREAS = 1;

  private final FileContext context;

  public ChunkLocator(FileContext context) {
    this.context = context;
  }

  /**
   * The locations of the requested chunks that exist.
   *
   * @param residents the chunks in memory. The references keep them in memory, since decoding other
   *     chunks may evict them from the cache before they are read.
   * @param records the records of the stored chunks that are not in memory
   */
  public record Located(Map<ChunkKey, MemoryChunk> residents, Map<ChunkKey, ChunkRecord> records) {
    /** Returns the coordinates of the located chunks of a dataset. */
    public List<ChunkCoordinates> chunks(long dataset) {
      return Stream.concat(residents.keySet().stream(), records.keySet().stream())
          .filter(key -> key.dataset() == dataset)
          .map(ChunkKey::chunk)
          .toList();
    }
  }

  /**
   * Locates the chunks with the given keys; asks the index owners about those that are not in
   * memory. Collective; other ranks may call {@link #locateAll} at the same time.
   */
  public Located locate(Collection<ChunkKey> wanted, LocalStatus status) {
    Map<ChunkKey, MemoryChunk> residents = new HashMap<>();
    Exchange.Outbox questions = new Exchange.Outbox();
    SortedMap<Integer, List<ChunkKey>> asked = new TreeMap<>();
    for (ChunkKey key : wanted) {
      Optional<MemoryChunk> resident = context.chunks().find(key);
      if (resident.isPresent()) {
        residents.put(key, resident.get());
      } else {
        int indexOwner = context.directory().indexOwnerOf(key);
        List<ChunkKey> there = asked.computeIfAbsent(indexOwner, _ -> new ArrayList<>());
        if (there.isEmpty()) {
          questions.to(indexOwner).u8(CHUNKS);
        }
        key.encode(questions.to(indexOwner));
        there.add(key);
      }
    }
    Map<ChunkKey, ChunkRecord> records = new HashMap<>();
    Exchange.Inbox answers = ask(questions, status);
    asked.forEach((indexOwner, keys) -> {
      ByteReader answer = answers.from(indexOwner);
      for (ChunkKey key : keys) {
        if (answer.remaining() == 0) {
          break; // The index owner has failed, which the next agreement reports.
        }
        RecordMessage.read(answer).ifPresent(record -> records.put(key, record));
      }
    });
    return new Located(residents, records);
  }

  /**
   * Locates all stored chunks in areas of grids. The datasets of the areas must have no unstored
   * chunks. Collective; other ranks may call {@link #locate} at the same time.
   */
  public Located locateAll(Collection<GridArea> areas, LocalStatus status) {
    Exchange.Outbox questions = new Exchange.Outbox();
    SortedSet<Integer> asked = new TreeSet<>();
    for (GridArea area : areas) {
      for (int indexOwner : context.directory().indexOwnersOf(area)) {
        if (asked.add(indexOwner)) {
          questions.to(indexOwner).u8(AREAS);
        }
        area.encode(questions.to(indexOwner));
      }
    }
    Map<ChunkKey, MemoryChunk> residents = new HashMap<>();
    Map<ChunkKey, ChunkRecord> records = new HashMap<>();
    for (ByteReader answer : ask(questions, status)) {
      while (answer.remaining() > 0) {
        ChunkKey key = ChunkKey.decode(answer);
        Optional<ChunkRecord> record = RecordMessage.read(answer);
        context
            .chunks()
            .find(key)
            .ifPresentOrElse(
                chunk -> residents.put(key, chunk),
                () -> record.ifPresent(found -> records.put(key, found)));
      }
    }
    return new Located(residents, records);
  }

  /**
   * Sends questions to the index owners, answers the questions of other ranks, and returns the
   * answers to the questions of this rank. Collective.
   */
  private Exchange.Inbox ask(Exchange.Outbox questions, LocalStatus status) {
    Exchange.Outbox replies = new Exchange.Outbox();
    Exchange.Inbox asks =
        Exchange.deliver(context.ranks(), questions, "question to an index owner");
    // Ranks that ask for a whole dataset ask for the same area, so each area is searched only once.
    Map<GridArea, SortedMap<ChunkCoordinates, ChunkRecord>> found = new HashMap<>();
    for (int source : asks.senders()) {
      ByteReader ask = asks.from(source);
      status.attempt(() -> {
        if (ask.u8() == CHUNKS) {
          while (ask.remaining() > 0) {
            ChunkKey key = ChunkKey.decode(ask);
            RecordMessage.write(context.directory().record(key), replies.to(source));
          }
        } else {
          while (ask.remaining() > 0) {
            GridArea area = GridArea.decode(ask);
            write(area, found.computeIfAbsent(area, this::found), replies.to(source));
          }
        }
      });
    }
    return Exchange.deliver(context.ranks(), replies, "answer of an index owner");
  }

  private static void write(
      GridArea area, SortedMap<ChunkCoordinates, ChunkRecord> found, ByteWriter reply) {
    found.forEach((chunk, record) -> {
      new ChunkKey(area.dataset(), chunk).encode(reply);
      RecordMessage.write(Optional.of(record), reply);
    });
  }

  private SortedMap<ChunkCoordinates, ChunkRecord> found(GridArea area) {
    NavigableMap<ChunkCoordinates, ChunkRecord> found = new TreeMap<>();
    context.directory().forEach(area, found::put);
    return found;
  }
}
