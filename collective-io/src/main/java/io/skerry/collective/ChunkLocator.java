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
    int n = session.ranks().size();
    Exchange.Outbox questions = new Exchange.Outbox(n);
    List<List<ChunkKey>> asked = new ArrayList<>();
    for (int rank = 0; rank < n; rank++) {
      asked.add(new ArrayList<>());
    }
    for (ChunkKey key : wanted) {
      Optional<MemoryChunk> resident = session.cache().find(key);
      if (resident.isPresent()) {
        residents.put(key, resident.get());
      } else {
        int home = session.directory().homeOf(key);
        key.encode(questions.to(home));
        asked.get(home).add(key);
      }
    }
    Exchange.Outbox replies = new Exchange.Outbox(n);
    List<ByteReader> asks = Exchange.deliver(session.ranks(), questions, "question to a home");
    for (int source = 0; source < n; source++) {
      ByteReader ask = asks.get(source);
      int to = source;
      status.attempt(() -> {
        while (ask.remaining() > 0) {
          ChunkKey key = ChunkKey.decode(ask);
          RecordLetter.write(session.directory().record(key), replies.to(to));
        }
      });
    }
    Map<ChunkKey, ChunkRecord> records = new HashMap<>();
    List<ByteReader> answers = Exchange.deliver(session.ranks(), replies, "answer of a home");
    for (int home = 0; home < n; home++) {
      ByteReader answer = answers.get(home);
      for (ChunkKey key : asked.get(home)) {
        if (answer.remaining() == 0) {
          break; // The home failed; the agreement that follows tells.
        }
        RecordLetter.read(answer).ifPresent(record -> records.put(key, record));
      }
    }
    return new Located(residents, records);
  }
}
