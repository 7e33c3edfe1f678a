package io.skerry.iod.rados.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A namespace of a pool. Methods are local, and thread-safe except {@link #keep}, {@link #readAt}
 * and {@link #close}; they throw a {@link RadosException} if the library reports a failure.
 */
public final class Pool implements AutoCloseable {
  private final Librados library;
  private final MemorySegment handle;

  Pool(Librados library, MemorySegment handle) {
    this.library = library;
    this.handle = handle;
  }

  /** A pair of an object. */
  public record Pair(byte[] key, byte[] value) {}

  /** A page of pairs in the unsigned order of their keys; {@code hasMore} if more pairs follow. */
  public record Pairs(List<Pair> pairs, boolean hasMore) {}

  static MemorySegment string(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
    return text;
  }

  /** Begins a change of an object. */
  public WriteOperation change() {
    return new WriteOperation(library);
  }

  /** Stores a change, and waits until all replicas have stored it. */
  public void write(String object, WriteOperation change) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(object);
      int unused =
          Librados.checked(
              "rados_write_op_operate",
              object,
              () ->
                  (int)
                      library.operateWrite.invokeExact(
                          change.handle(), handle, name, MemorySegment.NULL, 0));
    }
  }

  /**
   * Passes a change to the cluster. Changes of one object are stored in the order of their
   * submission.
   *
   * @param accepted the error numbers that do not count as failures
   */
  public Submission submit(String object, WriteOperation change, Set<Integer> accepted) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(object);
      return Submission.of(
          library,
          "rados_aio_write_op_operate",
          object,
          accepted,
          completion ->
              (int)
                  library.submitWrite.invokeExact(
                      change.handle(), handle, completion, name, MemorySegment.NULL, 0));
    }
  }

  /** Returns an attribute; empty if the object or the attribute is missing. */
  public Optional<byte[]> attribute(String object, String name) {
    return attributes(object).flatMap(all -> Optional.ofNullable(all.get(name)));
  }

  /** Returns all attributes; empty if the object is missing. */
  public Optional<NavigableMap<String, byte[]>> attributes(String object) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      MemorySegment name = arena.allocateFrom(object);
      int result = Librados.call(() -> (int) library.getAttributes.invokeExact(handle, name, made));
      if (result == -RadosException.NO_ENTRY) {
        return Optional.empty();
      }
      if (result < 0) {
        throw new RadosException("rados_getxattrs", object, -result);
      }
      return Optional.of(collect(arena, made.get(ADDRESS, 0)));
    }
  }

  private NavigableMap<String, byte[]> collect(Arena arena, MemorySegment found) {
    NavigableMap<String, byte[]> all = new TreeMap<>();
    MemorySegment name = arena.allocate(ADDRESS);
    MemorySegment value = arena.allocate(ADDRESS);
    MemorySegment size = arena.allocate(JAVA_LONG);
    try {
      while (true) {
        int result = (int) library.nextAttribute.invokeExact(found, name, value, size);
        if (result < 0 || name.get(ADDRESS, 0).address() == 0) {
          return all;
        }
        byte[] bytes = Librados.bytes(value.get(ADDRESS, 0), size.get(JAVA_LONG, 0));
        all.put(Librados.text(name.get(ADDRESS, 0)), bytes);
      }
    } catch (Throwable e) {
      throw Librados.unchecked(e);
    } finally {
      Librados.run(() -> {
        library.endAttributes.invokeExact(found);
      });
    }
  }

  /**
   * Returns pairs of an object; none if the object is missing.
   *
   * @param after the key, without zero bytes, after which the pairs begin; may be empty
   * @param prefix the bytes with which all keys begin; may be empty
   * @param most the maximum number of pairs; the cluster may return fewer
   */
  public Pairs pairs(String object, byte[] after, byte[] prefix, int most) {
    MemorySegment operation = Librados.call(() -> (MemorySegment) library.createRead.invokeExact());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(ADDRESS);
      MemorySegment more = arena.allocate(JAVA_BYTE);
      MemorySegment status = arena.allocate(JAVA_INT);
      library.getPairs.invokeExact(
          operation, string(arena, after), string(arena, prefix), (long) most, found, more, status);
      int result =
          (int) library.operateRead.invokeExact(operation, handle, arena.allocateFrom(object), 0);
      if (result == -RadosException.NO_ENTRY) {
        library.endPairs.invokeExact(found.get(ADDRESS, 0));
        return new Pairs(List.of(), false);
      }
      int failed = result < 0 ? result : status.get(JAVA_INT, 0);
      if (failed < 0) {
        library.endPairs.invokeExact(found.get(ADDRESS, 0));
        throw new RadosException("rados_read_op_operate", object, -failed);
      }
      List<Pair> pairs = drain(arena, found.get(ADDRESS, 0));
      return new Pairs(pairs, more.get(JAVA_BYTE, 0) != 0);
    } catch (Throwable e) {
      throw Librados.unchecked(e);
    } finally {
      release(operation);
    }
  }

  private List<Pair> drain(Arena arena, MemorySegment found) throws Throwable {
    List<Pair> pairs = new ArrayList<>();
    MemorySegment key = arena.allocate(ADDRESS);
    MemorySegment value = arena.allocate(ADDRESS);
    MemorySegment size = arena.allocate(JAVA_LONG);
    try {
      while (true) {
        int result = (int) library.nextPair.invokeExact(found, key, value, size);
        if (result < 0 || key.get(ADDRESS, 0).address() == 0) {
          return pairs;
        }
        pairs.add(
            new Pair(
                Librados.string(key.get(ADDRESS, 0)),
                Librados.bytes(value.get(ADDRESS, 0), size.get(JAVA_LONG, 0))));
      }
    } finally {
      library.endPairs.invokeExact(found);
    }
  }

  private void release(MemorySegment operation) {
    Librados.run(() -> {
      library.releaseRead.invokeExact(operation);
    });
  }

  /**
   * Reads data of an object. Large data is read in parts at the same time, so that one part is
   * transferred while the storage daemon reads the next.
   *
   * @param to native memory
   * @return the number of bytes read; -1 if the object is missing
   */
  public long read(String object, MemorySegment to) {
    return new PartReads(library, handle, object).read(to);
  }

  /** Returns the size of the data of an object in bytes; empty if the object is missing. */
  public OptionalLong size(String object) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(JAVA_LONG);
      MemorySegment time = arena.allocate(JAVA_LONG);
      MemorySegment name = arena.allocateFrom(object);
      int result = Librados.call(() -> (int) library.stat.invokeExact(handle, name, size, time));
      if (result < 0 && result != -RadosException.NO_ENTRY) {
        throw new RadosException("rados_stat", object, -result);
      }
      return result < 0 ? OptionalLong.empty() : OptionalLong.of(size.get(JAVA_LONG, 0));
    }
  }

  /** Passes the names of all objects of the namespace to a function, in no particular order. */
  public void names(Consumer<String> action) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      int unused =
          Librados.checked(
              "rados_nobjects_list_open",
              "",
              () -> (int) library.openList.invokeExact(handle, made));
      MemorySegment list = made.get(ADDRESS, 0);
      MemorySegment name = arena.allocate(ADDRESS);
      MemorySegment key = arena.allocate(ADDRESS);
      MemorySegment namespace = arena.allocate(ADDRESS);
      try {
        int result = (int) library.nextOfList.invokeExact(list, name, key, namespace);
        while (result >= 0) {
          action.accept(Librados.text(name.get(ADDRESS, 0)));
          result = (int) library.nextOfList.invokeExact(list, name, key, namespace);
        }
        if (result != -RadosException.NO_ENTRY) {
          throw new RadosException("rados_nobjects_list_next", "", -result);
        }
      } finally {
        library.closeList.invokeExact(list);
      }
    } catch (Throwable e) {
      throw Librados.unchecked(e);
    }
  }

  /**
   * Takes or renews the exclusive lock of an object for {@code seconds} seconds.
   *
   * @param cookie identifies the holder, in addition to the connection
   * @return true if the lock is taken; false if there is another holder
   */
  public boolean lock(String object, String name, String cookie, long seconds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment duration = arena.allocate(JAVA_LONG, 2);
      duration.set(JAVA_LONG, 0, seconds);
      MemorySegment subject = arena.allocateFrom(object);
      MemorySegment title = arena.allocateFrom(name);
      MemorySegment holder = arena.allocateFrom(cookie);
      MemorySegment description = arena.allocateFrom("");
      byte renewing = 1;
      int result =
          Librados.call(() ->
              (int)
                  library.lock.invokeExact(
                      handle, subject, title, holder, description, duration, renewing));
      if (result < 0 && result != -RadosException.BUSY && result != -RadosException.EXISTS) {
        throw new RadosException("rados_lock_exclusive", object, -result);
      }
      return result >= 0;
    }
  }

  /** Releases a lock, if this connection holds it with the cookie. */
  public void unlock(String object, String name, String cookie) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment subject = arena.allocateFrom(object);
      MemorySegment title = arena.allocateFrom(name);
      MemorySegment holder = arena.allocateFrom(cookie);
      unlocked(
          "rados_unlock",
          object,
          Librados.call(() -> (int) library.unlock.invokeExact(handle, subject, title, holder)));
    }
  }

  /** Releases the lock of another client, if that client still holds it. */
  public void breakLock(String object, String name, String client, String cookie) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment subject = arena.allocateFrom(object);
      MemorySegment title = arena.allocateFrom(name);
      MemorySegment owner = arena.allocateFrom(client);
      MemorySegment holder = arena.allocateFrom(cookie);
      unlocked(
          "rados_break_lock",
          object,
          Librados.call(
              () -> (int) library.breakLock.invokeExact(handle, subject, title, owner, holder)));
    }
  }

  private static void unlocked(String function, String object, int result) {
    if (result < 0 && result != -RadosException.NO_ENTRY) {
      throw new RadosException(function, object, -result);
    }
  }

  /** Allocates the number of a new snapshot, which contains no object yet. */
  public long createSnapshot() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(JAVA_LONG);
      int unused =
          Librados.checked(
              "rados_ioctx_selfmanaged_snap_create",
              "",
              () -> (int) library.createSnapshot.invokeExact(handle, made));
      return made.get(JAVA_LONG, 0);
    }
  }

  /** Removes a snapshot; the cluster frees its objects later. */
  public void removeSnapshot(long snapshot) {
    int unused =
        Librados.checked(
            "rados_ioctx_selfmanaged_snap_remove",
            "snapshot " + snapshot,
            () -> (int) library.removeSnapshot.invokeExact(handle, snapshot));
  }

  /** Makes all changes preserve snapshots. Must be called before the first change. */
  public void keep(List<Long> snapshots) {
    try (Arena arena = Arena.ofConfined()) {
      List<Long> descending = snapshots.stream().sorted((a, b) -> Long.compare(b, a)).toList();
      MemorySegment numbers = arena.allocate(JAVA_LONG, Math.max(1, descending.size()));
      for (int i = 0; i < descending.size(); i++) {
        numbers.setAtIndex(JAVA_LONG, i, descending.get(i));
      }
      long newest = descending.isEmpty() ? 0 : descending.getFirst();
      int count = descending.size();
      int unused =
          Librados.checked(
              "rados_ioctx_selfmanaged_snap_set_write_ctx",
              snapshots.toString(),
              () -> (int) library.keepSnapshots.invokeExact(handle, newest, numbers, count));
    }
  }

  /** Makes all reads return the state of a snapshot. Must be called before the first read. */
  public void readAt(long snapshot) {
    Librados.run(() -> {
      library.readSnapshot.invokeExact(handle, snapshot);
    });
  }

  /** Returns the bytes of an ASCII text. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Closes the pool after all calls and submissions have ended. */
  @Override
  public void close() {
    Librados.run(() -> {
      library.closePool.invokeExact(handle);
    });
  }
}
