package io.skerry.internal.tree;

import io.skerry.collective.step.UndoLog;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import java.util.Collection;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The object headers in the memory of this rank: all headers that differ from those in the file,
 * and a limited number of others. Even a call that only reads a header changes the recorded order
 * of use, so every call needs exclusive access to the file.
 */
final class HeaderCache {
  private final FormatFile format;
  private final UndoLog log;

  /**
   * The most recently used headers, up to a limit; other unchanged headers are read again when they
   * are needed.
   */
  private final SequencedMap<Long, ObjectHeader> recent = new RecentHeaders();

  private final TreeMap<Long, ObjectHeader> dirty = new TreeMap<>();

  /**
   * Creates an empty cache.
   *
   * @param log the log that undoes the changes of failed steps
   */
  HeaderCache(FormatFile format, UndoLog log) {
    this.format = format;
    this.log = log;
  }

  /** Returns the header at an address; reads it if it is not in memory. */
  ObjectHeader get(long address) {
    ObjectHeader changed = dirty.get(address);
    ObjectHeader known = changed != null ? changed : recent.get(address);
    if (known == null) {
      known = format.header(address);
      recent.putLast(address, known);
    }
    return known;
  }

  /** Adds a header, or replaces the header at the same address. */
  void put(ObjectHeader header) {
    log.put(recent, header.address(), header);
    log.put(dirty, header.address(), header);
  }

  void remove(long address) {
    log.remove(recent, address);
    log.remove(dirty, address);
  }

  /** Returns the headers that differ from those in the file, in ascending order of address. */
  Collection<ObjectHeader> dirty() {
    return dirty.values();
  }

  /**
   * Records that a flush has written all changes.
   *
   * @param stored the headers as the file now contains them, which replace the dirty ones
   */
  void committed(List<ObjectHeader> stored) {
    stored.forEach(header -> recent.putLast(header.address(), header));
    dirty.clear();
  }
}
