package io.skerry.collective;

import io.skerry.cache.ChunkKey;
import io.skerry.chunk.MemoryChunk;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.owner.RecordLetter;
import io.skerry.format.index.ChunkRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds chunks that a rank wants to read: in its cache, or by asking their homes. */
final class ChunkLocator {
  private final Session session;

  ChunkLocator(Session session) {
    this.session = session;
  }

  /**
   * Where the wanted chunks are. Residents are held, since decoding others may push them out of the
   * cache before their turn.
   */
  record Located(Map<ChunkKey, MemoryChunk> residents, Map<ChunkKey, ChunkRecord> records) {}

  /** Asks the homes about chunks that are not in memory. Collective. */
  Located locate(Collection<ChunkKey> wanted, LocalStatus status) {
    Map<ChunkKey, MemoryChunk> residents = new HashMap<>();
    Exchange.Outbox questions = new Exchange.Outbox();
    SortedMap<Integer, List<ChunkKey>> asked = new TreeMap<>();
    for (ChunkKey key : wanted) {
      Optional<MemoryChunk> resident = session.cache().find(key);
      if (resident.isPresent()) {
        residents.put(key, resident.get());
      } else {
        int home = session.directory().homeOf(key);
        key.encode(questions.to(home));
        asked.computeIfAbsent(home, _ -> new ArrayList<>()).add(key);
      }
    }
    Exchange.Outbox replies = new Exchange.Outbox();
    Exchange.Inbox asks = Exchange.deliver(session.ranks(), questions, "question to a home");
    for (int source : asks.senders()) {
      ByteReader ask = asks.from(source);
      status.attempt(() -> {
        while (ask.remaining() > 0) {
          ChunkKey key = ChunkKey.decode(ask);
          RecordLetter.write(session.directory().record(key), replies.to(source));
        }
      });
    }
    Map<ChunkKey, ChunkRecord> records = new HashMap<>();
    Exchange.Inbox answers = Exchange.deliver(session.ranks(), replies, "answer of a home");
    asked.forEach((home, keys) -> {
      ByteReader answer = answers.from(home);
      for (ChunkKey key : keys) {
        if (answer.remaining() == 0) {
          break; // The home failed; the agreement that follows tells.
        }
        RecordLetter.read(answer).ifPresent(record -> records.put(key, record));
      }
    });
    return new Located(residents, records);
  }
}
