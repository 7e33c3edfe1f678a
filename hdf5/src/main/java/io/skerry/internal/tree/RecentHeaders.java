package io.skerry.internal.tree;

import io.skerry.format.header.ObjectHeader;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A limited number of object headers, by address. If there are too many, the header that was added
 * first is removed.
 */
final class RecentHeaders extends LinkedHashMap<Long, ObjectHeader> {
  private static final long serialVersionUID = 1;

  /** The maximum number of headers. */
  private static final int MOST = 4096;

  /** Adds or replaces a header, which becomes the most recent. */
  @Override
  public ObjectHeader put(Long address, ObjectHeader header) {
    ObjectHeader before = remove(address);
    var unused = super.put(address, header);
    return before;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<Long, ObjectHeader> eldest) {
    return size() > MOST;
  }
}
