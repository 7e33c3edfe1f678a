package io.skerry.cache.api;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A store in a map, with images that the format encodes and decodes. Counts the accesses to each
 * chunk and records violations of the rules of {@link ChunkStore}.
 */
public final class MemoryStore implements ChunkStore {
  private final Map<ChunkKey, ChunkImage> images = new ConcurrentHashMap<>();
  private final Map<Long, ChunkFormat> formats = new ConcurrentHashMap<>();
  private final Map<ChunkKey, Use> uses = new ConcurrentHashMap<>();
  private final AtomicInteger storing = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
  private final Set<Long> storedByOthers = ConcurrentHashMap.newKeySet();
  private final String name = "memory " + UUID.randomUUID();
  private volatile Events events = (_, _) -> {};

  /** Kind of access to a chunk. */
  public enum Act {
    LOAD,
    LOCATE,
    ENCODE,
    STORE
  }

  /** Called before each access; may block or fail. */
  @FunctionalInterface
  public interface Events {
    public void before(Act act, ChunkKey key);
  }

  /** The accesses to one chunk, and whether one is in progress. */
  private static final class Use {
    private final Map<Act, Integer> counts = new EnumMap<>(Act.class);
    private boolean busy;

    synchronized void count(Act act) {
      counts.merge(act, 1, Integer::sum);
    }

    synchronized int of(Act act) {
      return counts.getOrDefault(act, 0);
    }

    synchronized boolean begin() {
      boolean alone = !busy;
      busy = true;
      return alone;
    }

    synchronized void end() {
      busy = false;
    }
  }

  /** Adds a dataset with the format of its chunks. */
  public void add(long dataset, ChunkFormat format) {
    formats.put(dataset, format);
  }

  /** Sets the callback before each access. */
  public void before(Events asked) {
    events = asked;
  }

  /** Lets chunks of a dataset be stored by {@link #put} only. */
  public void keepForOthers(long dataset) {
    storedByOthers.add(dataset);
  }

  /** Number of accesses of one kind to a chunk. */
  public int count(Act act, ChunkKey key) {
    return use(key).of(act);
  }

  /** Number of accesses of one kind to all chunks. */
  public int count(Act act) {
    return uses.values().stream().mapToInt(use -> use.of(act)).sum();
  }

  /** The violations of the rules. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  /** Stores an image without the cache, as a flush of several ranks does. */
  void put(ChunkKey key, Optional<ChunkImage> image) {
    image.ifPresentOrElse(bytes -> images.put(key, bytes), () -> images.remove(key));
  }

  /** Deletes chunks without the cache. */
  public void removeIf(Predicate<ChunkKey> which) {
    images.keySet().removeIf(which);
  }

  public boolean isStored(ChunkKey key) {
    return images.containsKey(key);
  }

  /** Decodes a stored chunk without the cache. */
  public MemoryChunk decoded(ChunkKey key) {
    ChunkImage image = images.get(key);
    return image == null ? format(key).newChunk() : format(key).decode(image);
  }

  private ChunkFormat format(ChunkKey key) {
    return formats.get(key.dataset());
  }

  private Use use(ChunkKey key) {
    return uses.computeIfAbsent(key, _ -> new Use());
  }

  /** Executes an access, and records a violation if another access to the chunk is in progress. */
  private <T> T alone(Act act, ChunkKey key, Callable<T> task) throws Exception {
    Use use = use(key);
    if (!use.begin()) {
      violations.add(act + " while something else is done: chunk=" + key);
    }
    try {
      events.before(act, key);
      T result = task.call();
      use.count(act);
      return result;
    } finally {
      use.end();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void load(List<ChunkKey> keys, WorkerPool.Crew crew, Arrival arrival) {
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      int index = i;
      ChunkKey key = keys.get(i);
      tasks.add(() -> {
        arrival.loaded(index, alone(Act.LOAD, key, () -> decoded(key)));
        return true;
      });
    }
    var unused = crew.runAll(tasks);
  }

  // Failures that tests cause are unchecked.
  @SuppressWarnings("CatchingUnchecked")
  @Override
  public Optional<RunSet> locate(ChunkKey key) {
    if (format(key).definedness() == ChunkFormat.Definedness.ALL) {
      return Optional.empty();
    }
    try {
      return alone(
          Act.LOCATE,
          key,
          () -> {
            ChunkImage image = images.get(key);
            return Optional.of(image == null ? RunSet.empty() : format(key).decodeDefined(image));
          });
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Optional<ChunkImage> encode(ChunkKey key, MemoryChunk chunk) {
    events.before(Act.ENCODE, key);
    Optional<ChunkImage> image = format(key).encode(chunk);
    use(key).count(Act.ENCODE);
    return image;
  }

  @Override
  public void store(List<Image> stored) {
    if (storing.incrementAndGet() != 1) {
      violations.add("two threads store at once: images=" + stored);
    }
    List<ChunkKey> begun = new ArrayList<>();
    try {
      for (Image image : stored) {
        if (!use(image.key()).begin()) {
          violations.add("STORE while something else is done: chunk=" + image.key());
        }
        begun.add(image.key());
        if (!storesAnyTime(image.key().dataset())) {
          violations.add("STORE of what others are to store: chunk=" + image.key());
        }
      }
      stored.forEach(image -> events.before(Act.STORE, image.key()));
      for (Image image : stored) {
        put(image.key(), image.image());
        use(image.key()).count(Act.STORE);
      }
    } finally {
      begun.forEach(key -> use(key).end());
      storing.decrementAndGet();
    }
  }

  @Override
  public boolean storesAnyTime(long dataset) {
    return !storedByOthers.contains(dataset);
  }
}
