package io.skerry.internal.tree;

import io.skerry.format.header.ObjectHeader;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A limited number of object headers, by address. If there are too many, the least recently used
 * header is removed; {@link #get}, {@link #put} and {@link #putLast} use a header.
 */
final class RecentHeaders extends LinkedHashMap<Long, ObjectHeader> {
  private static final long serialVersionUID = 1;

  /** The maximum number of headers. */
  private static final int MOST = 4096;

  RecentHeaders() {
    super(16, 0.75f, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<Long, ObjectHeader> eldest) {
    return size() > MOST;
  }
}
